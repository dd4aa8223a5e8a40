"""Tombstones brought to the other side before anybody copies, page by page, over as many slices as it takes."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.domain.resources.shards import shard_of
from migrations_app.engine.controller import Budget
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    fresh_replication_token,
    tombstone_follower,
)
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.checkpoints import Brought
from migrations_app.ports.feed import Cursor
from migrations_app.ports.namespaces import Position
from migrations_app.ports.stored import Removal, Tombstone

PAGE = 1000


def bring_tombstones(
    ports: PipelinePorts, pipeline: ShardPipeline, budget: Budget, epoch: int
) -> tuple[dict[int, Position], int] | None:
    """Let the target know at which revisions names were deleted before anybody followed.

    What is created there under such a name goes on from that revision. Else it would begin again, and the source,
    which knows the deletion, would take it for older on the rollback. A name that a document decides is left out.

    Gives the positions from which every later deletion is in the feed, and how many tombstones were read; None when
    the budget was spent before the end. Entries are kept from those positions on until `release` is called.

    Once: a page is repeated harmlessly; its row is saved after it.
    Raises: Stale when a later director was here, or the replication token is void · Busy.
    """
    brought = ports.checkpoints.load_brought(pipeline.key)
    held = ports.feed.cursors(pipeline.origin, tombstone_follower(pipeline.record.id))
    if not _holds(pipeline, held):
        # Given up for dead, or never there: deletions may be missing between what was brought and what is in the feed.
        brought = ports.checkpoints.save_brought(replace(Brought(pipeline.key), rev=brought.rev), epoch)
        held = _hold(ports, pipeline)
    replication_token = fresh_replication_token(ports, pipeline)
    for type_ in (each for each in pipeline.types if each >= brought.type):
        after = brought.name if type_ == brought.type else ""
        while page := ports.store.tombstones(pipeline.origin, type_, after, PAGE):
            removals = {found.name: found for each in page if (found := _removal(pipeline, each)) is not None}
            ports.store.apply(pipeline.passive, list(removals.values()), replication_token)
            reach("tombstones.applied")
            after = page[-1].name
            moved = replace(brought, type=type_, name=after, read=brought.read + len(page))
            brought = ports.checkpoints.save_brought(moved, epoch)
            if budget.spent:
                return None
    return {cursor.shard: cursor.position for cursor in held}, brought.read


def release(ports: PipelinePorts, pipeline: ShardPipeline) -> None:
    """Keep entries for the tombstones' sake no longer: who follows holds them now."""
    ports.feed.forget(pipeline.origin, tombstone_follower(pipeline.record.id))


def _holds(pipeline: ShardPipeline, cursors: tuple[Cursor, ...]) -> bool:
    return len(cursors) == pipeline.origin.ring and not any(cursor.dead for cursor in cursors)


def _hold(ports: PipelinePorts, pipeline: ShardPipeline) -> tuple[Cursor, ...]:
    """Note the head of the feed, and keep what comes after it."""
    follower = tombstone_follower(pipeline.record.id)
    ports.feed.forget(pipeline.origin, follower)
    head = ports.feed.head(pipeline.origin)
    ports.feed.register(pipeline.origin, follower, dict.fromkeys(range(pipeline.origin.ring), head))
    return ports.feed.cursors(pipeline.origin, follower)


def _removal(pipeline: ShardPipeline, grave: Tombstone) -> Removal | None:
    place = pipeline.converters[grave.type].place(grave.name)
    if place is None:
        return None
    return Removal(*place, grave.uid, grave.revision, shard_of(grave.name, pipeline.origin.ring))
