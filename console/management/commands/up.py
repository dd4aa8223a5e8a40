"""`manage.py up`: the whole system on this machine, until Ctrl-C."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand

from console.embedded.failure import CannotStart
from console.embedded.home import Home
from console.embedded.supervisor import Supervisor
from console.env import current_env


class Command(BaseCommand):
    """Bring up PostgreSQL, Valkey, web, workers and beat, and keep them up."""

    help = "Run the whole of Switchyard on this machine until Ctrl-C."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the supervisor; a failure is one sentence and exit code 1."""
        env = current_env()
        try:
            asyncio.run(Supervisor(env, Home(env.home)).run())
        except CannotStart as error:
            self.stderr.write(f"switchyard: {error}")
            raise SystemExit(1) from None
