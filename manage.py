#!/usr/bin/env python
"""Django's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError
    from psycopg.errors import InsufficientPrivilege

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "no reason given"
        sys.exit(
            f"switchyard: the database does not answer: {reason} Is DATABASE_URL right, and does the server "
            "run? On one machine, `make up` in another terminal brings one."
        )
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        sys.exit(
            f"switchyard: the role of this process may not do that: {error.__cause__.diag.message_primary}. Only the "
            "owner of the tables migrates: run it with SWITCHYARD_OWNER_URL, or `make up`, which does."
        )
