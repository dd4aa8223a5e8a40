"""Calls of hooks end, whatever the hook does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.time_limits import TimeLimiter


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """Set at the end, so that what hangs may go."""
    event = threading.Event()
    yield event
    event.set()


def answered(guard: TimeLimiter, value: int) -> int:
    """Make a call until it ends within the limit, which a slow machine may not keep at once."""
    until = time.monotonic() + 60
    while True:
        try:
            return guard.call("secrets/b", lambda: value)
        except Invalid:
            assert time.monotonic() < until, "the guard never recovered"
            time.sleep(0.01)


def test_an_answer_comes_through_and_the_thread_is_used_again() -> None:
    guard = TimeLimiter()
    first = guard.call("a", threading.get_ident)
    assert first != threading.get_ident()
    assert guard.call("b", threading.get_ident) == first


def test_an_error_comes_through_as_it_is() -> None:
    def broken() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        TimeLimiter().call("a", broken)


def test_a_hook_that_ends_the_process_ends_only_the_conversion() -> None:
    def leave() -> None:
        raise SystemExit(1)

    with pytest.raises(Invalid) as refused:
        TimeLimiter().call("secrets/a", leave)
    assert (refused.value.code, refused.value.message) == (
        "hook-raised",
        "A hook raised SystemExit on secrets/a.",
    )


def test_a_hook_that_waits_for_ever_is_left_behind(released: threading.Event) -> None:
    guard = TimeLimiter(seconds=0.05)
    with pytest.raises(Invalid) as refused:
        guard.call("secrets/a", lambda: released.wait(60))
    assert refused.value.code == "hook-hung"
    assert refused.value.message == "The conversion of secrets/a did not end within 0.05 s."
    assert answered(guard, 7) == 7


def test_a_hook_that_spins_for_ever_is_interrupted() -> None:
    ended = threading.Event()

    def spin() -> None:
        try:
            while True:
                pass
        finally:
            ended.set()

    with pytest.raises(Invalid) as refused:
        TimeLimiter(seconds=0.05).call("secrets/a", spin)
    assert refused.value.code == "hook-hung"
    assert ended.wait(60)


def test_no_more_calls_are_made_while_too_many_hang(released: threading.Event) -> None:
    guard = TimeLimiter(seconds=0.02, most_hanging=2)
    for _ in range(2):
        with pytest.raises(Invalid):
            guard.call("a", lambda: released.wait(60))
    with pytest.raises(Invalid, match="2 calls of hooks hang in this process"):
        guard.call("a", lambda: 1)
    released.set()
    assert answered(guard, 1) == 1
