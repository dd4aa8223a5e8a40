"""Reverse replication that is switched on after the switch: what was deleted and what exists cross first, then changes.

The old version's data are those of the switch then. So it is prepared as an upgrade is, in the other direction: the
names deleted since go across, every shard is copied, and what is written meanwhile is followed.
"""

from __future__ import annotations

from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.switch.tombstones import bring_tombstones, release
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, parity_follower, pipeline_of
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.messages import message
from migrations_app.ports.upgrades import Direction, TimelineEntry, UpgradeRecord


def begun(ports: PipelinePorts, record: UpgradeRecord) -> bool:
    """Tell whether every shard is followed back, and what is compared has a beginning: the last thing `begin` does."""
    cursors = ports.feed.cursors(record.target, parity_follower(record.id, Direction.REVERSE))
    return len(cursors) == record.ring_of(Direction.REVERSE)


def begin(ports: PipelinePorts, record: UpgradeRecord, budget: Budget, lease: Lease) -> bool:
    """Have every shard followed back; false when the budget was spent first, and there is more to do.

    Once: may be repeated at any point. A rollback that was given up may have left cursors; they stand before.
    Raises: Stale when a later director was here, or the deployment serves another version.
    """
    pipeline = pipeline_of(ports, record, Direction.REVERSE, 0)
    brought = bring_tombstones(ports, pipeline, budget, lease.epoch)
    if brought is None:
        return False
    positions, count = brought
    ports.feed.register(record.target, pipeline.follower, positions)
    reach("late-reverse.registered")
    ports.feed.register(record.target, parity_follower(record.id, Direction.REVERSE), positions)
    release(ports, pipeline)
    words = message(
        "{old} is copied again from {new}, and then kept current.",
        old=record.source_version,
        new=record.target_version,
    )
    if count:
        words += message("Names that were deleted before: {count}.", count=f"{count:,}")
    ports.upgrades.note(record.id, TimelineEntry("reverse-replication", words))
    return True
