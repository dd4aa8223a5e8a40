"""Proving the keys that changed: from the last proved place in the feed to where following is."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.parity import Mismatch
from migrations_app.engine.parity.verify import verify_keys
from migrations_app.engine.sync.recopy import LOSSES, has_lost
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    live_positions,
    parity_follower,
    position_of,
)
from migrations_app.engine.sync.shared_catch_up import earliest
from migrations_app.ports.checkpoints import QuarantineState
from migrations_app.ports.feed import Batch, Change
from migrations_app.ports.namespaces import Position

KEYS, KEYS_OF_ALL = 1000, 5000


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What a key range of changed keys came to; `level` when nothing more can be proved now."""

    checked: int
    mismatches: tuple[tuple[str, Mismatch], ...]
    level: bool
    position: Position | None = None


def begin(ports: PipelinePorts, pipeline: ShardPipeline, at: Position | None = None) -> None:
    """Set the place from which every changed key is to be proved, if it is not set yet."""
    follower = parity_follower(pipeline.key.upgrade, pipeline.key.direction)
    position = at or ports.feed.head(pipeline.origin)
    ports.feed.register(pipeline.origin, follower, {pipeline.shard: position})


def begin_again(ports: PipelinePorts, pipeline: ShardPipeline) -> None:
    """Prove a shard from now on and compare it whole again, if changes it had still to compare were deleted.

    Once: what was proved is void before the place moves.
    """
    follower = parity_follower(pipeline.key.upgrade, pipeline.key.direction)
    if has_lost(ports, pipeline, follower):
        ports.checkpoints.void_proof(pipeline.key)
        ports.feed.restart(pipeline.origin, follower, [pipeline.shard])


def recheck(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    followed: Position,
    *,
    after: Position | None = None,
    still: bool = False,
    limit: int = KEYS,
) -> Rechecked:
    """Compare the next changed keys, and move the proved place past them when all are equal.

    `followed` is how far following came: only what it has passed can be compared. `still` vouches that the
    origin is frozen and followed to its end; then everything is read, and the place is not moved: the caller
    goes on from the `position` of the answer.
    """
    follower = parity_follower(pipeline.key.upgrade, pipeline.key.direction)
    after = after or position_of(ports, pipeline, follower)
    if after is None:
        return Rechecked(0, (), level=False)
    batch = ports.feed.read(pipeline.origin, after, shards=[pipeline.shard], limit=limit, settled=still)
    changes, place = _comparable(ports, batch, after, followed, still)
    expected = _expected(pipeline, changes, _set_aside(ports, pipeline, still))
    found: list[tuple[str, Mismatch]] = []
    for type_, names in expected.items():
        verdict = verify_keys(ports, pipeline, type_, names, still=still)
        found += [(type_, mismatch) for mismatch in verdict.mismatches]
    if not found and not still and place != after:
        ports.feed.advance(pipeline.origin, follower, pipeline.shard, place)
    checked = sum(len(names) for names in expected.values())
    return Rechecked(checked, tuple(found), batch.level or len(changes) < len(batch.changes), place)


def recheck_all(ports: PipelinePorts, pipeline: ShardPipeline, limit: int = KEYS_OF_ALL) -> int | None:
    """Compare what changed in all shards together, move the proved place of each past it when all is equal, and count it.

    None when a shard has to be looked at by itself: it is not proved from any place yet or has lost it, something
    differs, or there is more than one batch.
    """
    follower, ring = parity_follower(pipeline.key.upgrade, pipeline.key.direction), pipeline.origin.ring
    proved = live_positions(ports, pipeline.origin, follower)
    followed = list(live_positions(ports, pipeline.origin, pipeline.follower).values())
    if len(proved) < ring or len(followed) < ring:
        return None
    after = earliest(ports, list(proved.values()))
    try:
        batch = ports.feed.read(pipeline.origin, proved, limit=limit)
    except LOSSES:
        return None
    if not batch.level:
        return None
    changes, place = _comparable(ports, batch, after, earliest(ports, followed), still=False)
    expected = _expected(pipeline, changes, set())
    for type_, names in expected.items():
        if verify_keys(ports, pipeline, type_, names).mismatches:
            return None
    if place != after:
        ports.feed.advance(pipeline.origin, follower, range(ring), place)
    return sum(map(len, expected.values()))


def _comparable(
    ports: PipelinePorts, batch: Batch, after: Position, followed: Position, still: bool
) -> tuple[list[Change], Position]:
    """Keep what following has passed, and tell up to where that proves the feed."""
    if still:
        return list(batch.changes), batch.reached
    changes = [change for change in batch.changes if ports.feed.reached(followed, change.position)]
    if len(changes) < len(batch.changes):
        return changes, changes[-1].position if changes else after
    if ports.feed.reached(followed, batch.position):
        return changes, batch.position
    return changes, followed if ports.feed.reached(followed, after) else after


def _set_aside(ports: PipelinePorts, pipeline: ShardPipeline, still: bool) -> set[tuple[str, str]]:
    """Tell which keys are on the worklist; in the freeze only those that were accepted may differ."""
    quarantined = ports.checkpoints.quarantined(pipeline.key)
    accepted = (QuarantineState.WAIVED, QuarantineState.HIDDEN)
    return {(one.type, one.name) for one in quarantined if not still or one.state in accepted}


def _expected(
    pipeline: ShardPipeline, changes: list[Change], set_aside: set[tuple[str, str]]
) -> dict[str, dict[str, int]]:
    """Collect the newest revision that was followed, by type and name."""
    expected: dict[str, dict[str, int]] = {}
    for change in changes:
        if not pipeline.carries(change):
            continue
        if (change.type, change.name) not in set_aside:
            names = expected.setdefault(change.type, {})
            names[change.name] = max(change.revision, names.get(change.name, 0))
    return expected
