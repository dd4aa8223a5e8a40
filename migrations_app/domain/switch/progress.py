"""How far the shards of an upgrade are: the one source of every count, lag and bar that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from migrations_app.domain.switch.states import ShardState
from migrations_app.domain.sync import HELD, Estimate, estimate, losing
from migrations_app.kernel.messages import message

REPORT_LIMIT_SECONDS = 30.0
"""A shard without a report for so long is shown as unknown, whatever it reported last."""
REPORT_SECONDS = 8.0
"""So often a shard that stays caught up reports."""
LAG_LIMIT_SECONDS = 2 * REPORT_SECONDS
"""A lag of an older report has grown since. No sooner: on a busy machine a report that is due comes seconds late."""
CAUGHT_UP = frozenset({ShardState.READY, ShardState.SWITCHED})
EXPECTED_TO_REPORT = CAUGHT_UP | {ShardState.SYNCING, ShardState.REGRESSED, ShardState.SWITCHING}


@dataclass(frozen=True, slots=True)
class ShardFacts:
    """The newest report of one shard.

    Units: `total` None = not counted yet; `lag_seconds` None = not measured yet; `reported_at` None = never.
    """

    shard: int
    state: ShardState
    copied: int = 0
    total: int | None = None
    lag_seconds: float | None = None
    rate_per_second: float = 0.0
    throttled: str = ""
    reported_at: datetime | None = None


def shard_as_of(shard: ShardFacts, now: datetime) -> ShardFacts:
    """Tell what is known now of a shard that should be reporting.

    Its lag grows by the age of its report; its state and rate are unknown once the report is too old.
    """
    if shard.reported_at is None or shard.state not in EXPECTED_TO_REPORT:
        return shard
    age = max(0.0, (now - shard.reported_at).total_seconds())
    if age > LAG_LIMIT_SECONDS:
        shard = replace(shard, lag_seconds=(shard.lag_seconds or 0.0) + age)
    if age > REPORT_LIMIT_SECONDS:
        shard = replace(shard, state=ShardState.UNKNOWN, rate_per_second=0.0)
    return shard


@dataclass(frozen=True, slots=True)
class UpgradeProgress:
    """All shards of an upgrade together.

    Units: `total` is a lower bound where `total_is_minimum`; `percent` None = nothing was counted;
    `reported_at` is the oldest report of those that count, None = no shard has reported.
    """

    ready: int
    unknown: int
    copied: int
    total: int
    total_is_minimum: bool
    percent: int | None
    rate_per_second: float
    lag_seconds: float | None
    reported_at: datetime | None
    eta: Estimate


def assess_progress(
    ring: int, shards: Sequence[ShardFacts], lags: Sequence[tuple[float, float]] = ()
) -> UpgradeProgress:
    """Add up what is known of the shards; those of `ring` that are not given have not begun and were not counted.

    Shape: `lags` are (time, lag) in seconds of the last moments, oldest first; they tell whether it converges.
    """
    copied = sum(shard.copied for shard in shards)
    total = sum(max(shard.total or 0, shard.copied) for shard in shards)
    uncounted = ring - sum(shard.total is not None for shard in shards)
    ready = sum(shard.state in CAUGHT_UP for shard in shards)
    rate = sum(shard.rate_per_second for shard in shards)
    known = [shard.lag_seconds for shard in shards if shard.lag_seconds is not None]
    reports = [shard.reported_at for shard in shards if shard.reported_at is not None]
    return UpgradeProgress(
        ready=ready,
        unknown=sum(shard.state is ShardState.UNKNOWN for shard in shards),
        copied=copied,
        total=total,
        total_is_minimum=uncounted > 0,
        percent=_percent(copied, total, all_caught_up=ready == ring, is_counted=not uncounted),
        rate_per_second=rate,
        lag_seconds=max(known) if len(known) == ring else None,
        reported_at=min(reports, default=None),
        eta=_eta(copied, total, rate, uncounted, shards, lags),
    )


def _percent(copied: int, total: int, *, all_caught_up: bool, is_counted: bool) -> int | None:
    """Give whole percents; a hundred only when every shard is known to be caught up."""
    if all_caught_up:
        return 100
    if not is_counted or not total:
        return None
    return min(99, 100 * copied // total)


def _eta(
    copied: int,
    total: int,
    rate: float,
    uncounted: int,
    shards: Sequence[ShardFacts],
    lags: Sequence[tuple[float, float]],
) -> Estimate:
    if any(shard.state is ShardState.UNKNOWN for shard in shards):
        return Estimate(reason=message("Some shards do not report."))
    reasons = (shard.throttled for shard in shards if shard.throttled)
    converging = losing(lags, rate)
    slow, fast = _copy_rates(shards, rate)
    return estimate(
        copied,
        total,
        (fast + slow) / 2,
        (fast - slow) / 2,
        throttled=next((reason for reason in reasons if not reason.startswith(HELD)), ""),
        uncounted=uncounted,
        writes_per_second=converging[0] if converging else 0.0,
        follow_per_second=converging[1] if converging else None,
    )


def _copy_rates(shards: Sequence[ShardFacts], rate: float) -> tuple[float, float]:
    """Tell how fast the copy goes at least and at most, a quarter aside.

    Shards that are caught up follow live writes, at a rate that brings no end of the copy nearer; but while others have
    no rate yet, it is not known which of the two their workers did in the last seconds.
    """
    behind = [shard.rate_per_second for shard in shards if shard.state not in CAUGHT_UP]
    copying = sum(behind) or rate
    return 0.75 * copying, 1.25 * (copying if all(behind) else max(copying, rate))
