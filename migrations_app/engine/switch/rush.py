"""The freeze's short way: the last changes of all shards in one batch, when they are few and all convert.

Shard by shard every question is asked sixteen times while writers wait. Whatever is out of the ordinary (too many
changes, one that does not convert, one that differs) makes these answer None, and the caller goes the long way.
"""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.domain.sync import latest_per_key
from migrations_app.engine.parity.verify import verify_keys
from migrations_app.engine.switch.passage import Passage
from migrations_app.engine.sync.carry import carry_changes
from migrations_app.engine.sync.lane import Yard, fresh_warrant, parity_follower
from migrations_app.engine.sync.poison import apply
from migrations_app.ports.feed import Batch, Change, Operation
from migrations_app.ports.fence import FenceState

CHANGES = 5000


def carry_all(yard: Yard, passage: Passage, frozen: FenceState) -> int | None:
    """Carry what every shard still has to follow; tell how many were applied, or None.

    Once: as following; the cursors move only after everything was applied.
    """
    batch = _rest(yard, passage, passage.follower, frozen)
    if batch is None:
        return None
    lane = passage.lanes[0]
    load = carry_changes(yard, lane, latest_per_key(_wanted(passage, batch.changes)))
    if load.poisons or load.hidden:
        return None
    applied = apply(yard, lane, load, fresh_warrant(yard, lane))
    if load.poisons:
        return None
    yard.feed.advance(
        passage.origin,
        passage.follower,
        range(passage.record.ring),
        batch.position,
        reached=batch.reached,
        epoch=frozen.epoch,
    )
    return applied.written + applied.removed


def prove_all(yard: Yard, passage: Passage, frozen: FenceState) -> int | None:
    """Compare every key changed since the proved places; tell how many there were, or None."""
    batch = _rest(yard, passage, parity_follower(passage.record.id, passage.direction), frozen)
    if batch is None:
        return None
    expected: dict[str, dict[str, int]] = {}
    for change in _wanted(passage, batch.changes):
        names = expected.setdefault(change.type, {})
        names[change.name] = max(change.revision, names.get(change.name, 0))
    for type_, names in expected.items():
        if verify_keys(yard, passage.lanes[0], type_, names, still=True).mismatches:
            return None
    return sum(len(names) for names in expected.values())


def _rest(yard: Yard, passage: Passage, follower: str, frozen: FenceState) -> Batch | None:
    """Read all shards, each from its own cursor, to the end of the freeze."""
    cursors = {cursor.shard: cursor.position for cursor in yard.feed.cursors(passage.origin, follower)}
    if len(cursors) < passage.record.ring:
        return None
    batch = yard.feed.read(passage.origin, cursors, limit=CHANGES, settled=True)
    whole = all(yard.feed.reached(batch.reached, end) for end in frozen.freeze_end.values())
    return batch if batch.level and whole else None


def _wanted(passage: Passage, changes: Iterable[Change]) -> list[Change]:
    converters = passage.lanes[0].converters
    return [
        change
        for change in changes
        if change.operation is not Operation.BEAT
        and (converter := converters.get(change.type)) is not None
        and converter.target_type is not None
    ]
