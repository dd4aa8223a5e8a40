"""A process that answers no probe is ended soon when it does nothing, later when it works, never while it starts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import cast

import pytest

from console.embedded import hang
from console.embedded.child import Child
from console.embedded.hang import BUSY_PROBES, IDLE_PROBES, START_SECONDS, HangWatch, StartWatch

PID = os.getpid()


@pytest.fixture
def watch() -> HangWatch:
    return HangWatch(cast(Child, None), lambda: False)


def failures(watch: HangWatch, pid: int = PID) -> int:
    """Count the failed probes until it is ended."""
    return next(n for n in range(1, 100) if watch.is_hung(pid, answered=False))


def test_one_that_does_nothing_is_ended_after_a_few_probes(
    watch: HangWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hang, "processor_ticks", lambda pid: 7)
    watch.is_hung(PID, answered=True)
    assert failures(watch) == IDLE_PROBES


def test_one_that_works_is_given_time(watch: HangWatch, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    monkeypatch.setattr(hang, "processor_ticks", lambda pid: next(ticks))
    watch.is_hung(PID, answered=True)
    assert failures(watch) == BUSY_PROBES


def test_one_that_has_not_answered_yet_is_starting_and_an_answer_begins_the_count_anew(
    watch: HangWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hang, "processor_ticks", lambda pid: 7)
    assert not any(watch.is_hung(PID, answered=False) for _ in range(50))
    watch.is_hung(PID, answered=True)
    watch.is_hung(PID, answered=False)
    watch.is_hung(PID, answered=True)
    assert failures(watch) == IDLE_PROBES
    assert not any(watch.is_hung(PID + 1, answered=False) for _ in range(50))


def test_the_processor_a_process_has_used_is_read_from_the_system() -> None:
    before = hang.processor_ticks(PID)
    assert before is not None
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    after = hang.processor_ticks(PID)
    assert after is not None
    assert after > before
    assert hang.processor_ticks(2**30) is None


def test_a_start_that_gets_a_little_of_the_processor_now_and_then_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = iter(range(1, 1000))
    monkeypatch.setattr(hang, "processor_ticks", lambda pid: next(ticks))
    start = StartWatch(used_at=0.0)
    assert not any(start.has_failed(PID, now) for now in range(0, 3600, 80))


@pytest.mark.parametrize(
    ("ticks", "step", "failed_at"),
    [
        (lambda n: 7, 10, START_SECONDS + 10),
        (lambda n: n * 1000, 10, START_SECONDS),
    ],
    ids=["uses nothing", "spins"],
)
def test_a_start_that_uses_nothing_or_too_much_of_the_processor_has_failed(
    ticks: Callable[[int], int], step: int, failed_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 100)
    calls = iter(range(1, 1000))
    monkeypatch.setattr(hang, "processor_ticks", lambda pid: ticks(next(calls)))
    start = StartWatch(used_at=0.0)
    assert next(now for now in range(0, 3600, step) if start.has_failed(PID, now)) == failed_at


def test_a_process_that_ends_at_every_start_has_failed_after_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hang, "processor_ticks", lambda pid: pid)
    start = StartWatch(used_at=0.0)
    failed = [start.has_failed(pid, now) for now, pid in enumerate((11, None, 12, None, 13, 14, 15, 16))]
    assert failed == [False] * 7 + [True]
