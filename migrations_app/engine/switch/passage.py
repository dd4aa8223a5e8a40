"""One passage through the fence: what is left, what is entered, and the lanes between."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.engine.sync.lane import Lane, Yard, ends, follower_name, lane_of
from migrations_app.ports.fence import FenceState, Mode, Site
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction, UpgradeRecord


@dataclass(frozen=True, slots=True)
class Passage:
    """A switch in one direction, of a deployment with its shards."""

    record: UpgradeRecord
    direction: Direction
    origin: Namespace
    passive: Namespace
    lanes: tuple[Lane, ...]

    @property
    def follower(self) -> str:
        """The follower whose cursors must be at the freeze's end."""
        return follower_name(self.record.id, self.direction)

    @property
    def site(self) -> Site:
        """Where the fence stands that is frozen."""
        return Site.of(self.origin)

    @property
    def far_site(self) -> Site:
        """Where the fence stands that is opened."""
        return Site.of(self.passive)

    @property
    def split(self) -> bool:
        """True when the two namespaces are in different databases."""
        return self.origin.database != self.passive.database

    @property
    def blind(self) -> bool:
        """True when going back to an old database that was not kept in step: its data as of the switch."""
        return self.direction is Direction.REVERSE and not self.record.enable_downgrade_sync

    def passed(self, yard: Yard, near: FenceState) -> bool:
        """Tell whether the other side is open: the switch has happened."""
        if self.split:
            far = yard.fence.state(self.far_site)
            return near.mode is Mode.CLOSED and far.mode is Mode.OPEN
        return near.active_version == self.passive.version and near.mode is Mode.OPEN


def passage_of(yard: Yard, record: UpgradeRecord, direction: Direction) -> Passage:
    """Put a passage together."""
    origin, passive = ends(record, direction)
    lanes = tuple(lane_of(yard, record, direction, shard) for shard in range(record.ring))
    return Passage(record, direction, origin, passive, lanes)
