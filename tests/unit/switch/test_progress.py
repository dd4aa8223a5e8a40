"""What is shown of shards is what is known of them: laws of counts, bars and lags over any history."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.switch.progress import (
    CAUGHT_UP,
    LAG_LIMIT_SECONDS,
    REPORT_LIMIT_SECONDS,
    REPORT_SECONDS,
    ShardFacts,
    assess_progress,
    shard_as_of,
)
from migrations_app.domain.switch.states import ShardState
from migrations_app.domain.sync import Estimate
from migrations_app.kernel.messages import message

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
RING = 4


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def caught_up(shard: int, age: float = 1.0) -> ShardFacts:
    return ShardFacts(shard, ShardState.READY, 10, 10, 0.25, 5.0, "", ago(age))


shards = st.lists(
    st.builds(
        ShardFacts,
        shard=st.just(0),
        state=st.sampled_from(ShardState),
        copied=st.integers(0, 2000),
        total=st.one_of(st.none(), st.integers(0, 1000)),
        lag_seconds=st.one_of(st.none(), st.floats(0, 1e6)),
        rate_per_second=st.floats(0, 1e5),
        throttled=st.sampled_from(["", "slow commits"]),
        reported_at=st.one_of(st.none(), st.floats(-5, 1e5).map(ago)),
    ),
    max_size=RING,
).map(lambda found: [replace(shard, shard=number) for number, shard in enumerate(found)])


@given(shards)
def test_progress_never_claims_more_than_is_known(given: list[ShardFacts]) -> None:
    known = [shard_as_of(shard, NOW) for shard in given]
    progress = assess_progress(RING, known)

    assert progress.total >= progress.copied
    fresh = [
        shard
        for shard in given
        if shard.state in CAUGHT_UP
        and (shard.reported_at is None or (NOW - shard.reported_at).total_seconds() <= REPORT_LIMIT_SECONDS)
    ]
    assert progress.ready == len(fresh)
    assert (progress.percent == 100) == (progress.ready == RING)
    assert progress.total_is_minimum == (sum(shard.total is not None for shard in given) < RING)
    if progress.unknown:
        assert progress.eta.low_seconds is None
    if progress.lag_seconds is not None:
        assert progress.lag_seconds == max(shard.lag_seconds or 0.0 for shard in known)


@given(shards, st.floats(0, 1e5))
def test_time_without_reports_makes_nothing_look_better(given: list[ShardFacts], later: float) -> None:
    before = assess_progress(RING, [shard_as_of(shard, NOW) for shard in given])
    after = assess_progress(RING, [shard_as_of(shard, NOW + timedelta(seconds=later)) for shard in given])

    assert after.ready <= before.ready
    assert after.unknown >= before.unknown
    assert (after.lag_seconds or 0.0) >= (before.lag_seconds or 0.0)
    assert (after.percent or 0) <= (before.percent or 0)


@pytest.mark.parametrize(
    ("age", "state", "lag"),
    [
        (1.0, ShardState.READY, 0.25),
        (1.5 * REPORT_SECONDS, ShardState.READY, 0.25),
        (LAG_LIMIT_SECONDS, ShardState.READY, 0.25),
        (20.0, ShardState.READY, 20.25),
        (REPORT_LIMIT_SECONDS, ShardState.READY, 30.25),
        (900.0, ShardState.UNKNOWN, 900.25),
    ],
)
def test_a_shard_that_does_not_report_grows_old(age: float, state: ShardState, lag: float) -> None:
    known = shard_as_of(caught_up(0, age), NOW)

    assert (known.state, known.lag_seconds) == (state, lag)


@pytest.mark.parametrize("state", [ShardState.PENDING, ShardState.FAILED])
def test_a_shard_that_does_not_work_is_not_called_unknown(state: ShardState) -> None:
    waiting = replace(caught_up(0, 900.0), state=state)

    assert shard_as_of(waiting, NOW) == waiting


def test_the_total_is_known_before_copying_begins() -> None:
    waiting = [ShardFacts(shard, ShardState.PENDING, total=25, reported_at=NOW) for shard in range(RING)]
    progress = assess_progress(RING, waiting)

    assert (progress.copied, progress.total, progress.total_is_minimum, progress.percent) == (
        0,
        100,
        False,
        0,
    )


def test_shards_that_were_not_counted_make_the_total_a_lower_bound() -> None:
    progress = assess_progress(RING, [caught_up(0), caught_up(1)])

    assert (progress.copied, progress.total, progress.total_is_minimum, progress.percent) == (
        20,
        20,
        True,
        None,
    )


def test_a_bar_is_full_only_when_every_shard_is_caught_up() -> None:
    copied = [replace(caught_up(shard), state=ShardState.SYNCING) for shard in range(RING)]

    assert assess_progress(RING, copied).percent == 99
    assert assess_progress(RING, [caught_up(shard) for shard in range(RING)]).percent == 100
    empty = [replace(caught_up(shard), copied=0, total=0) for shard in range(RING)]
    assert assess_progress(RING, empty).percent == 100


def test_one_silent_shard_of_a_finished_copy_is_told_and_takes_the_hundred_percent_away() -> None:
    shards = [caught_up(0, 900.0), *(caught_up(shard) for shard in (1, 2, 3))]
    progress = assess_progress(RING, [shard_as_of(shard, NOW) for shard in shards])

    assert (progress.ready, progress.unknown, progress.percent) == (3, 1, 99)
    assert progress.lag_seconds == 900.25
    assert str(progress.eta.reason) == "Some shards do not report."
    assert progress.reported_at == ago(900.0)


def test_the_time_left_comes_from_shards_that_still_copy() -> None:
    following = [replace(caught_up(shard), rate_per_second=500.0) for shard in range(RING - 1)]
    copying = ShardFacts(3, ShardState.SYNCING, copied=50, total=100, rate_per_second=10.0, reported_at=NOW)
    progress = assess_progress(RING, [*following, copying])

    assert progress.rate_per_second == 500.0 * (RING - 1) + 10.0
    assert progress.eta == Estimate(50 / 12.5, 50 / 7.5)


def test_while_shards_have_no_rate_yet_the_time_left_is_a_range_or_unknown() -> None:
    begun = ShardFacts(1, ShardState.SYNCING, copied=10, total=100, rate_per_second=1.0, reported_at=NOW)
    waiting = [replace(begun, shard=shard, copied=0, rate_per_second=0.0) for shard in (2, 3)]
    slow, fast = (replace(caught_up(0), copied=100, total=100, rate_per_second=rate) for rate in (2.0, 50.0))

    known = assess_progress(RING, [slow, begun, *waiting]).eta
    assert known == Estimate(pytest.approx(290 / 3.75), pytest.approx(290 / 0.75))  # type: ignore[arg-type]
    assert assess_progress(RING, [fast, begun, *waiting]).eta == Estimate(
        reason=message("It is too early to estimate the time left.")
    )
