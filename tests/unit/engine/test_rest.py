"""Keys at rest come up so seldom that many of them cost together as much as a few."""

from __future__ import annotations

import pytest

from migrations_app.engine.controller import REST_SECONDS, Rest
from migrations_app.kernel.clock import HeldClock


@pytest.mark.parametrize(
    ("count", "shortest", "longest"), [(1, 480, 600), (300, 480, 600), (10_000, 16_000, 20_000)]
)
def test_the_more_keys_rest_the_longer_each_does(count: int, shortest: float, longest: float) -> None:
    rest = Rest(lambda: count, HeldClock())
    rests = [rest.after(f"key {number}").after_seconds for number in range(count)]
    assert min(rests) >= shortest
    assert max(rests) <= longest
    assert sum(1 / each for each in rests) <= max(0.6, count / (0.8 * REST_SECONDS))


def test_the_keys_are_counted_anew_after_a_minute() -> None:
    counts, clock = [10, 10_000], HeldClock()
    rest = Rest(lambda: counts.pop(0), clock)
    assert rest.after("one").after_seconds <= 600
    clock.advance(59)
    assert rest.after("one").after_seconds <= 600
    clock.advance(2)
    assert rest.after("one").after_seconds >= 16_000
