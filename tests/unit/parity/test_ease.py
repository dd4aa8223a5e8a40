"""Proving keeps to its share of the time."""

from __future__ import annotations

from migrations_app.engine.parity.duty_cycle import DutyCycle
from migrations_app.kernel.clock import HeldClock


def test_a_fifth_of_the_time_is_worked_and_the_rest_is_rested() -> None:
    clock = HeldClock()
    ease = DutyCycle(0.2, clock)
    assert not ease.rests
    began = clock.monotonic()
    clock.advance(1.0)
    ease.worked(began)
    clock.advance(3.75)
    assert ease.rests
    clock.advance(0.5)
    assert not ease.rests


def test_two_that_work_at_once_rest_for_both() -> None:
    clock = HeldClock()
    ease = DutyCycle(0.5, clock)
    clock.advance(1.0)
    ease.worked(0.0)
    ease.worked(0.0)
    clock.advance(1.75)
    assert ease.rests
    clock.advance(0.25)
    assert not ease.rests


def test_with_the_whole_of_the_time_nothing_rests() -> None:
    clock = HeldClock()
    ease = DutyCycle(1.0, clock)
    clock.advance(9.0)
    ease.worked(0.0)
    assert not ease.rests
