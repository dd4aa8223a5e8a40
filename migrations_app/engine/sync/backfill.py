"""The backfill: one page of what exists, converted and copied, with its checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.engine.sync.quarantine import Worklist, apply, hide, quarantine
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import HANGS, Load, carry
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.ports.checkpoints import Checkpoint, ShardStage
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Copied, KeyRange, ReplicationToken

PAGE = 5000
COUNTED_SECONDS = 10.0


class Counts:
    """How many resources there are by type and shard; the shards of an upgrade begin together and ask once."""

    def __init__(self) -> None:
        self._known = RecentMap[tuple[Namespace, str], tuple[float, dict[int, int]]]()

    def totals(self, ports: PipelinePorts, pipeline: ShardPipeline) -> dict[int, int]:
        """Count the resources of every shard, all types of a pipeline together."""
        now, totals = ports.clock.monotonic(), dict.fromkeys(range(pipeline.origin.ring), 0)
        for type_ in pipeline.types:
            at, counts = self._known.get((pipeline.origin, type_), (-COUNTED_SECONDS, {}))
            if now - at >= COUNTED_SECONDS:
                counts = ports.store.counts(pipeline.origin, type_)
                self._known[pipeline.origin, type_] = (now, counts)
            for shard, count in counts.items():
                totals[shard] += count
        return totals


def begin(ports: PipelinePorts, pipeline: ShardPipeline, checkpoint: Checkpoint, total: int) -> Checkpoint:
    """Start at the first type; `total` is what the bar runs to."""
    return _open_type(
        ports, pipeline, checkpoint.moved(stage=ShardStage.BACKFILL, total=total), pipeline.types
    )


def step(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    checkpoint: Checkpoint,
    replication_token: ReplicationToken,
    known: Worklist,
    limit: int = PAGE,
) -> Checkpoint:
    """Copy the next page and tell the checkpoint after it; the caller saves it.

    Once: pages are idempotent, since only what is newer is kept; a page whose checkpoint was lost is repeated.
    Raises: Stale when the replication token is void · Busy.
    """
    reach("backfill.before")
    key_range = KeyRange(checkpoint.type, pipeline.shard, checkpoint.name, checkpoint.upper, limit)
    page = (
        _inside(ports, pipeline, key_range, replication_token)
        or _copy_in_store(ports, pipeline, key_range, replication_token, known)
        or _through(ports, pipeline, key_range, replication_token, known)
    )
    reach("backfill.after")
    return _moved(ports, pipeline, checkpoint, page.read, page.last)


def copy_together(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    checkpoints: Sequence[Checkpoint],
    replication_token: ReplicationToken,
    limit: int = PAGE,
) -> list[Checkpoint] | None:
    """Copy the next page of several shards, all within one type; tell the checkpoints after it, for the caller to save.

    Those that are behind catch up with those ahead. None when something is in the way: then each goes by itself.

    Once: as `step`; each checkpoint counts for its own shard.
    Raises: Stale when the replication token is void · Busy.
    """
    reach("backfill.before")
    first, *others = checkpoints
    upper = max((one.upper or "" for one in checkpoints), key=str.encode)
    beside = tuple((one.key.shard, one.name) for one in others)
    key_range = KeyRange(first.type, first.key.shard, first.name, upper, limit, beside)
    page = _inside(ports, pipeline, key_range, replication_token) or _copy_in_store(
        ports, pipeline, key_range, replication_token, {}
    )
    if page is None:
        return None
    reach("backfill.after")
    return [
        _moved(ports, replace(pipeline, key=one.key), one, page.shares.get(one.key.shard, 0), page.last)
        for one in checkpoints
    ]


def _moved(
    ports: PipelinePorts, pipeline: ShardPipeline, checkpoint: Checkpoint, read: int, last: str | None
) -> Checkpoint:
    """Move a checkpoint past a page, and at the end of a type to the next; never back."""
    copied = checkpoint.copied + read
    # Writers went on while it was counted; a bar never runs over its end.
    moved = checkpoint.moved(copied=copied, total=max(checkpoint.total, copied))
    if last is not None:
        return moved.moved(name=max(last, checkpoint.name, key=str.encode))
    rest = [type_ for type_ in pipeline.types if type_ > checkpoint.type]
    return _open_type(ports, pipeline, moved, rest)


def _open_type(
    ports: PipelinePorts, pipeline: ShardPipeline, checkpoint: Checkpoint, types: list[str]
) -> Checkpoint:
    for type_ in types:
        upper = ports.store.bound(pipeline.origin, type_, pipeline.shard)
        if upper is not None:
            return checkpoint.moved(type=type_, name="", upper=upper)
    return checkpoint.moved(stage=ShardStage.FOLLOW, type="", name="", upper=None, total=checkpoint.copied)


def _inside(
    ports: PipelinePorts, pipeline: ShardPipeline, key_range: KeyRange, replication_token: ReplicationToken
) -> Copied | None:
    """Let the database convert and copy the page, if it can; None sends the page through Python."""
    converter, ends = pipeline.converters[key_range.type], (pipeline.origin, pipeline.passive)
    try:
        if converter.parts:
            return ports.store.copy_parts_within(*ends, key_range, converter.parts, replication_token)
        plan = converter.sql
        if plan is None or plan.references is None or converter.target_type is None:
            return None
        return ports.store.copy_within(
            *ends, key_range, converter.target_type, plan, replication_token, converter.forward
        )
    except (Busy, Stale):
        raise
    except Exception:
        # One statement for the whole page cannot say which resource it choked on, nor what a conversion of those that
        # it is unsure about raised; Python can, and tells.
        return None


def _copy_in_store(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    key_range: KeyRange,
    replication_token: ReplicationToken,
    known: Worklist,
) -> Copied | None:
    """Let the store carry the page and convert only; None sends it one by one, where something is in the way."""
    converter = pipeline.converters[key_range.type]
    if known or pipeline.in_place or converter.target_type is None:
        return None
    try:
        return ports.store.copy_through(
            pipeline.origin,
            pipeline.passive,
            key_range,
            converter.target_type,
            converter.forward,
            replication_token,
            converter.text,
        )
    except (Busy, Stale):
        raise
    except Exception:
        # A conversion may raise anything: of which resource shows when each is carried over alone.
        UNEXPECTED.note("backfill")
        return None


def _through(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    key_range: KeyRange,
    replication_token: ReplicationToken,
    known: Worklist,
) -> Copied:
    resources = ports.store.page(pipeline.origin, key_range)
    load, full = Load(), len(resources) == key_range.limit
    # What is on the worklist already is tried again by it, not by every repetition of the page.
    for resource in resources:
        if (resource.type, resource.name) not in known:
            carry(pipeline, [resource], load)
            if load.hung.get(key_range.type, 0) >= HANGS:
                # The page ends here, so that what was done is kept and the next slice goes on after it.
                resources, full = resources[: resources.index(resource) + 1], True
                break
    # `copy` is fastest with names in order, and conversion may have changed the order.
    load.carriages.sort(key=lambda carriage: carriage.name.encode())
    applied = apply(ports, pipeline, load, replication_token, copy=True)
    quarantine(ports, pipeline, load.unapplied, known)
    hide(ports, pipeline, load, [], known)
    return Copied(len(resources), applied.written, resources[-1].name if full else None)
