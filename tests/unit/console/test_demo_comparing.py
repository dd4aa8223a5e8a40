"""How often the demo looks at a resource that is being written before it says that it could not compare it."""

from __future__ import annotations

import pytest

from console.demo.comparing import LOOKS, REST_SECONDS, rounds
from migrations_app.kernel.clock import HeldClock


@pytest.mark.parametrize("first_look_seconds", [0.1, 600.0])
def test_looks_go_on_for_a_minute_after_the_first_however_long_that_took(first_look_seconds: float) -> None:
    clock = HeldClock()
    looks = rounds(clock, clock.advance)
    next(looks)
    clock.advance(first_look_seconds)
    further = sum(1 for _ in looks)
    assert clock.monotonic() - first_look_seconds == pytest.approx(REST_SECONDS, abs=0.1)
    assert further in (1200, 1201)  # The sum of the pauses is not exact.


def test_looks_that_take_long_themselves_are_not_fewer_than_twenty() -> None:
    clock = HeldClock()
    looks = 0
    for _ in rounds(clock, clock.advance):
        clock.advance(30.0)
        looks += 1
    assert looks == LOOKS
