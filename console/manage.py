"""Django's command line, for a clone (`manage.py`) and for an installed wheel (`switchyard`)."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

INSUFFICIENT_PRIVILEGE = "42501"
"""PostgreSQL's code of the error."""


def main() -> None:
    """Run the command that the arguments name; a database that does not answer is one sentence and exit code 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    if sys.argv[1:] == ["up"]:
        _run_installation()
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        reason = str(error).strip().splitlines()[-1] if str(error).strip() else "no reason given"
        sys.exit(
            f"switchyard: the database does not answer: {reason} Is DATABASE_URL right, and does the server "
            "run? On one machine, `make up` or `switchyard up` in another terminal brings one."
        )
    except ProgrammingError as error:
        if getattr(error.__cause__, "sqlstate", "") != INSUFFICIENT_PRIVILEGE:
            raise
        reason = str(error).strip().splitlines()[0]
        sys.exit(
            f"switchyard: the role of this process may not do that: {reason}. Only the "
            "owner of the tables migrates: run it with SWITCHYARD_OWNER_URL, or `make up`, which does."
        )


def _run_installation() -> NoReturn:
    """Do as the command `up` does, which without options needs nothing of Django, in a third of its memory."""
    from console.embedded.supervisor import run_installation
    from console.env import current_env

    sys.exit(run_installation(current_env()))


if __name__ == "__main__":
    main()
