"""`manage.py roles`: make the databases' roles and grant each what it needs, as the owner."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from migrations_app.wiring import database_roles


class Command(BaseCommand):
    """Part the owner of the tables from the role of the processes; runs after each `migrate`."""

    help = "Make the roles and data databases that the addresses name; the processes' role may not alter the ledger."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Grant, and say what another person has to do."""
        env = settings.SWITCHYARD
        env.needs("DATABASE_URL", "SWITCHYARD_OWNER_URL")
        for sentence in database_roles().prepare():
            self.stderr.write(f"switchyard: {sentence}")
