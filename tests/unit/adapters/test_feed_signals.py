"""Commits are told of at once, then gathered; whatever is committed is told of after it was."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection

import pytest

from migrations_app.adapters.feed.signals import MOST_NAMESPACES, FeedSignals
from migrations_app.ports.namespaces import Namespace

PATIENCE_SECONDS = 60.0


def until(reached: Callable[[], bool]) -> None:
    given_up = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < given_up
        time.sleep(0.005)


def place(database: str, schema: str = "toy_v1") -> Namespace:
    return Namespace("toy.example.com@here", "v1", database, schema, 4)


def test_many_commits_are_told_of_together_and_none_is_left_untold() -> None:
    committed, told = 0, list[int]()
    signals = FeedSignals(lambda *_: told.append(committed), every_seconds=0.2)
    began = time.monotonic()
    signals.start()
    for _ in range(50):
        for _ in range(100):
            committed += 1
            signals.note(place("data"))
        time.sleep(0.01)
    until(lambda: bool(told) and told[-1] == 5000)
    passed = time.monotonic() - began
    signals.end()

    assert 0.2 * (len(told) - 1) <= passed


def test_databases_are_told_of_apart_and_a_failure_keeps_none_from_the_next() -> None:
    told: list[tuple[str, list[str]]] = []

    def send(database: str, schemas: Collection[str]) -> None:
        told.append((database, list(schemas)))
        if database == "away":
            raise ConnectionError("no answer")

    signals = FeedSignals(send, every_seconds=30.0)
    signals.start()
    signals.note(place("away"))
    signals.note(place("data"))
    until(lambda: len(told) == 2)
    signals.end()
    assert sorted(told) == [("away", ["toy_v1"]), ("data", ["toy_v1"])]


@pytest.mark.parametrize(
    ("written", "is_whole", "told_of"),
    [
        (2, False, ["s0", "s1"]),
        (MOST_NAMESPACES, False, [f"s{number}" for number in range(MOST_NAMESPACES)]),
        (MOST_NAMESPACES + 1, False, []),
        (2, True, []),
    ],
)
def test_namespaces_are_named_unless_there_are_many_or_any_may_have_been_written(
    written: int, is_whole: bool, told_of: list[str]
) -> None:
    told: list[list[str]] = []
    signals = FeedSignals(lambda _, schemas: told.append(list(schemas)), every_seconds=1.0)
    signals.start()
    signals.note(place("data", "first"))
    until(lambda: told == [["first"]])
    # What is written from here on is told together, a second later.
    for number in range(written):
        signals.note(place("data", f"s{number}"))
    if is_whole:
        signals.note_all("data")
    until(lambda: len(told) == 2)
    signals.end()
    assert told[1] == told_of


def test_a_process_that_does_not_serve_tells_nothing_and_has_no_thread() -> None:
    told: list[str] = []
    signals = FeedSignals(lambda database, _: told.append(database))
    signals.note(place("data"))
    signals.note_all("data")
    assert told == []
    assert not [
        each for each in threading.enumerate() if each.name == "feed-signals" and each is signals._thread
    ]
