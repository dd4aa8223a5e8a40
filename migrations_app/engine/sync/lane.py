"""A lane: one shard of one upgrade in one direction, with everything that is needed to move its resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from migrations_app.engine.sync.write_pacing import WritePacing
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Stale
from migrations_app.ports.checkpoints import Checkpoints, ShardKey
from migrations_app.ports.comparing import Comparing
from migrations_app.ports.conversions import Conversions, Converter
from migrations_app.ports.copies import Levels
from migrations_app.ports.feed import Feed
from migrations_app.ports.fence import Fence, FenceState, Site
from migrations_app.ports.namespaces import Namespace, Position
from migrations_app.ports.store import Store
from migrations_app.ports.stored import Warrant
from migrations_app.ports.throttle import Throttle
from migrations_app.ports.upgrades import Direction, UpgradeRecord, Upgrades


@dataclass(frozen=True, slots=True)
class Yard:
    """The ports the engine works with."""

    store: Store
    feed: Feed
    fence: Fence
    checkpoints: Checkpoints
    upgrades: Upgrades
    conversions: Conversions
    throttle: Throttle
    clock: Clock
    levels: Levels | None = None
    comparing: Comparing | None = None
    pacing: WritePacing | None = None

    @contextmanager
    def turn(self, namespace: Namespace) -> Iterator[float]:
        """Take a turn to copy or compare for the block; else tell in how many seconds to ask again (`WritePacing`)."""
        if self.pacing is None:
            yield 0.0
            return
        with self.pacing.turn(namespace.deployment) as wait:
            yield wait


@dataclass(frozen=True, slots=True)
class Lane:
    """One shard on its way from the namespace that is served to the one that is filled."""

    record: UpgradeRecord
    key: ShardKey
    origin: Namespace
    passive: Namespace
    converters: Mapping[str, Converter]

    @property
    def shard(self) -> int:
        """The shard's number, in the ring of the origin."""
        return self.key.shard

    @property
    def follower(self) -> str:
        """The name its cursor is kept under in the feed of the origin."""
        return follower_name(self.key.upgrade, self.key.direction)

    @property
    def in_place(self) -> bool:
        """True when resources are changed where they are: a newer data version of the same version."""
        return (self.origin.database, self.origin.schema) == (self.passive.database, self.passive.schema)

    @property
    def types(self) -> list[str]:
        """The resource types that have a counterpart on the other side, in the order they are copied."""
        return sorted(
            name for name, converter in self.converters.items() if converter.target_type is not None
        )


def follower_name(upgrade: str, direction: Direction) -> str:
    """Name the follower of an upgrade in one direction."""
    return f"{upgrade}/{direction}"


def parity_follower(upgrade: str, direction: Direction) -> str:
    """Name the cursor up to which every key is known to be equal on both sides."""
    return f"{upgrade}/{direction}/parity"


def tombstone_follower(upgrade: str) -> str:
    """Name the cursor that keeps entries while an upgrade's tombstones are brought, before anybody follows."""
    return f"{upgrade}/tombstones"


def ends(record: UpgradeRecord, direction: Direction) -> tuple[Namespace, Namespace]:
    """Tell from where to where data flow in a direction."""
    if direction is Direction.FORWARD:
        return record.source, record.target
    return record.target, record.source


def lane_of(yard: Yard, record: UpgradeRecord, direction: Direction, shard: int) -> Lane:
    """Put a lane together."""
    origin, passive = ends(record, direction)
    converters = yard.conversions.converters(record, direction)
    return Lane(record, ShardKey(record.id, direction, shard), origin, passive, converters)


def warrant_of(lane: Lane, fence: FenceState) -> Warrant:
    """Ask for the right to write the passive namespace, as the fence of its database stands.

    Raises: Stale (`direction-turned`) when the origin is not the active version any more.
    """
    if fence.active_version != lane.origin.version:
        raise Stale(
            f"{lane.origin.deployment} serves {fence.active_version}, not {lane.origin.version}: "
            "nothing flows this way now.",
            code="direction-turned",
        )
    return Warrant(lane.origin.version, fence.epoch)


def fresh_warrant(yard: Yard, lane: Lane) -> Warrant:
    """Read the fence of the passive side and ask for the right to write it.

    Raises: Stale (`direction-turned`).
    """
    return warrant_of(lane, yard.fence.state(Site.of(lane.passive)))


def position_of(yard: Yard, lane: Lane, follower: str | None = None) -> Position | None:
    """Tell where the lane's cursor stands, or None before it was registered."""
    for cursor in yard.feed.cursors(lane.origin, follower or lane.follower):
        if cursor.shard == lane.shard:
            return cursor.position
    return None
