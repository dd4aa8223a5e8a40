"""Following: a micro-batch from the feed, the newest entry of each key, converted, applied, passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.sync import latest_per_key
from migrations_app.engine.sync.carry import carry_changes
from migrations_app.engine.sync.lane import Lane, Yard
from migrations_app.engine.sync.poison import Worklist, apply, hide, hold_behind, park
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.feed import Batch, Change, Operation
from migrations_app.ports.namespaces import Position
from migrations_app.ports.stored import Applied, Warrant

MICRO_BATCH = 2000


@dataclass(frozen=True, slots=True)
class Followed:
    """What one micro-batch came to; `level` tells that the feed had nothing more to give at that instant."""

    position: Position
    reached: Position
    read: int
    applied: int
    level: bool


def follow(
    yard: Yard,
    lane: Lane,
    after: Position,
    warrant: Warrant,
    known: Worklist,
    *,
    limit: int = MICRO_BATCH,
    freeze_epoch: int | None = None,
) -> Followed:
    """Carry the next changes across and move the cursor past them.

    With `freeze_epoch` it reads without the horizon: only for who has frozen the origin at that epoch; the
    cursor then notes how far it reached within that freeze.

    Once: applying keeps only what is newer; a batch whose cursor did not move is repeated harmlessly.
    Raises: Stale when the warrant is void · Busy.
    """
    batch = yard.feed.read(
        lane.origin, after, shards=[lane.shard], limit=limit, settled=freeze_epoch is not None
    )
    newest = hold_behind(yard, latest_per_key(wanted(lane, batch)), known)
    reach("follow.before")
    done, rest = (0, newest) if known else _straight(yard, lane, newest, warrant)
    load = carry_changes(yard, lane, rest)
    applied = apply(yard, lane, load, warrant)
    park(yard, lane, load.poisons, known)
    hide(yard, lane, load, newest, known)
    reach("follow.applied")
    pass_on(yard, lane, [lane.shard], after, batch, freeze_epoch)
    reach("follow.passed")
    done += applied.written + applied.removed
    return Followed(batch.position, batch.reached, len(batch.changes), done, batch.level)


def _straight(yard: Yard, lane: Lane, newest: list[Change], warrant: Warrant) -> tuple[int, list[Change]]:
    """Let the store carry the resources whose names decide where they go; tell how many were written, and the rest.

    What a deletion of the same batch may be about is left to be carried with it.

    Raises: Stale when the warrant is void · Busy.
    """
    if lane.in_place:
        return 0, newest
    buried = {_place(lane, change) for change in newest if change.operation is Operation.DELETE}
    rest: list[Change] = []
    going: dict[str, list[Change]] = {}
    for change in newest:
        type_, name = place = _place(lane, change)
        if change.operation is Operation.PUT and name and not (buried and buried & {place, (type_, None)}):
            going.setdefault(change.type, []).append(change)
        else:
            rest.append(change)
    written = 0
    for type_, changes in going.items():
        applied = _through(yard, lane, type_, changes, warrant)
        if applied is None:
            rest += changes
        else:
            written += applied.written
    return written, rest


def _place(lane: Lane, change: Change) -> tuple[str | None, str | None]:
    converter = lane.converters[change.type]
    return converter.target_type, converter.name(change.name)


def _through(yard: Yard, lane: Lane, type_: str, changes: list[Change], warrant: Warrant) -> Applied | None:
    converter, announced = lane.converters[type_], {change.name: change.revision for change in changes}
    assert converter.target_type is not None
    try:
        return yard.store.apply_through(
            lane.origin, lane.passive, type_, announced, converter.target_type, converter.forward, warrant
        )
    except (Busy, Stale):
        raise
    except Exception:
        # A conversion may raise anything: whose it was, and what becomes of it, is told by the way around.
        return None


def wanted(lane: Lane, batch: Batch) -> list[Change]:
    """Choose the changes of resources that have a counterpart on the other side."""
    return [
        change
        for change in batch.changes
        if change.operation is not Operation.BEAT
        and (converter := lane.converters.get(change.type)) is not None
        and converter.target_type is not None
    ]


def pass_on(
    yard: Yard,
    lane: Lane,
    shards: Sequence[int],
    after: Position,
    batch: Batch,
    freeze_epoch: int | None = None,
) -> None:
    """Note the beats of a batch that was applied, and move the cursors of these shards past it."""
    beats: dict[int, datetime] = {}
    for change in batch.changes:
        if change.operation is Operation.BEAT:
            beats[change.shard] = change.at
    if beats:
        yard.feed.see(lane.passive, beats)
    if freeze_epoch is not None:
        yard.feed.advance(
            lane.origin, lane.follower, shards, batch.position, reached=batch.reached, epoch=freeze_epoch
        )
    elif batch.position != after:
        yard.feed.advance(lane.origin, lane.follower, shards, batch.position)
