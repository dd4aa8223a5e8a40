"""`manage.py prepare`: migrate the control database; on the very first start make accounts and example fleet."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from console.embedded.example_service import mark_path
from console.embedded.home import write_private
from console.env import FILES
from migrations_app.control.access.commands.make_first_accounts import make_first_accounts
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.domain.access import SYSTEM


class Command(BaseCommand):
    """Make the control database ready for the processes."""

    help = "Migrate the control database; on first start make the accounts and the example fleet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, then make what a first start needs; a second run changes nothing."""
        call_command("migrate", interactive=False, verbosity=1)
        env = settings.SWITCHYARD
        if env.owner_url:
            call_command("roles")
        # Written before the commit: should that fail, the file opens nothing and is rewritten next time.
        with transaction.atomic():
            made = make_first_accounts()
            if made:
                accounts = {name: asdict(each) for name, each in made.items()}
                text = json.dumps({"url": f"http://localhost:{env.port}", "accounts": accounts}, indent=2)
                try:
                    write_private(env.home / "credentials.json", text + "\n")
                except OSError as error:
                    raise CommandError(
                        f"The first accounts' passwords cannot be written to {env.home} ({error.strerror}); no "
                        "account was made. Make the folder writable, or choose another with SWITCHYARD_HOME."
                    ) from None
        if made and env.example and not env.meta_url:
            apply_fleet(SYSTEM, FILES / "examples" / "fleet")
            mark_path(env.home).touch(mode=0o600)
