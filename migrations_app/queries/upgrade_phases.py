"""How long each phase of an upgrade took until it was ready, from the turns that its shards kept."""

from __future__ import annotations

from datetime import datetime

from migrations_app.domain.switch.states import ShardState, State
from migrations_app.kernel.json import JsonObject
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.checkpoints import Stage


def phases_of(row: Upgrade) -> JsonObject:
    """Give the seconds from the start to the first report, of copying, of catching up, and until it was called ready.

    Units: seconds; null where the phase has not ended, or its turns are not kept any more. Copying runs from the first
    shard that begins to the last that ends; catching up from there to the last shard that is caught up.
    """
    turns = row.shard_turns.order_by("pk").values_list("shard", "stage", "state", "at")
    begun: dict[int, datetime] = {}
    copied: dict[int, datetime] = {}
    caught_up: dict[int, datetime] = {}
    for shard, stage, state, at in turns:
        begun.setdefault(shard, at)
        if stage == Stage.FOLLOW.value:
            copied.setdefault(shard, at)
        if state == ShardState.READY.value:
            caught_up.setdefault(shard, at)
    ready = row.moves.filter(state=State.READY.value).order_by("pk").values_list("at", flat=True).first()
    first = min(begun.values(), default=None)
    last = max(copied.values()) if len(copied) == row.ring else None
    level = max(caught_up.values()) if len(caught_up) == row.ring else None
    return {
        "to_first_report": _between(row.started_at, first),
        "copying": _between(first, last),
        "catching_up": _between(last, level),
        "to_ready": _between(level, ready),
    }


def _between(start: datetime | None, end: datetime | None) -> float | None:
    if start is None or end is None:
        return None
    return round(max(0.0, (end - start).total_seconds()), 2)
