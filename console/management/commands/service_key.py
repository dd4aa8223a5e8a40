"""`manage.py service_key`: print the public key with which this installation signs service tokens."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from migrations_app.adapters.service_tokens import ServiceKeys


class Command(BaseCommand):
    """Print what other installations put into SWITCHYARD_PEER_KEYS."""

    help = "Print the public key of this installation's service tokens."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the key."""
        env = settings.SWITCHYARD
        self.stdout.write(ServiceKeys.of(settings.SECRET_KEY, env.service_key).public)
