"""`manage.py reference`: write the generated pages of docs/reference."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from console.reference import pages


class Command(BaseCommand):
    """Write the pages that come from the code."""

    help = "Write the generated pages of docs/reference."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Write each page and name it."""
        for path, text in pages().items():
            path.write_text(text)
            self.stdout.write(str(path.relative_to(path.parents[2])))
