"""The progress of an upgrade from the rows of its shards, as it is known now."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime

from migrations_app.domain.switch.progress import (
    ShardFacts,
    UpgradeProgress,
    shard_as_of,
)
from migrations_app.domain.switch.states import ShardState, State
from migrations_app.kernel.json import JsonObject
from migrations_app.models.upgrades import Upgrade, UpgradeShard

REPORTING = frozenset({State.SYNCING, State.READY, State.SWITCHING, State.REVERTING})
"""States in which every shard that has begun is expected to report."""


def known_shards(
    row: Upgrade, shards: Sequence[UpgradeShard], now: datetime
) -> tuple[list[UpgradeShard], list[ShardFacts]]:
    """Tell what is known now: the lag of a shard that does not report grows, and its state becomes unknown."""
    facts = [_facts(shard) for shard in shards]
    if not is_reporting(row):
        return list(shards), facts
    known = [shard_as_of(each, now) for each in facts]
    shown: list[UpgradeShard] = []
    for shard, each in zip(shards, known, strict=True):
        shard = copy(shard)
        shard.state, shard.lag_seconds = each.state.value, each.lag_seconds
        shard.rate_per_second = each.rate_per_second
        shown.append(shard)
    return shown, known


def is_reporting(row: Upgrade) -> bool:
    """Tell whether the shards of an upgrade are expected to report now."""
    return State(row.state) in REPORTING and not row.paused and row.started_at is not None


def progress_as_json(progress: UpgradeProgress) -> JsonObject:
    """Give the progress as the API shows it."""
    eta: JsonObject | None = None
    if progress.eta.low_seconds is not None and progress.eta.high_seconds is not None:
        eta = {"low_seconds": progress.eta.low_seconds, "high_seconds": progress.eta.high_seconds}
    reported = progress.reported_at
    return {
        "copied": progress.copied,
        "total": progress.total,
        "total_is_minimum": progress.total_is_minimum,
        "percent": progress.percent,
        "rate_per_second": progress.rate_per_second,
        "eta": eta,
        "eta_reason": progress.eta.reason,
        "lag_seconds": progress.lag_seconds,
        "unknown_shards": progress.unknown,
        "oldest_report_at": reported.isoformat().replace("+00:00", "Z") if reported else None,
    }


def _facts(shard: UpgradeShard) -> ShardFacts:
    # A row stands for a shard that was counted: it is made when all are counted, or by the first report.
    return ShardFacts(
        shard=shard.shard,
        state=ShardState(shard.state),
        copied=shard.copied,
        total=shard.total,
        lag_seconds=shard.lag_seconds,
        rate_per_second=shard.rate_per_second,
        throttled=shard.throttled,
        reported_at=shard.reported_at,
    )
