"""How long each phase of an upgrade took until it was ready and compared, and how fast it was, from what was kept."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max, Min, Q, Sum

from migrations_app.domain.switch.states import ShardState, State
from migrations_app.kernel.json import JsonObject
from migrations_app.models.sync import SyncCheckpoint, SyncScan
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.checkpoints import ShardStage
from migrations_app.ports.upgrades import Direction

WAITING = ("to_director", "to_first_shard", "to_ready")
"""Phases in which no worker works for the upgrade: its keys wait for a worker, or for the director to look again."""


def phases_of(row: Upgrade) -> JsonObject:
    """Give the seconds of each phase.

    `to_director`, `preparing` and `to_first_shard` are parts of `to_first_report`: until the director began, until the
    target was prepared, and until a worker had begun with the first shard. Copying runs from there, before the first report
    of it, to the last shard that is copied; catching up until the last shard is caught up; `to_ready` until that was said.
    Comparing is the newest full comparison, which begins before an upgrade is ready. Units: seconds; null where the
    phase has not ended, or what it is told from is not kept any more.
    """
    turns = (
        row.shard_turns.filter(shard__lt=row.ring).order_by("pk").values_list("shard", "stage", "state", "at")
    )
    begun: dict[int, datetime] = {}
    copied: dict[int, datetime] = {}
    caught_up: dict[int, datetime] = {}
    for shard, stage, state, at in turns:
        begun.setdefault(shard, at)
        if stage == ShardStage.FOLLOW.value:
            copied.setdefault(shard, at)
        if state == ShardState.READY.value:
            caught_up.setdefault(shard, at)
    ready = row.moves.filter(state=State.READY.value).order_by("pk").values_list("at", flat=True).first()
    first = min(begun.values(), default=None)
    last = max(copied.values()) if len(copied) == row.ring else None
    level = max(caught_up.values()) if len(caught_up) == row.ring else None
    began, prepared, counted = _preparation(row)
    return {
        "to_director": _between(row.started_at, began),
        "preparing": _between(began, prepared),
        "to_first_shard": _between(prepared, counted),
        "to_first_report": _between(row.started_at, first),
        "copying": _between(counted or first, last),
        "catching_up": _between(last, level),
        "to_ready": _between(level, ready),
        "comparing": _between(*_comparison(row)),
    }


def waiting_of(phases: JsonObject) -> float | None:
    """Add up how long the product itself waited between the start and ready; null as long as a part is not known."""
    parts = [phases[name] for name in WAITING]
    known = [part for part in parts if isinstance(part, float)]
    return round(sum(known), 2) if len(known) == len(parts) else None


def rates_of(row: Upgrade, phases: JsonObject) -> JsonObject:
    """Give how many resources a second were copied and compared, of the forward direction; null while not known."""
    found = SyncCheckpoint.objects.filter(upgrade=row.id, direction=Direction.FORWARD.value)
    copied = found.aggregate(copied=Sum("copied"))["copied"] or 0
    return {
        "copying": _rate(copied, phases["copying"]),
        "comparing": _rate(copied, phases["comparing"]),
    }


def _preparation(row: Upgrade) -> tuple[datetime | None, datetime | None, datetime | None]:
    """Tell when the director began to prepare and had prepared, and when a worker had counted what is to be copied."""
    kept = row.lines.filter(kind__in=("prepared", "counted")).order_by("-pk")
    lines = {line.kind: line for line in kept}
    prepared, counted = lines.get("prepared"), lines.get("counted")
    began = prepared.details.get("began_at") if prepared else None
    return (
        datetime.fromisoformat(str(began)) if began else None,
        prepared.at if prepared else None,
        counted.at if counted else None,
    )


def _comparison(row: Upgrade) -> tuple[datetime | None, datetime | None]:
    found = SyncScan.objects.filter(upgrade=row.id, direction=Direction.FORWARD.value)
    ended = found.filter(~Q(ended_at=None)).count() == row.ring
    times = found.aggregate(first=Min("started_at"), last=Max("ended_at"))
    return times["first"], times["last"] if ended else None


def _between(start: datetime | None, end: datetime | None) -> float | None:
    if start is None or end is None:
        return None
    return round(max(0.0, (end - start).total_seconds()), 2)


def _rate(resources: int, seconds: object) -> int | None:
    return round(resources / seconds) if isinstance(seconds, float) and seconds > 0 else None
