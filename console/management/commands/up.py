"""`manage.py up`: the whole system on this machine, until Ctrl-C."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from console.embedded.supervisor import run_installation
from console.env import current_env


class Command(BaseCommand):
    """Bring up PostgreSQL, Valkey, web, workers and beat, and keep them up."""

    help = "Run the whole of Switchyard on this machine until Ctrl-C."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the supervisor; a failure is one sentence and exit code 1."""
        sys.exit(run_installation(current_env()))
