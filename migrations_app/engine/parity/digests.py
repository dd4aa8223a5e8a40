"""The fast digest of both sides, by the uid, which is the same in every version."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from migrations_app.domain.parity import EMPTY, Digest
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline


@dataclass(frozen=True, slots=True)
class DigestComparison:
    """The groups of uids whose digests differ, and how many resources each side has."""

    differing: tuple[int, ...]
    origin_count: int
    passive_count: int
    seconds: float

    @property
    def equal(self) -> bool:
        """True when both sides hold the same resources at the same revisions."""
        return not self.differing


def digest_of_sides(ports: PipelinePorts, pipeline: ShardPipeline) -> DigestComparison:
    """Fingerprint both namespaces whole; says the truth about one instant only without writers."""
    began = ports.clock.monotonic()
    origin = _add(ports, pipeline, passive=False)
    passive = _add(ports, pipeline, passive=True)
    groups = sorted(origin.keys() | passive.keys())
    differing = tuple(group for group in groups if origin.get(group, EMPTY) != passive.get(group, EMPTY))
    return DigestComparison(
        differing,
        sum(digest.count for digest in origin.values()),
        sum(digest.count for digest in passive.values()),
        ports.clock.monotonic() - began,
    )


def _add(ports: PipelinePorts, pipeline: ShardPipeline, *, passive: bool) -> dict[int, Digest]:
    """Add the types up: several may become one, and the types without counterpart do not count."""
    sums: dict[int, Digest] = {}
    namespace = pipeline.passive if passive else pipeline.origin
    # Buckets of uids are as many as a namespace has shards; a number that divides both has the same on both sides.
    common = gcd(pipeline.origin.ring, pipeline.passive.ring)
    targets = [target for type_ in pipeline.types for target in pipeline.converters[type_].target_types]
    for type_ in dict.fromkeys(targets) if passive else pipeline.types:
        for group, digest in ports.store.digests(namespace, type_, "uid").items():
            bucket = group % common
            sums[bucket] = sums.get(bucket, EMPTY).plus(digest)
    return sums
