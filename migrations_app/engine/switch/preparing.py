"""What is set up before an upgrade copies, kept up while it follows, and taken down when it ends."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease, WorkClass
from migrations_app.engine.switch.tombstones import bring_tombstones, release
from migrations_app.engine.sync.prepared_namespaces import refuse_missing
from migrations_app.engine.sync.resting_shards import FIRST
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ends,
    follower_name,
    parity_follower,
    pipeline_of,
    tombstone_follower,
)
from migrations_app.kernel.errors import Conflict, Missing, NamespaceMissing
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.messages import message
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.locks import WokenKey
from migrations_app.ports.upgrades import Direction, TimelineEntry, UpgradeKind, UpgradeRecord


def prepared(ports: PipelinePorts, record: UpgradeRecord) -> bool:
    """Tell whether every shard is followed and nothing is held for tombstones: the last things `prepare` does."""
    try:
        followers = Counter(cursor.follower for cursor in ports.feed.cursors(record.source))
    except NamespaceMissing:
        refuse_missing(ports.places, ports.store, record.source)
        raise
    return (
        followers[follower_name(record.id, Direction.FORWARD)] == record.source.ring
        and tombstone_follower(record.id) not in followers
    )


def _other_fence(state: FenceState) -> Conflict:
    values = {"database": state.site.database, "mode": state.mode.value, "version": state.active_version}
    return Conflict(
        message("The fence in {database} is {mode} for {version}.", **values), code="target-active"
    )


def prepare(
    ports: PipelinePorts,
    record: UpgradeRecord,
    budget: Budget,
    lease: Lease,
    began_at: datetime | None = None,
) -> bool:
    """Set the target up and turn capture on; false when the budget was spent first, and there is more to do.

    `began_at` is when the first slice of it began, which is noted with the end.
    The target is a place of this upgrade's own: it is never dropped here, since a director that was stopped
    beyond its lease would drop what was copied meanwhile.
    Once: may be repeated at any point, and late; nothing is copied before the last of it is done.
    Raises: Conflict (`target-active`) when the target is what the deployment serves · Stale when a later director
    was here · DataMissing when one of them stood already, and is not in the database that this process reaches.
    """
    began_at = began_at or ports.clock.now()
    refuse_missing(ports.places, ports.store, record.source, record.target)
    if record.kind is UpgradeKind.DATA:
        ports.store.prepare(record.source, ports.conversions.layouts(record, Direction.FORWARD))
        _register(ports, record, Direction.FORWARD)
        _note(ports, record, 0, began_at)
        return True
    site, far = FenceLocation.of(record.source), FenceLocation.of(record.target)
    state = ports.fence.open_first(site, record.source.version)
    if site == far and state.active_version == record.target.version:
        raise Conflict(
            message("{version} is active already.", version=record.target.version), code="target-active"
        )
    if site != far:
        shut = ports.fence.open_first(far, record.source.version, mode=Mode.CLOSED)
        if shut.mode is not Mode.CLOSED or shut.active_version != record.source.version:
            raise _other_fence(shut)
    reach("prepare.before")
    ports.store.prepare(record.source, ports.conversions.layouts(record, Direction.FORWARD))
    ports.store.prepare(record.target, ports.conversions.layouts(record, Direction.REVERSE))
    if record.enable_downgrade_sync:
        # Entries after the flip must be there still when a worker begins to follow back.
        _register(ports, record, Direction.REVERSE)
    ports.places.note_prepared(record.source, record.target)
    reach("prepare.after")
    pipeline = pipeline_of(ports, record, Direction.FORWARD, 0)
    brought = bring_tombstones(ports, pipeline, budget, lease.epoch)
    if brought is None:
        return False
    positions, count = brought
    ports.feed.register(record.source, pipeline.follower, positions)
    release(ports, pipeline)
    _note(ports, record, count, began_at)
    return True


def _note(ports: PipelinePorts, record: UpgradeRecord, tombstones: int, began_at: datetime) -> None:
    words = message("{version} was prepared; capture is on.", version=record.target_version)
    if tombstones:
        words += message("Names that were deleted before: {count}.", count=f"{tombstones:,}")
    ports.upgrades.note(record.id, TimelineEntry("prepared", words, {"began_at": began_at.isoformat()}))


def _register(ports: PipelinePorts, record: UpgradeRecord, direction: Direction) -> None:
    origin, _ = ends(record, direction)
    head = ports.feed.head(origin)
    for follower in (follower_name(record.id, direction), parity_follower(record.id, direction)):
        ports.feed.register(origin, follower, dict.fromkeys(range(origin.ring), head))


def beat(ports: PipelinePorts, record: UpgradeRecord, direction: Direction) -> None:
    """Send one pulse through the whole pipe, that lag is measured by."""
    origin, _ = ends(record, direction)
    ports.feed.beat(origin, "pulse")
    if ports.dispatch is not None and record.state is not State.SYNCING:
        # Shards at rest ask for changes seldom; the pulse would grow old, and the lag that is shown with it.
        ports.dispatch.poke_all(
            [WokenKey("sync", str(ShardKey(record.id, direction, FIRST)), WorkClass.CATCH_UP)]
        )


def keep_rollback(ports: PipelinePorts, record: UpgradeRecord) -> None:
    """After the switch: show what the fence says, and keep the other direction followed."""
    state = ports.fence.state(FenceLocation.of(record.target))
    ports.upgrades.publish(record.target, state.epoch)
    if record.enable_downgrade_sync:
        beat(ports, record, Direction.REVERSE)


def close(ports: PipelinePorts, record: UpgradeRecord) -> None:
    """End following in both directions; entries are no longer kept for it."""
    for direction in Direction:
        origin, _ = ends(record, direction)
        for follower in (
            follower_name(record.id, direction),
            parity_follower(record.id, direction),
            tombstone_follower(record.id),
        ):
            try:
                ports.feed.forget(origin, follower)
            except Missing:
                # It was planned only: there is no namespace yet, and no follower to forget.
                continue
