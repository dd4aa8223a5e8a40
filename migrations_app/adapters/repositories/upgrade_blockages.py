"""The causes that hold an upgrade up, from the rows of its work, the pulses of workers and its shards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from migrations_app.adapters.broker import broker_answers
from migrations_app.adapters.repositories.upgrade_progress import is_reporting
from migrations_app.domain.switch.blockages import (
    Blockage,
    ShardTrouble,
    WorkerPulse,
    WorkKey,
    find_blockages,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.models.upgrades import Upgrade, UpgradeShard
from migrations_app.models.work import Pulse, Work

# Keys of an upgrade are its id, or begin with it and a slash.
CONTROLLERS = ("sync", "parity", "switch")


def blockages_of(row: Upgrade, shards: Sequence[UpgradeShard], now: datetime) -> tuple[Blockage, ...]:
    """Find what holds an upgrade up that should get on; nothing for one that rests or has ended."""
    if not is_reporting(row):
        return ()
    work = Work.objects.filter(controller__in=CONTROLLERS)
    keys = work.filter(key=row.id) | work.filter(key__startswith=f"{row.id}/")
    return find_blockages(
        now,
        [_key(each) for each in keys],
        [_worker(each) for each in Pulse.objects.filter(kind="worker")],
        [_trouble(shard) for shard in shards],
        broker_answers=broker_answers,
    )


def blockage_as_json(blockage: Blockage) -> JsonObject:
    """Give a cause as the API shows it."""
    since = blockage.since.isoformat().replace("+00:00", "Z") if blockage.since else None
    return {
        "kind": blockage.kind.value,
        "sentence": blockage.sentence,
        "since": since,
        "remedy": blockage.remedy,
        "needs_person": blockage.needs_person,
    }


def _key(row: Work) -> WorkKey:
    return WorkKey(
        controller=row.controller,
        key=row.key,
        due_at=row.due_at,
        leased_until=row.leased_until,
        attempts=row.attempts,
        quarantined_at=row.parked_at,
        quarantine_reason=row.parked_reason,
        quarantine_remedy=row.parked_remedy,
        waits_for=row.waits_for,
        waits_since=row.waits_since,
    )


def _worker(row: Pulse) -> WorkerPulse:
    return WorkerPulse(row.at, tuple(row.details.get("queues", ())))


def _trouble(shard: UpgradeShard) -> ShardTrouble:
    return ShardTrouble(
        shard=shard.shard,
        error=shard.error,
        throttled=shard.throttled,
        quarantined_resources=shard.failed,
        reported_at=shard.reported_at,
    )
