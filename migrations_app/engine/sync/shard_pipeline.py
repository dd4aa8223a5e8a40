"""A pipeline: one shard of one upgrade in one direction, with everything that is needed to move its resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from migrations_app.engine.sync.write_pacing import WritePacing
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import DirectionChanged
from migrations_app.kernel.messages import message
from migrations_app.ports.checkpoints import Checkpoints, ShardKey
from migrations_app.ports.comparing import PageComparator
from migrations_app.ports.conversions import Conversions, Converter
from migrations_app.ports.copies import Levels
from migrations_app.ports.dispatch import Dispatch
from migrations_app.ports.feed import Change, Feed, FeedOperation, replicator_expired
from migrations_app.ports.fence import Fence, FenceLocation, FenceState
from migrations_app.ports.namespaces import Namespace, Position
from migrations_app.ports.places import Places
from migrations_app.ports.references.reference_indexes import ReferenceIndexes
from migrations_app.ports.store import Store
from migrations_app.ports.stored import ReplicationToken
from migrations_app.ports.throttle import Throttle
from migrations_app.ports.upgrades import Direction, UpgradeRecord, Upgrades


@dataclass(frozen=True, slots=True)
class PipelinePorts:
    """The ports the engine works with."""

    store: Store
    feed: Feed
    fence: Fence
    checkpoints: Checkpoints
    upgrades: Upgrades
    places: Places
    conversions: Conversions
    throttle: Throttle
    clock: Clock
    levels: Levels | None = None
    comparing: PageComparator | None = None
    reference_indexes: ReferenceIndexes | None = None
    pacing: WritePacing | None = None
    dispatch: Dispatch | None = None

    @contextmanager
    def turn(self, namespace: Namespace, *, apart: bool = False) -> Iterator[float]:
        """Take a turn to copy or compare for the block; else tell in how many seconds to ask again (`WritePacing`)."""
        if self.pacing is None:
            yield 0.0
            return
        with self.pacing.turn(namespace.deployment, apart=apart) as wait:
            yield wait


@dataclass(frozen=True, slots=True)
class ShardPipeline:
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
    def passive_shards(self) -> range:
        """The shards of the other side that are looked through for it: each is of exactly one pipeline, also where both
        sides have different numbers of shards."""
        return range(self.shard, self.passive.ring, self.origin.ring)

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
        return sorted(name for name, converter in self.converters.items() if converter.target_types)

    def carries(self, change: Change) -> bool:
        """Tell whether an entry of the feed is of a resource that has a counterpart on the other side."""
        converter = self.converters.get(change.type)
        beats = change.operation is FeedOperation.BEAT
        return not beats and converter is not None and bool(converter.target_types)


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


def pipeline_of(
    ports: PipelinePorts, record: UpgradeRecord, direction: Direction, shard: int
) -> ShardPipeline:
    """Put a pipeline together."""
    origin, passive = ends(record, direction)
    converters = ports.conversions.converters(record, direction)
    return ShardPipeline(record, ShardKey(record.id, direction, shard), origin, passive, converters)


def replication_token_of(pipeline: ShardPipeline, fence: FenceState) -> ReplicationToken:
    """Ask for the right to write the passive namespace, as the fence of its database stands.

    Raises: Stale (`direction-changed`) when the origin is not the active version any more.
    """
    if fence.active_version != pipeline.origin.version:
        raise DirectionChanged(
            message(
                "{deployment} serves {active_version}, not {version}: nothing flows this way now.",
                deployment=pipeline.origin.deployment,
                active_version=fence.active_version,
                version=pipeline.origin.version,
            ),
        )
    return ReplicationToken(pipeline.origin.version, fence.epoch)


def fresh_replication_token(ports: PipelinePorts, pipeline: ShardPipeline) -> ReplicationToken:
    """Read the fence of the passive side and ask for the right to write it.

    Raises: Stale (`direction-changed`).
    """
    return replication_token_of(pipeline, ports.fence.state(FenceLocation.of(pipeline.passive)))


def position_of(
    ports: PipelinePorts, pipeline: ShardPipeline, follower: str | None = None
) -> Position | None:
    """Tell where the pipeline's cursor stands, or None before it was registered.

    A follower that was removed has a position still, which says nothing: after a restore it is the beginning of the
    feed. What reads from it finds changes each time, and can never move it past them.

    Raises: ReplicatorExpired.
    """
    for cursor in ports.feed.cursors(pipeline.origin, follower or pipeline.follower):
        if cursor.shard == pipeline.shard:
            if cursor.dead:
                raise replicator_expired(cursor.follower)
            return cursor.position
    return None


def live_positions(ports: PipelinePorts, origin: Namespace, follower: str) -> dict[int, Position]:
    """Tell where a follower stands in each shard in which it was not removed."""
    return {
        cursor.shard: cursor.position for cursor in ports.feed.cursors(origin, follower) if not cursor.dead
    }
