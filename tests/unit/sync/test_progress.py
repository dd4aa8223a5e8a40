"""Rates, estimates and backoff, in exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from migrations_app.domain.sync import (
    Estimate,
    Meter,
    estimate,
    latest_per_key,
    losing,
    next_attempt_seconds,
)
from migrations_app.kernel.messages import message


@dataclass(frozen=True)
class Change:
    type: str
    name: str
    revision: int
    order: int


def test_a_fresh_meter_takes_the_first_rate_whole() -> None:
    assert Meter().observe(500, 2.0).rate == pytest.approx(250.0)


def test_a_meter_forgets_what_is_older_than_its_memory() -> None:
    meter = Meter().observe(1000, 1.0)
    for _ in range(60):
        meter = meter.observe(100, 1.0)
    assert meter.rate == pytest.approx(100.0, rel=0.01)
    assert meter.spread == pytest.approx(0.0, abs=20.0)


def test_an_observation_without_duration_changes_nothing() -> None:
    meter = Meter().observe(10, 1.0)
    assert meter.observe(10, 0.0) is meter


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"copied": 5, "total": 1000, "rate_per_second": 10.0},
            Estimate(reason=message("It is too early to estimate the time left.")),
        ),
        ({"copied": 500, "total": 1000, "rate_per_second": 100.0}, Estimate(5.0, 5.0)),
        (
            {"copied": 500, "total": 1000, "rate_per_second": 100.0, "spread_per_second": 25.0},
            Estimate(4.0, 500 / 75),
        ),
        (
            {"copied": 500, "total": 1000, "rate_per_second": 100.0, "spread_per_second": 80.0},
            Estimate(reason=message("It is too early to estimate the time left.")),
        ),
        ({"copied": 1000, "total": 1000, "rate_per_second": 0.0}, Estimate(0.0, 0.0)),
        (
            {"copied": 0, "total": 0, "rate_per_second": 0.0, "uncounted": 16},
            Estimate(reason=message("It is too early to estimate the time left.")),
        ),
        (
            {"copied": 500, "total": 1000, "rate_per_second": 0.0},
            Estimate(reason=message("Nothing is copied now.")),
        ),
        (
            {"copied": 500, "total": 1000, "rate_per_second": 9.0, "throttled": "commits take 80 ms"},
            Estimate(
                reason=message("The copy is throttled:") + message("{reason}.", reason="commits take 80 ms")
            ),
        ),
        (
            {
                "copied": 500,
                "total": 1000,
                "rate_per_second": 9.0,
                "writes_per_second": 900.0,
                "follow_per_second": 700.0,
            },
            Estimate(
                reason=message(
                    "The lag grows now: {writes} writes/s come in, {replicated}/s are replicated.",
                    writes=900,
                    replicated=700,
                )
            ),
        ),
        (
            {
                "copied": 500,
                "total": 1000,
                "rate_per_second": 9.0,
                "writes_per_second": None,
                "follow_per_second": 53.0,
            },
            Estimate(
                reason=message("The lag grows now: {replicated} writes/s are replicated.", replicated=53)
            ),
        ),
    ],
)
def test_an_estimate_is_a_range_or_a_reason(arguments: dict[str, Any], expected: Estimate) -> None:
    assert estimate(**arguments) == expected


@pytest.mark.parametrize(
    ("lags", "told"),
    [
        ([(0, 20.0), (20, 30.0), (40, 40.0)], (1200.0, 600.0)),
        ([(0, 20.0), (20, 40.0), (40, 59.0)], (None, 600.0)),
        ([(0, 20.0), (20, 19.0), (40, 40.0)], None),
        ([(0, 1.0), (40, 21.0)], None),
        ([(0, 40.0), (10, 50.0)], None),
        ([(0, 40.0), (40, 41.0)], None),
        ([(40, 90.0)], None),
    ],
    ids=["loses", "stalls", "wavers", "short lag", "short span", "hardly grows", "one sample"],
)
def test_following_that_loses_against_the_writers_is_seen(
    lags: list[tuple[float, float]], told: tuple[float | None, float] | None
) -> None:
    assert losing(lags, 600.0) == told


def test_only_the_newest_change_of_a_key_is_kept_whatever_the_order() -> None:
    changes = [
        Change("Queue", "a", 3, 0),
        Change("Queue", "b", 1, 1),
        Change("Queue", "a", 2, 2),
        Change("Task", "a", 1, 3),
        Change("Queue", "b", 2, 4),
    ]
    assert [change.order for change in latest_per_key(changes)] == [0, 4, 3]


def test_attempts_wait_longer_and_never_more_than_five_minutes() -> None:
    assert [next_attempt_seconds(n) for n in (0, 1, 2, 3, 9, 10, 99)] == [0, 1, 2, 4, 256, 300, 300]
