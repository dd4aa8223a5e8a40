"""`manage.py prepare`: migrate the control database and, on the very first start, make the accounts."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Make the control database ready for the processes."""

    help = "Migrate the control database; on first start make the accounts and load the example fleet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, then make what a first start needs; a second run changes nothing."""
        call_command("migrate", interactive=False, verbosity=1)
