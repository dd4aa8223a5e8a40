"""What is set up before an upgrade copies, kept up while it follows, and taken down when it ends."""

from __future__ import annotations

from migrations_app.domain.resources.shards import shard_of
from migrations_app.engine.sync.lane import (
    Lane,
    Yard,
    ends,
    follower_name,
    fresh_warrant,
    lane_of,
    parity_follower,
)
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.failpoints import reach
from migrations_app.ports.fence import Mode, Site
from migrations_app.ports.stored import Removal, Tombstone
from migrations_app.ports.upgrades import Direction, Kind, UpgradeRecord

TOMBSTONES = 1000


def prepared(yard: Yard, record: UpgradeRecord) -> bool:
    """Tell whether every shard is followed: the last thing `prepare` does."""
    cursors = yard.feed.cursors(record.source, follower_name(record.id, Direction.FORWARD))
    return len(cursors) == record.ring


def prepare(yard: Yard, record: UpgradeRecord) -> None:
    """Set the target up and turn capture on.

    The target is a place of this upgrade's own: it is never dropped here, since a director that was stopped
    beyond its lease would drop what was copied meanwhile.
    Once: may be repeated at any point, and late; nothing is copied before the last of it is done.
    Raises: Conflict (`target-active`) when the target is what the deployment serves.
    """
    if record.kind is Kind.DATA:
        yard.store.prepare(record.source, yard.conversions.layouts(record, Direction.FORWARD))
        _register(yard, record, Direction.FORWARD)
        return
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
    shards = range(record.ring)
    if record.enable_downgrade_sync:
        # Entries after the flip must be there still when somebody begins to follow back.
        _register(yard, record, Direction.REVERSE)
    reach("prepare.after")
    head = yard.feed.head(record.source)
    _bring_tombstones(yard, lane_of(yard, record, Direction.FORWARD, 0))
    follower = follower_name(record.id, Direction.FORWARD)
    yard.feed.register(record.source, follower, dict.fromkeys(shards, head))


def _bring_tombstones(yard: Yard, lane: Lane) -> None:
    """Let the target know at which revisions names were deleted before anybody followed.

    What is created there under such a name goes on from that revision. Else it would begin anew, and the source,
    which knows the deletion, would take it for older on the way back. A name that a document decided is left out.
    """
    warrant = fresh_warrant(yard, lane)
    for type_ in lane.types:
        after = ""
        while page := yard.store.tombstones(lane.origin, type_, after, TOMBSTONES):
            removals = {found.name: found for each in page if (found := _removal(lane, each)) is not None}
            yard.store.apply(lane.passive, list(removals.values()), warrant)
            after = page[-1].name


def _removal(lane: Lane, grave: Tombstone) -> Removal | None:
    converter = lane.converters[grave.type]
    name = converter.name(grave.name)
    if name is None or converter.target_type is None:
        return None
    return Removal(
        converter.target_type, name, grave.uid, grave.revision, shard_of(grave.name, lane.origin.ring)
    )


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
        for follower in (follower_name(record.id, direction), parity_follower(record.id, direction)):
            try:
                yard.feed.forget(origin, follower)
            except Missing:
                # It was planned only: there is no namespace yet, and nobody to forget.
                continue
