"""What a shard tells about itself, and when it counts as ready."""

from __future__ import annotations

from migrations_app.ports.checkpoints import Checkpoint, QuarantinedResource, QuarantineState, ShardStage
from migrations_app.ports.upgrades import Direction, ShardReport, ShardState

READY_LAG_SECONDS = 5.0
"""A level shard stays ready while its lag is below this."""


def readiness(checkpoint: Checkpoint, level_now: bool) -> bool:
    """Tell whether a shard is level: it was at the end of the feed just now, or lately enough."""
    if checkpoint.stage is not ShardStage.FOLLOW:
        return False
    if level_now:
        return True
    lag = checkpoint.lag_seconds
    return checkpoint.level and lag is not None and lag <= READY_LAG_SECONDS


def report_of(checkpoint: Checkpoint, quarantined: list[QuarantinedResource], was_level: bool) -> ShardReport:
    """Turn a checkpoint into the report the shard lists are made of."""
    waiting = [
        one for one in quarantined if one.state not in (QuarantineState.WAIVED, QuarantineState.HIDDEN)
    ]
    if checkpoint.error:
        state = ShardState.FAILED
    elif checkpoint.level:
        state = ShardState.SWITCHED if checkpoint.key.direction is Direction.REVERSE else ShardState.READY
    elif was_level:
        state = ShardState.REGRESSED
    elif checkpoint.stage is ShardStage.PREPARE:
        state = ShardState.PENDING
    else:
        state = ShardState.SYNCING
    return ShardReport(
        shard=checkpoint.key.shard,
        state=state,
        stage=checkpoint.stage.value,
        copied=checkpoint.copied,
        total=checkpoint.total,
        applied=checkpoint.applied,
        failed=len(waiting),
        lag_seconds=checkpoint.lag_seconds,
        rate_per_second=checkpoint.rate_per_second,
        error=checkpoint.error or (waiting[0].error if waiting else ""),
        throttled=checkpoint.throttled,
    )
