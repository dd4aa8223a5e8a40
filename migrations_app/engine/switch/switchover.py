"""One passage through the fence: what is left, what is entered, and the pipelines between."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.switch.words import count
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    ends,
    follower_name,
    pipeline_of,
)
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction, UpgradeRecord


@dataclass(frozen=True, slots=True)
class Switchover:
    """A switch in one direction, of a deployment with its shards."""

    record: UpgradeRecord
    direction: Direction
    origin: Namespace
    passive: Namespace
    pipelines: tuple[ShardPipeline, ...]

    @property
    def ring(self) -> int:
        """How many shards there are: those of the side that is left."""
        return self.origin.ring

    @property
    def follower(self) -> str:
        """The follower whose cursors must be at the freeze's end."""
        return follower_name(self.record.id, self.direction)

    @property
    def site(self) -> FenceLocation:
        """Where the fence stands that is frozen."""
        return FenceLocation.of(self.origin)

    @property
    def far_site(self) -> FenceLocation:
        """Where the fence stands that is opened."""
        return FenceLocation.of(self.passive)

    @property
    def split(self) -> bool:
        """True when the two namespaces have a fence each: one is closed, then the other is opened."""
        return self.site != self.far_site

    @property
    def crosses_databases(self) -> bool:
        """True when the two namespaces are in different databases."""
        return self.origin.database != self.passive.database

    @property
    def entered(self) -> str:
        """Name what is opened: a version, with its database or its shards where another one of that version is left."""
        if self.crosses_databases:
            return f"{self.passive.version} in {self.passive.database}"
        if self.split:
            return f"{self.passive.version} with {count(self.passive.ring, 'shard')}"
        return self.passive.version

    @property
    def blind(self) -> bool:
        """True when rolling back to an old database that was not kept current: its data as of the switch."""
        return self.direction is Direction.REVERSE and not self.record.enable_downgrade_sync

    def passed(self, ports: PipelinePorts, near: FenceState) -> bool:
        """Tell whether the other side is open: the switch has happened."""
        if self.split:
            far = ports.fence.state(self.far_site)
            return near.mode is Mode.CLOSED and far.mode is Mode.OPEN
        return near.active_version == self.passive.version and near.mode is Mode.OPEN


def switchover_of(ports: PipelinePorts, record: UpgradeRecord, direction: Direction) -> Switchover:
    """Put a passage together."""
    origin, passive = ends(record, direction)
    pipelines = tuple(pipeline_of(ports, record, direction, shard) for shard in range(origin.ring))
    return Switchover(record, direction, origin, passive, pipelines)
