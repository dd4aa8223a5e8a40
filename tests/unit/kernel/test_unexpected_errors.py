"""Errors that were not expected are counted each time, and logged with their traceback once in a while."""

from __future__ import annotations

import logging

import pytest

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.unexpected_errors import LOGGED_EVERY_SECONDS, MOST_KINDS, UnexpectedErrors


class _Clock:
    """A clock that a test sets."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def _raise(errors: UnexpectedErrors, place: str, error: Exception) -> None:
    try:
        raise error
    except Exception:
        errors.note(place)


def test_each_is_counted_and_one_of_a_kind_is_logged_until_the_minute_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = _Clock()
    errors = UnexpectedErrors(clock)
    for _ in range(3):
        _raise(errors, "backfill", ValueError("no"))
    _raise(errors, "backfill", KeyError("id"))
    _raise(errors, "catch-up", ValueError("no"))
    assert errors.counts() == {
        ("backfill", "ValueError"): 3,
        ("backfill", "KeyError"): 1,
        ("catch-up", "ValueError"): 1,
    }
    assert errors.total() == 5
    records = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage() for record in records] == [
        "backfill goes on without what raised ValueError",
        "backfill goes on without what raised KeyError",
        "catch-up goes on without what raised ValueError",
    ]
    assert all(record.exc_info for record in records)

    caplog.clear()
    clock.seconds = LOGGED_EVERY_SECONDS
    _raise(errors, "backfill", ValueError("no"))
    assert len(caplog.records) == 1


def test_a_refusal_is_no_unexpected_error_nor_is_a_call_without_an_error() -> None:
    errors = UnexpectedErrors()
    _raise(errors, "backfill", Invalid("The key is missing.", code="document"))
    errors.note("backfill")
    assert errors.counts() == {}


def test_classes_that_a_hook_makes_do_not_fill_the_memory() -> None:
    errors = UnexpectedErrors()
    for number in range(MOST_KINDS + 5):
        _raise(errors, "backfill", type(f"Error{number}", (Exception,), {})())
    assert len(errors.counts()) == MOST_KINDS + 1
    assert errors.counts()["backfill", "other"] == 5
