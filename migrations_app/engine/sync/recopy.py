"""Copying a shard again whose changes were deleted before they were followed, without anybody's help.

A follower that holds back more than the feed keeps is given up, and what it had not read is deleted. What it missed
cannot be told; what is there can be copied, and what is there too much is found by comparing.
"""

from __future__ import annotations

from migrations_app.engine.sync.report import report_of
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.kernel.errors import FeedTrimmed, ReplicatorExpired
from migrations_app.kernel.messages import message
from migrations_app.ports.checkpoints import Checkpoint, ShardStage
from migrations_app.ports.upgrades import TimelineEntry

LOSSES = (FeedTrimmed, ReplicatorExpired)
"""Errors that say that changes were deleted before they were followed."""


def has_lost(ports: PipelinePorts, pipeline: ShardPipeline, follower: str) -> bool:
    """Tell whether changes of this very shard are gone that a follower had still to read."""
    for cursor in ports.feed.cursors(pipeline.origin, follower):
        if cursor.shard != pipeline.shard:
            continue
        if cursor.dead:
            return True
        try:
            ports.feed.read(pipeline.origin, cursor.position, shards=[pipeline.shard], limit=1)
        except FeedTrimmed:
            return True
    return False


def copy_again(ports: PipelinePorts, pipeline: ShardPipeline, epoch: int) -> bool:
    """Have a shard copied again from its start if it has lost changes; tell whether it had.

    The checkpoint goes first: were the cursor moved before it, a worker that died in between would leave a shard
    behind that looks caught up and is not. The copy begins only after the cursor stands, in the next slice.

    Once: repeated, it says so and begins the copy once more; a cursor that lives is never moved.
    Raises: Stale when another worker was here.
    """
    if not has_lost(ports, pipeline, pipeline.follower):
        return False
    before = ports.checkpoints.load(pipeline.key)
    saved = ports.checkpoints.save(unbegun(before), epoch)
    ports.checkpoints.void_proof(pipeline.key)
    words = message(
        "Shard {shard} is copied again: its changes were deleted from the change feed before they were followed. It"
        " counts as neither caught up nor compared until that is done.",
        shard=pipeline.shard,
    )
    ports.upgrades.note(
        pipeline.record.id, TimelineEntry("shard-copied-again", words, {"shard": pipeline.shard})
    )
    ports.feed.restart(pipeline.origin, pipeline.follower, [pipeline.shard])
    ports.upgrades.report_shard(pipeline.record.id, report_of(saved, [], before.level))
    return True


def unbegun(checkpoint: Checkpoint) -> Checkpoint:
    """Give the checkpoint of a shard that is to be copied from its start, in either direction."""
    return checkpoint.moved(
        stage=ShardStage.BACKFILL,
        type="",
        name="",
        upper=None,
        copied=0,
        total=0,
        level=False,
        lag_seconds=None,
        throttled="",
        error="",
    )
