"""What was switched lately, and for how long writes were paused."""

from __future__ import annotations

from datetime import timedelta
from statistics import median

from django.utils import timezone

from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, decide, reach_of
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import JsonObject
from migrations_app.models.upgrades import RecordedTransition, Upgrade

WEEK = timedelta(days=7)
NEWEST = 3
FLIP, REVERTED = "H", "K"
"""The transitions by which the new version, and again the old one, is served."""


def last_week(actor: Actor) -> JsonObject:
    """Count the switches and rollbacks of seven days, with the pauses of writes that the switches took."""
    seen = within(reach_of(actor, "upgrade.read"), "upgrade__service", "upgrade__region")
    moves = RecordedTransition.objects.filter(seen, at__gt=timezone.now() - WEEK)
    flips = list(moves.filter(letter=FLIP).select_related("upgrade").order_by("-at", "-id"))
    freezes = [move.upgrade.freeze_ms for move in flips if move.upgrade.freeze_ms is not None]
    return {
        "switches": len(flips),
        "rolled_back": moves.filter(letter=REVERTED).count(),
        "median_freeze_ms": median(freezes) if freezes else None,
        "longest_freeze_ms": max(freezes, default=None),
        "newest": [_switch(move) for move in flips[:NEWEST]],
    }


def _switch(move: RecordedTransition) -> JsonObject:
    row = move.upgrade
    return {
        "id": row.id,
        "service": row.service,
        "region": row.region,
        "from_version": row.from_version,
        "to_version": row.to_version,
        "at": iso(move.at),
        "freeze_ms": row.freeze_ms,
    }


def first_use(actor: Actor) -> bool:
    """Tell whether no upgrade was ever planned; never to those who may not see upgrades."""
    seen = within(reach_of(actor, "upgrade.read"))
    return decide(actor, "upgrade.read").allowed and not Upgrade.objects.filter(seen).exists()
