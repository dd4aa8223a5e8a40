"""Asks read as values."""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.domain.access import Target
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.messages import catalogued, message
from migrations_app.models.asks import Ask
from migrations_app.models.upgrades import UpgradeTimelineEntry

ASKED = "asked-for"
SETTLED = "ask-settled"
"""The lines of an upgrade's story that tell who asked for what, and who put it away."""

ACCESS = catalogued("access to this console")
"""What an account asks for that may do nothing yet."""


def target_of_ask(row: Ask) -> Target:
    """Give what an ask is about, for the one decision."""
    return Target("ask", row.id, row.service, row.region)


def still_asked(lines: Iterable[UpgradeTimelineEntry]) -> list[UpgradeTimelineEntry]:
    """Leave of the lines about asks, in any order, those that were not dismissed since."""
    found: dict[tuple[str, str], list[UpgradeTimelineEntry]] = {}
    for line in sorted(lines, key=lambda line: line.pk):
        asked = found.setdefault((line.upgrade_id, str(line.details.get("action"))), [])
        if line.kind == SETTLED:
            asked.clear()
        else:
            asked.append(line)
    return [line for asked in found.values() for line in asked]


def open_access_ask(ask_id: str) -> Ask:
    """Read an undecided request for access, and keep others from deciding it meanwhile.

    Raises: Missing (`ask-missing`).
    """
    row = Ask.objects.select_for_update().filter(pk=ask_id, what=ACCESS, settled_at__isnull=True).first()
    if row is None:
        raise Missing(message("That request is not open any more."), code="ask-missing")
    return row
