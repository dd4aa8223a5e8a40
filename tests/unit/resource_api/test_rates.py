"""Token buckets: a burst, then a rate, each source for itself, in bounded memory."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import Busy
from migrations_app.web.rates import MOST_SOURCES, RateLimit


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def _taken(limit: RateLimit, source: str) -> int:
    for count in range(100_000):
        try:
            limit.take(source)
        except Busy:
            return count
    raise AssertionError("no end")


def test_after_a_burst_requests_come_at_the_rate_and_sources_are_apart() -> None:
    clock = Clock()
    limit = RateLimit(600, clock)

    assert (_taken(limit, "a"), _taken(limit, "a"), _taken(limit, "b")) == (100, 0, 100)
    clock.at += 1
    assert (_taken(limit, "a"), _taken(limit, "b")) == (10, 10)
    clock.at += 3600
    assert _taken(limit, "a") == 100


def test_the_seconds_to_wait_are_enough() -> None:
    clock = Clock()
    limit = RateLimit(30, clock)
    assert _taken(limit, "a") == 5
    with pytest.raises(Busy) as refused:
        limit.take("a")
    clock.at += refused.value.retry_after_seconds + 0.001
    limit.take("a")
    assert refused.value.code == "too-many-requests"


def test_a_flood_of_sources_does_not_grow_without_bound() -> None:
    clock = Clock()
    limit = RateLimit(60, clock)
    for number in range(MOST_SOURCES * 3):
        limit.take(f"address {number}")
        clock.at += 0.0001
    assert len(limit._left) <= MOST_SOURCES
    assert _taken(limit, f"address {MOST_SOURCES * 3 - 1}") < 11
