"""The freeze's short way: the last changes of all shards in one batch, when they are few and all convert.

Shard by shard every question is asked sixteen times while writers wait. Whatever is out of the ordinary (too many
changes, one that does not convert, one that differs) makes these answer None, and the caller goes the long way.
"""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.domain.sync import latest_per_key
from migrations_app.engine.parity.verify import verify_keys
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync.quarantine import apply
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    fresh_replication_token,
    live_positions,
    parity_follower,
)
from migrations_app.engine.sync.single_resources import carry_changes
from migrations_app.ports.feed import Batch, Change
from migrations_app.ports.fence import FenceState

CHANGES = 5000


def carry_all(ports: PipelinePorts, switchover: Switchover, frozen: FenceState) -> int | None:
    """Carry what every shard still has to follow; tell how many were applied, or None.

    Once: as following; the cursors move only after everything was applied.
    """
    batch = _rest(ports, switchover, switchover.follower, frozen)
    if batch is None:
        return None
    pipeline = switchover.pipelines[0]
    load = carry_changes(ports, pipeline, latest_per_key(_counterpart_changes(switchover, batch.changes)))
    if load.unapplied or load.hidden:
        return None
    applied = apply(ports, pipeline, load, fresh_replication_token(ports, pipeline))
    if load.unapplied:
        return None
    ports.feed.advance(
        switchover.origin,
        switchover.follower,
        range(switchover.ring),
        batch.position,
        reached=batch.reached,
        epoch=frozen.epoch,
    )
    return applied.written + applied.removed


def prove_all(ports: PipelinePorts, switchover: Switchover, frozen: FenceState) -> int | None:
    """Compare every key changed since the proved places; tell how many there were, or None."""
    batch = _rest(ports, switchover, parity_follower(switchover.record.id, switchover.direction), frozen)
    if batch is None:
        return None
    expected: dict[str, dict[str, int]] = {}
    for change in _counterpart_changes(switchover, batch.changes):
        names = expected.setdefault(change.type, {})
        names[change.name] = max(change.revision, names.get(change.name, 0))
    for type_, names in expected.items():
        if verify_keys(ports, switchover.pipelines[0], type_, names, still=True).mismatches:
            return None
    return sum(len(names) for names in expected.values())


def _rest(ports: PipelinePorts, switchover: Switchover, follower: str, frozen: FenceState) -> Batch | None:
    """Read all shards, each from its own cursor, to the end of the freeze."""
    cursors = live_positions(ports, switchover.origin, follower)
    if len(cursors) < switchover.ring:
        return None
    batch = ports.feed.read(switchover.origin, cursors, limit=CHANGES, settled=True)
    whole = all(ports.feed.reached(batch.reached, end) for end in frozen.freeze_end.values())
    return batch if batch.level and whole else None


def _counterpart_changes(switchover: Switchover, changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if switchover.pipelines[0].carries(change)]
