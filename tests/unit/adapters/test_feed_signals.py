"""Commits are told of at once, then gathered; whatever is committed is told of after it was."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from migrations_app.adapters.feed.signals import FeedSignals

PATIENCE_SECONDS = 60.0


def until(reached: Callable[[], bool]) -> None:
    given_up = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < given_up
        time.sleep(0.005)


def test_many_commits_are_told_of_together_and_none_is_left_untold() -> None:
    committed, told = 0, list[int]()
    signals = FeedSignals(lambda _: told.append(committed), every_seconds=0.2)
    began = time.monotonic()
    signals.start()
    for _ in range(50):
        for _ in range(100):
            committed += 1
            signals.note("data")
        time.sleep(0.01)
    until(lambda: bool(told) and told[-1] == 5000)
    passed = time.monotonic() - began
    signals.end()

    assert 0.2 * (len(told) - 1) <= passed


def test_databases_are_told_of_apart_and_a_failure_keeps_none_from_the_next() -> None:
    told: list[str] = []

    def send(database: str) -> None:
        told.append(database)
        if database == "away":
            raise ConnectionError("no answer")

    signals = FeedSignals(send, every_seconds=30.0)
    signals.start()
    signals.note("away")
    signals.note("data")
    until(lambda: len(told) == 2)
    signals.end()
    assert set(told) == {"away", "data"}


def test_a_process_that_does_not_serve_tells_nothing_and_has_no_thread() -> None:
    told: list[str] = []
    signals = FeedSignals(told.append)
    signals.note("data")
    assert told == []
    assert not [
        each for each in threading.enumerate() if each.name == "feed-signals" and each is signals._thread
    ]
