"""Who copies beside whom: a slice that copies takes the shards next to its own along, with their leases.

Copied one by one, each shard reads the tables from end to end for its part of the rows. What is copied for a shard is
noted in its own checkpoint under its own lease, as if a slice of its own had done it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from migrations_app.engine.controller import Terms
from migrations_app.engine.sync.shard_pipeline import ShardPipeline
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.conversions import Converter
from migrations_app.ports.locks import Again, Lease, Leases

WITHIN, THROUGH = 8, 4
"""So many shards are copied beside each other, within the database and through Python, where more workers help."""


class LeasePool(Protocol):
    """Hands out the leases of shards that are free, and takes them back."""

    def take(self, keys: Sequence[str]) -> list[Lease]:
        """Take those of the keys that are free and due."""
        ...

    def release(self, leases: Sequence[Lease], seconds: float) -> None:
        """Let go of them; there is more to do for each in so many seconds."""
        ...


@dataclass(frozen=True, slots=True)
class NeighbourLeasePool:
    """Leases of the sync controller, held by this process."""

    leases: Leases
    holder: str
    terms: Terms = Terms()

    def take(self, keys: Sequence[str]) -> list[Lease]:
        """Take those that no worker works on."""
        seconds = self.terms.lease_seconds
        found = (self.leases.take("sync", key, holder=self.holder, lease_seconds=seconds) for key in keys)
        return [lease for lease in found if lease is not None]

    def release(self, leases: Sequence[Lease], seconds: float) -> None:
        """Let go."""
        for lease in leases:
            self.leases.settle(lease, Again(seconds))


def beside(pipeline: ShardPipeline) -> list[str]:
    """Name the keys of the shards next to one's own."""
    most = WITHIN if all(_is_copied_within(one) for one in pipeline.converters.values()) else THROUGH
    first = pipeline.shard - pipeline.shard % most
    shards = range(first, min(first + most, pipeline.origin.ring))
    return [
        str(ShardKey(pipeline.key.upgrade, pipeline.key.direction, n)) for n in shards if n != pipeline.shard
    ]


def _is_copied_within(converter: Converter) -> bool:
    return bool(converter.parts) or (converter.sql is not None and converter.sql.references is not None)
