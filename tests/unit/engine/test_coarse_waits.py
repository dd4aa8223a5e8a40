"""Keys that wait for long are woken together, a little later than they are due and never before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from migrations_app.engine.controller import WHOLE_SECONDS, at_whole
from migrations_app.engine.worker import coarse
from migrations_app.kernel.clock import HeldClock

MOMENTS = st.floats(min_value=0.0, max_value=1e7)


@given(MOMENTS, st.floats(min_value=0.0, max_value=4.99))
def test_a_short_wait_is_kept_as_it_is(at: float, seconds: float) -> None:
    assert coarse(at, seconds) == at


@given(MOMENTS, st.floats(min_value=5.0, max_value=1e5))
def test_a_long_wait_ends_late_by_a_sixth_of_it_at_most(at: float, seconds: float) -> None:
    late = coarse(at, seconds) - at
    assert 0.0 <= late <= max(1.0, min(5.0, seconds / 6)) + 1e-6


def test_what_is_due_within_five_seconds_of_one_another_after_a_minute_is_woken_at_a_few_moments() -> None:
    assert len({coarse(1000.0 + 0.1 * number, 60.0) for number in range(240)}) == 6


@given(st.integers(0, 10**6), st.sampled_from([5.0, 15.0, 60.0, 75.0, 90.0]))
def test_looks_that_are_repeated_meet_at_whole_moments_and_are_never_later(
    tenths: int, seconds: float
) -> None:
    clock = HeldClock()
    clock.advance(tenths / 10)
    wait = at_whole(seconds, clock)
    assert seconds - WHOLE_SECONDS < wait <= seconds
    clock.advance(wait)
    assert round(clock.now().timestamp(), 3) % WHOLE_SECONDS == 0
    assert round(at_whole(seconds, clock), 3) == seconds
