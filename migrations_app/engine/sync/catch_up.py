"""Following: a micro-batch from the feed, the newest entry of each key, converted, applied, passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.sync import latest_per_key
from migrations_app.engine.sync.quarantine import Worklist, apply, hide, hold_behind, quarantine
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import carry_changes
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.ports.feed import Batch, Change, FeedOperation
from migrations_app.ports.namespaces import Position
from migrations_app.ports.stored import BatchResult, ReplicationToken

MICRO_BATCH = 2000


@dataclass(frozen=True, slots=True)
class CatchUpResult:
    """What one micro-batch came to; `level` tells that the feed had nothing more to give at that instant."""

    position: Position
    reached: Position
    read: int
    applied: int
    level: bool


def follow(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    after: Position,
    replication_token: ReplicationToken,
    known: Worklist,
    *,
    limit: int = MICRO_BATCH,
    freeze_epoch: int | None = None,
) -> CatchUpResult:
    """Carry the next changes across and move the cursor past them.

    With `freeze_epoch` it reads without the horizon: only for who has frozen the origin at that epoch; the
    cursor then notes how far it reached within that freeze.

    Once: applying keeps only what is newer; a batch whose cursor did not move is repeated harmlessly.
    Raises: Stale when the replication token is void · Busy.
    """
    batch = ports.feed.read(
        pipeline.origin, after, shards=[pipeline.shard], limit=limit, settled=freeze_epoch is not None
    )
    newest = hold_behind(ports, latest_per_key(changes_with_counterpart(pipeline, batch)), known)
    reach("follow.before")
    done, rest = (0, newest) if known else _copy_in_store(ports, pipeline, newest, replication_token)
    load = carry_changes(ports, pipeline, rest)
    applied = apply(ports, pipeline, load, replication_token)
    quarantine(ports, pipeline, load.unapplied, known)
    hide(ports, pipeline, load, newest, known)
    reach("follow.applied")
    pass_on(ports, pipeline, [pipeline.shard], after, batch, freeze_epoch)
    reach("follow.passed")
    done += applied.written + applied.removed
    return CatchUpResult(batch.position, batch.reached, len(batch.changes), done, batch.level)


def _copy_in_store(
    ports: PipelinePorts, pipeline: ShardPipeline, newest: list[Change], replication_token: ReplicationToken
) -> tuple[int, list[Change]]:
    """Let the store carry the resources whose names decide where they go; tell how many were written, and the rest.

    What a deletion of the same batch may be about is left to be carried with it.

    Raises: Stale when the replication token is void · Busy.
    """
    if pipeline.in_place:
        return 0, newest
    buried = {
        place
        for change in newest
        if change.operation is FeedOperation.DELETE
        for place in _places(pipeline, change)
    }
    rest: list[Change] = []
    going: dict[str, list[Change]] = {}
    for change in newest:
        place = pipeline.converters[change.type].place(change.name)
        if (
            change.operation is FeedOperation.PUT
            and place is not None
            and pipeline.converters[change.type].target_type is not None
            and not buried & {place, (place[0], None)}
        ):
            going.setdefault(change.type, []).append(change)
        else:
            rest.append(change)
    written = 0
    for type_, changes in going.items():
        applied = _through(ports, pipeline, type_, changes, replication_token)
        if applied is None:
            rest += changes
        else:
            written += applied.written
    return written, rest


def _places(pipeline: ShardPipeline, change: Change) -> set[tuple[str, str | None]]:
    """Tell where a resource may be on the other side; without a name where the document decides."""
    converter = pipeline.converters[change.type]
    place = converter.place(change.name)
    return {place} if place else {(type_, None) for type_ in converter.target_types}


def _through(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    type_: str,
    changes: list[Change],
    replication_token: ReplicationToken,
) -> BatchResult | None:
    converter, announced = pipeline.converters[type_], {change.name: change.revision for change in changes}
    assert converter.target_type is not None
    try:
        return ports.store.apply_through(
            pipeline.origin,
            pipeline.passive,
            type_,
            announced,
            converter.target_type,
            converter.forward,
            replication_token,
            converter.text,
        )
    except (Busy, Stale):
        raise
    except Exception:
        # A conversion may raise anything: of which resource shows when each is carried over alone.
        UNEXPECTED.note("catch-up")
        return None


def changes_with_counterpart(pipeline: ShardPipeline, batch: Batch) -> list[Change]:
    """Choose the changes of resources that have a counterpart on the other side."""
    return [change for change in batch.changes if pipeline.carries(change)]


def pass_on(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    shards: Sequence[int],
    after: Position,
    batch: Batch,
    freeze_epoch: int | None = None,
) -> None:
    """Note the beats of a batch that was applied, and move the cursors of these shards past it."""
    beats: dict[int, datetime] = {}
    for change in batch.changes:
        if change.operation is FeedOperation.BEAT:
            beats[change.shard] = change.at
    if beats:
        ports.feed.see(pipeline.passive, beats)
    if freeze_epoch is not None:
        ports.feed.advance(
            pipeline.origin,
            pipeline.follower,
            shards,
            batch.position,
            reached=batch.reached,
            epoch=freeze_epoch,
        )
    elif batch.position != after:
        ports.feed.advance(pipeline.origin, pipeline.follower, shards, batch.position)
