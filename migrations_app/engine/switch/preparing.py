"""What is set up before an upgrade copies, kept up while it follows, and taken down when it ends."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.switch.tombstones import bring_tombstones, release
from migrations_app.engine.sync.lane import (
    Yard,
    ends,
    follower_name,
    lane_of,
    parity_follower,
    tombstone_follower,
)
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.fence import Mode, Site
from migrations_app.ports.upgrades import Direction, Kind, Line, UpgradeRecord


def prepared(yard: Yard, record: UpgradeRecord) -> bool:
    """Tell whether every shard is followed and nothing is held for tombstones: the last things `prepare` does."""
    followers = Counter(cursor.follower for cursor in yard.feed.cursors(record.source))
    return (
        followers[follower_name(record.id, Direction.FORWARD)] == record.ring
        and tombstone_follower(record.id) not in followers
    )


def prepare(
    yard: Yard, record: UpgradeRecord, budget: Budget, lease: Lease, began_at: datetime | None = None
) -> bool:
    """Set the target up and turn capture on; false when the budget was spent first, and there is more to do.

    `began_at` is when the first slice of it began, which is noted with the end.
    The target is a place of this upgrade's own: it is never dropped here, since a director that was stopped
    beyond its lease would drop what was copied meanwhile.
    Once: may be repeated at any point, and late; nothing is copied before the last of it is done.
    Raises: Conflict (`target-active`) when the target is what the deployment serves · Stale when a later director
    was here.
    """
    began_at = began_at or yard.clock.now()
    if record.kind is Kind.DATA:
        yard.store.prepare(record.source, yard.conversions.layouts(record, Direction.FORWARD))
        _register(yard, record, Direction.FORWARD)
        _note(yard, record, 0, began_at)
        return True
    site, far = Site.of(record.source), Site.of(record.target)
    state = yard.fence.open_first(site, record.source.version)
    if site == far and state.active_version == record.target.version:
        raise Conflict(f"{record.target.version} is active already.", code="target-active")
    if site != far:
        shut = yard.fence.open_first(far, record.source.version, mode=Mode.CLOSED)
        if shut.mode is not Mode.CLOSED or shut.active_version != record.source.version:
            raise Conflict(
                f"The fence in {far.database} is {shut.mode} for {shut.active_version}.", code="target-active"
            )
    reach("prepare.before")
    yard.store.prepare(record.source, yard.conversions.layouts(record, Direction.FORWARD))
    yard.store.prepare(record.target, yard.conversions.layouts(record, Direction.REVERSE))
    if record.enable_downgrade_sync:
        # Entries after the flip must be there still when somebody begins to follow back.
        _register(yard, record, Direction.REVERSE)
    reach("prepare.after")
    lane = lane_of(yard, record, Direction.FORWARD, 0)
    brought = bring_tombstones(yard, lane, budget, lease.epoch)
    if brought is None:
        return False
    positions, count = brought
    yard.feed.register(record.source, lane.follower, positions)
    release(yard, lane)
    _note(yard, record, count, began_at)
    return True


def _note(yard: Yard, record: UpgradeRecord, tombstones: int, began_at: datetime) -> None:
    words = f"{record.target_version} was prepared; capture is on."
    if tombstones:
        words += f" Names that were deleted before: {tombstones:,}."
    yard.upgrades.note(record.id, Line("prepared", words, {"began_at": began_at.isoformat()}))


def _register(yard: Yard, record: UpgradeRecord, direction: Direction) -> None:
    origin, _ = ends(record, direction)
    head = yard.feed.head(origin)
    for follower in (follower_name(record.id, direction), parity_follower(record.id, direction)):
        yard.feed.register(origin, follower, dict.fromkeys(range(record.ring), head))


def beat(yard: Yard, record: UpgradeRecord, direction: Direction) -> None:
    """Send one pulse through the whole pipe, that lag is measured by."""
    origin, _ = ends(record, direction)
    yard.feed.beat(origin, "pulse")


def keep_way_back(yard: Yard, record: UpgradeRecord) -> None:
    """After the switch: show what the fence says, and keep the other direction followed."""
    state = yard.fence.state(Site.of(record.target))
    yard.upgrades.publish(record.target, state.epoch)
    if record.enable_downgrade_sync:
        beat(yard, record, Direction.REVERSE)


def close(yard: Yard, record: UpgradeRecord) -> None:
    """End following in both directions; entries are no longer kept for it."""
    for direction in Direction:
        origin, _ = ends(record, direction)
        for follower in (
            follower_name(record.id, direction),
            parity_follower(record.id, direction),
            tombstone_follower(record.id),
        ):
            try:
                yard.feed.forget(origin, follower)
            except Missing:
                # It was planned only: there is no namespace yet, and nobody to forget.
                continue
