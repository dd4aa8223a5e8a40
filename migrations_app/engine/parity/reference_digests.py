"""Before a switch: the reference indexes of both sides held against their documents, by a digest for each shard.

The documents of both sides are compared with each other by themselves. So the index of the new side equals that of the
old one under the mapping of names exactly if each equals what its own documents say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.switch.words import count
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    fresh_replication_token,
    pipeline_of,
)
from migrations_app.ports.conversions import Converter
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction


@dataclass(frozen=True, slots=True)
class IndexDifference:
    """Shards of one side in which the rows of a type are not what its documents say; `orphans` are of no resource."""

    namespace: Namespace
    type: str
    shards: tuple[int, ...]
    orphans: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The difference in words."""
        where = []
        if self.shards:
            where.append(f"in {count(len(self.shards), 'shard')} it differs from the documents")
        if self.orphans:
            where.append(f"{count(len(self.orphans), 'name')} of no resource stand in it")
        return f"The reference index of {self.type} in {self.namespace.version}: {' and '.join(where)}"


def index_differences(ports: PipelinePorts, pipeline: ShardPipeline) -> list[IndexDifference]:
    """Digest the indexes of both sides, all shards together; what differs by itself is a fault of the index.

    Raises: Busy (`database-busy`).
    """
    if ports.reference_indexes is None or pipeline.in_place:
        return []
    found: list[IndexDifference] = []
    for namespace, type_, converter in _sides(ports, pipeline):
        digests = ports.reference_indexes.digests(namespace, type_, converter.reference_paths)
        shards = tuple(shard for shard, each in sorted(digests.shards.items()) if not each.is_equal)
        if shards or digests.orphans:
            found.append(IndexDifference(namespace, type_, shards, digests.orphans))
    return found


def mend_indexes(ports: PipelinePorts, pipeline: ShardPipeline, found: list[IndexDifference]) -> None:
    """Delete rows of no resource, and let the shards be compared whole again, which mends the other rows.

    Once: rows are deleted only while there is no resource; what was proved of a shard is void before it is compared.
    Raises: Busy, Stale.
    """
    if ports.reference_indexes is None:
        return
    for each in found:
        if each.orphans:
            passive = each.namespace == pipeline.passive
            token = fresh_replication_token(ports, pipeline) if passive else None
            ports.reference_indexes.clear(each.namespace, each.type, each.orphans, token)
    if any(each.shards for each in found):
        # Shards of both sides are numbered by their own names; a difference in one may be of any of the origin.
        for shard in range(pipeline.origin.ring):
            key = pipeline_of(ports, pipeline.record, pipeline.key.direction, shard).key
            ports.checkpoints.void_proof(key)


def _sides(ports: PipelinePorts, pipeline: ShardPipeline) -> Iterator[tuple[Namespace, str, Converter]]:
    """List the types of both sides whose documents may refer to something, each with its converter to the other."""
    opposite = Direction.REVERSE if pipeline.key.direction is Direction.FORWARD else Direction.FORWARD
    back = pipeline_of(ports, pipeline.record, opposite, pipeline.shard)
    for namespace, converters in (
        (pipeline.origin, pipeline.converters),
        (pipeline.passive, back.converters),
    ):
        for type_, converter in sorted(converters.items()):
            if converter.refers:
                yield namespace, type_, converter
