"""Proving the keys that changed: from the last proved place in the feed to where following is."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.parity import Mismatch
from migrations_app.engine.parity.verify import verify_keys
from migrations_app.engine.sync.abreast import earliest
from migrations_app.engine.sync.lane import Lane, Yard, parity_follower, position_of
from migrations_app.engine.sync.recopy import has_lost, tells_of_loss
from migrations_app.kernel.errors import Conflict
from migrations_app.ports.checkpoints import ParkedState
from migrations_app.ports.feed import Batch, Change, Operation
from migrations_app.ports.namespaces import Position

KEYS, KEYS_OF_ALL = 1000, 5000


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What a stretch of changed keys came to; `level` when nothing more can be proved now."""

    checked: int
    found: tuple[tuple[str, Mismatch], ...]
    level: bool
    position: Position | None = None


def begin(yard: Yard, lane: Lane, at: Position | None = None) -> None:
    """Set the place from which every changed key is to be proved, if it is not set yet."""
    follower = parity_follower(lane.key.upgrade, lane.key.direction)
    position = at or yard.feed.head(lane.origin)
    yard.feed.register(lane.origin, follower, {lane.shard: position})


def begin_again(yard: Yard, lane: Lane) -> None:
    """Prove a shard from now on and compare it whole again, if changes it had still to compare were deleted.

    Once: what was proved is void before the place moves.
    """
    follower = parity_follower(lane.key.upgrade, lane.key.direction)
    if has_lost(yard, lane, follower):
        yard.checkpoints.void_proof(lane.key)
        yard.feed.restart(lane.origin, follower, [lane.shard])


def recheck(
    yard: Yard,
    lane: Lane,
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
    follower = parity_follower(lane.key.upgrade, lane.key.direction)
    after = after or position_of(yard, lane, follower)
    if after is None:
        return Rechecked(0, (), level=False)
    batch = yard.feed.read(lane.origin, after, shards=[lane.shard], limit=limit, settled=still)
    changes, place = _comparable(yard, batch, after, followed, still)
    expected = _expected(lane, changes, _set_aside(yard, lane, still))
    found: list[tuple[str, Mismatch]] = []
    for type_, names in expected.items():
        verdict = verify_keys(yard, lane, type_, names, still=still)
        found += [(type_, mismatch) for mismatch in verdict.mismatches]
    if not found and not still and place != after:
        yard.feed.advance(lane.origin, follower, lane.shard, place)
    checked = sum(len(names) for names in expected.values())
    return Rechecked(checked, tuple(found), batch.level or len(changes) < len(batch.changes), place)


def recheck_all(yard: Yard, lane: Lane, limit: int = KEYS_OF_ALL) -> bool:
    """Compare what changed in all shards together, and move the proved place of each past it, when all is equal.

    False when a shard has to be looked at by itself: it is not proved from any place yet, something differs, or there
    is more than one batch.
    """
    follower, ring = parity_follower(lane.key.upgrade, lane.key.direction), lane.record.ring
    proved = {one.shard: one.position for one in yard.feed.cursors(lane.origin, follower)}
    followed = [one.position for one in yard.feed.cursors(lane.origin, lane.follower)]
    if len(proved) < ring or len(followed) < ring:
        return False
    after = earliest(yard, list(proved.values()))
    try:
        batch = yard.feed.read(lane.origin, proved, limit=limit)
    except Conflict as error:
        if tells_of_loss(error):
            return False
        raise
    if not batch.level:
        return False
    changes, place = _comparable(yard, batch, after, earliest(yard, followed), still=False)
    for type_, names in _expected(lane, changes, set()).items():
        if verify_keys(yard, lane, type_, names).mismatches:
            return False
    if place != after:
        yard.feed.advance(lane.origin, follower, range(ring), place)
    return True


def _comparable(
    yard: Yard, batch: Batch, after: Position, followed: Position, still: bool
) -> tuple[list[Change], Position]:
    """Keep what following has passed, and tell up to where that proves the feed."""
    if still:
        return list(batch.changes), batch.reached
    changes = [change for change in batch.changes if yard.feed.reached(followed, change.position)]
    if len(changes) < len(batch.changes):
        return changes, changes[-1].position if changes else after
    if yard.feed.reached(followed, batch.position):
        return changes, batch.position
    return changes, followed if yard.feed.reached(followed, after) else after


def _set_aside(yard: Yard, lane: Lane, still: bool) -> set[tuple[str, str]]:
    """Tell which keys are on the worklist; in the freeze only those that were accepted may differ."""
    parked = yard.checkpoints.parked(lane.key)
    accepted = (ParkedState.WAIVED, ParkedState.HIDDEN)
    return {(one.type, one.name) for one in parked if not still or one.state in accepted}


def _expected(
    lane: Lane, changes: list[Change], set_aside: set[tuple[str, str]]
) -> dict[str, dict[str, int]]:
    """Collect the newest revision that was followed, by type and name."""
    expected: dict[str, dict[str, int]] = {}
    for change in changes:
        converter = lane.converters.get(change.type)
        if change.operation is Operation.BEAT or converter is None or converter.target_type is None:
            continue
        if (change.type, change.name) not in set_aside:
            names = expected.setdefault(change.type, {})
            names[change.name] = max(change.revision, names.get(change.name, 0))
    return expected
