#!/usr/bin/env python
"""Django's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "no reason given"
        sys.exit(
            f"switchyard: the database does not answer: {reason} Is DATABASE_URL right, and does the server "
            "run? On one machine, `make up` in another terminal brings one."
        )
