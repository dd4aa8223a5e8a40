"""How long a copy will still take, as a range, or why that is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from migrations_app.domain.sync.throttle_reasons import read_rest
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

HIDDEN_BELOW = 0.01
WIDEST = 0.75
"""With a spread of this share of the rate, the longer time is seven times the shorter; beyond that nothing is known."""
LOSING_LAG_SECONDS = 30.0
LOSING_SPAN_SECONDS = 20.0
LOSING_SLOPE = 0.1
"""A lag that is long, and has grown by a tenth of the time that passed, will not end by itself."""
STALLED_SLOPE = 0.9
"""Where the lag grows nearly as fast as time passes, hardly anything goes across: what comes in does not follow from it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A range of seconds, or a reason why there is none."""

    low_seconds: float | None = None
    high_seconds: float | None = None
    reason: WordedMessage = NOTHING


def estimate(
    copied: int,
    total: int,
    rate_per_second: float,
    spread_per_second: float = 0.0,
    *,
    writes_per_second: float | None = 0.0,
    follow_per_second: float | None = None,
    throttled: str = "",
    uncounted: int = 0,
) -> Estimate:
    """Estimate the time to the end of the copy.

    `follow_per_second` is what following can do at most, if it was ever seen under load, and `writes_per_second` is None
    where it is too little for more than is known; `uncounted` are the shards of which it is not known yet how much they
    hold.
    """
    remaining = max(0, total - copied)
    if follow_per_second is not None and writes_per_second is None:
        return Estimate(
            reason=message(
                "The lag grows now: {replicated} writes/s are replicated.",
                replicated=round(follow_per_second),
            )
        )
    if follow_per_second is not None and (writes_per_second or 0.0) > follow_per_second:
        return Estimate(
            reason=message(
                "The lag grows now: {writes} writes/s come in, {replicated}/s are replicated.",
                writes=round(writes_per_second or 0.0),
                replicated=round(follow_per_second),
            )
        )
    if uncounted:
        return Estimate(reason=message("It is too early to estimate the time left."))
    if remaining == 0:
        return Estimate(0.0, 0.0)
    if throttled:
        return Estimate(reason=message("The copy is throttled:") + read_rest(throttled).words)
    if copied < total * HIDDEN_BELOW:
        return Estimate(reason=message("It is too early to estimate the time left."))
    if rate_per_second <= 0:
        return Estimate(reason=message("Nothing is copied now."))
    if spread_per_second > WIDEST * rate_per_second:
        return Estimate(reason=message("It is too early to estimate the time left."))
    fast, slow = rate_per_second + spread_per_second, rate_per_second - spread_per_second
    return Estimate(remaining / fast, remaining / slow)


def losing(lags: Sequence[tuple[float, float]], rate_per_second: float) -> tuple[float | None, float] | None:
    """Tell how many changes a second come in (None: unknown) and go across, if following loses against the writers.

    `lags` are (time, lag) in seconds, oldest first; `rate_per_second` is what goes across now.
    """
    if len(lags) < 2:
        return None
    (first_at, first), (last_at, last) = lags[0], lags[-1]
    span = last_at - first_at
    if span < LOSING_SPAN_SECONDS or last < LOSING_LAG_SECONDS:
        return None
    slope = (last - first) / span
    if slope < LOSING_SLOPE or any(lag < first for _, lag in lags):
        return None
    # With a lag that grows by s seconds a second, only 1 - s of what comes in goes across.
    return (None if slope > STALLED_SLOPE else rate_per_second / (1.0 - slope)), rate_per_second
