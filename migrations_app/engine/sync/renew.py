"""Writing resources back where they were read, changed for a newer data version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.kernel.errors import Missing, NotFound, RevisionConflict, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import BatchResult, Draft, Put

TOGETHER = 100
"""So many resources are locked at once while clients write."""


def renew(ports: PipelinePorts, pipeline: ShardPipeline, puts: Sequence[Put]) -> BatchResult:
    """Write each resource as the next revision of the one it was made from.

    One that a client was faster with is left alone: the feed brings it again.
    Raises: Busy while writers pause.
    """
    written = 0
    for batch in _batches(sorted(puts, key=lambda put: (put.type, put.name.encode()))):
        try:
            with ports.store.transaction(pipeline.origin) as transaction:
                for put in batch:
                    transaction.put(_draft(put), expected=put.revision)
            written += len(batch)
        except (Stale, Missing):
            written += sum(_one(ports, pipeline, put) for put in batch)
    return BatchResult(written, 0, len(puts) - written)


def _one(ports: PipelinePorts, pipeline: ShardPipeline, put: Put) -> bool:
    try:
        with ports.store.transaction(pipeline.origin) as transaction:
            transaction.put(_draft(put), expected=put.revision)
    except (NotFound, RevisionConflict):
        return False
    return True


def _draft(put: Put) -> Draft:
    return Draft(
        type=put.type,
        name=put.name,
        uid=put.uid,
        body=put.body,
        metadata=_next_generation(put.metadata),
        owning_region=put.owning_region,
        origin_shard=put.origin_shard,
        references=put.references,
    )


def _next_generation(metadata: JsonObject) -> JsonObject:
    generation = metadata.get("generation")
    return {**metadata, "generation": str(int(str(generation)) + 1)} if generation is not None else metadata


def _batches(puts: Sequence[Put]) -> Iterator[Sequence[Put]]:
    for start in range(0, len(puts), TOGETHER):
        yield puts[start : start + TOGETHER]
