"""Mending a stable difference by sending the resource across again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from migrations_app.domain.parity import Mismatch, MismatchKind
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import put_of
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.stored import Draft, Reference, Removal, ReplicationToken


def repair(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    type_: str,
    mismatch: Mismatch,
    replication_token: ReplicationToken,
) -> str:
    """Send a resource across again; tell in a few words what was done.

    What is newer at the origin is applied as it is. Where the other side would not take it, because it has
    the same or a greater revision, the origin's resource is written again unchanged: its new revision wins.
    """
    if mismatch.kind is MismatchKind.EXTRA:
        return _remove(ports, pipeline, mismatch, replication_token)
    if mismatch.kind in (MismatchKind.STALE, MismatchKind.MISSING):
        row = ports.store.read(pipeline.origin).get(type_, mismatch.source_name)
        if row is None:
            return "gone meanwhile"
        put = put_of(pipeline.converters[type_], row)
        if ports.store.apply(pipeline.passive, [put], replication_token).written:
            return "sent across again"
    return _touch(ports, pipeline, type_, mismatch.source_name)


def _remove(
    ports: PipelinePorts, pipeline: ShardPipeline, mismatch: Mismatch, replication_token: ReplicationToken
) -> str:
    assert mismatch.actual is not None
    found = mismatch.actual
    removal = Removal(mismatch.type, mismatch.name, UUID(found.uid), found.revision + 1, pipeline.shard)
    done = ports.store.apply(pipeline.passive, [removal], replication_token)
    return "removed" if done.removed else "gone meanwhile"


def _touch(ports: PipelinePorts, pipeline: ShardPipeline, type_: str, name: str) -> str:
    try:
        with ports.store.transaction(pipeline.origin) as transaction:
            row = transaction.get(type_, name)
            if row is None:
                return "gone meanwhile"
            converter = pipeline.converters[type_]
            kept = transaction.references(type_, name)
            draft = Draft(
                type=type_,
                name=name,
                uid=row.uid,
                body=row.body,
                metadata=row.metadata,
                owning_region=row.owning_region,
                origin_shard=row.origin_shard,
                references=_indexed(converter.references(row.body), kept) if converter.refers else None,
            )
            transaction.put(draft, expected=row.revision)
    except SwitchyardError as error:
        return f"not mended: {error.message}"
    return "written again at the origin"


def _indexed(said: Iterable[Reference], kept: Iterable[Reference]) -> tuple[Reference, ...]:
    """Give the rows that a document says, each with the region that its owner told, where it did."""
    regions = {(each.path, each.target_name): each.target_region for each in kept}
    return tuple(
        replace(each, target_region=regions.get((each.path, each.target_name), each.target_region))
        for each in said
    )
