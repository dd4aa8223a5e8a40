"""The pace of copying and comparing settles where writes are hardly slowed, and never falls to nothing."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.sync.write_latency import LatencyCounts, latency_class, sum_latencies
from migrations_app.domain.sync.write_pace import BEGIN, FULL, LEAST, WriteBound, next_pace, threads_at

CALM = 0.010
BOUND = WriteBound(1.25)


def counts(*seconds: float) -> LatencyCounts:
    return sum_latencies(LatencyCounts({latency_class(each): 1}) for each in seconds)


@given(st.lists(st.floats(0.0001, 100), min_size=20, max_size=200))
def test_the_percentile_of_classes_is_at_most_a_twentieth_above_that_of_the_writes(took: list[float]) -> None:
    exact = sorted(took)[len(took) - 1 - len(took) // 20]
    found = counts(*took).p95_seconds
    assert exact * 0.999 <= found <= exact * 1.051


def test_five_slow_writes_of_a_hundred_do_not_count_and_six_do() -> None:
    for slow, expected in ((5, 0.001), (6, 1.0)):
        found = sum_latencies(
            [LatencyCounts({latency_class(1.0): slow}), LatencyCounts({latency_class(0.001): 100 - slow})]
        )
        assert found.writes == 100
        assert found.p95_seconds == pytest.approx(expected, rel=0.05)
    assert LatencyCounts({}).p95_seconds == 0.0


def paces(slowing: float, steps: int = 60, pace: float = BEGIN) -> list[float]:
    """Go by writes that each working thread slows by a share of what they take in calm."""
    found = []
    for _ in range(steps):
        pace = next_pace(pace, CALM * (1 + slowing * pace), CALM, BOUND)
        found.append(pace)
    return found


@given(st.floats(0.0, 50.0), st.floats(LEAST, FULL))
def test_it_settles_at_what_writes_stand(slowing: float, begin: float) -> None:
    settled = paces(slowing, pace=begin)[-20:]
    stands = FULL if slowing * FULL <= 0.25 else max(LEAST, 0.25 / slowing)
    assert min(settled) >= LEAST
    assert max(settled) <= FULL
    # It tries a quarter more each time, and takes that back.
    assert stands * 0.79 <= statistics.mean(settled) <= stands * 1.26
    assert all(stands * 0.79 <= pace <= stands * 1.26 for pace in settled)


@given(st.lists(st.floats(0.0001, 100.0), max_size=50), st.floats(0.0001, 1.0))
def test_it_never_starves_whatever_is_measured(measured: list[float], calm: float) -> None:
    pace = BEGIN
    for p95 in measured:
        before, pace = pace, next_pace(pace, p95, calm, BOUND)
        assert LEAST <= pace <= FULL
        assert threads_at(pace) >= 1
        slow = p95 > max(calm * 1.25, calm + 0.001)
        assert pace <= before if slow else pace >= before


def test_it_is_at_full_speed_again_when_writes_are_fast_again() -> None:
    slow = paces(50.0)
    assert slow[-1] == LEAST
    assert paces(0.0, pace=slow[-1]).index(FULL) == 7


def test_less_than_a_millisecond_is_no_slowing() -> None:
    assert BOUND.seconds(0.002) == pytest.approx(0.003)
    assert next_pace(1.0, 0.0029, 0.002, BOUND) == 1.25
    assert next_pace(1.0, 0.0040, 0.002, BOUND) == pytest.approx(0.75)
