"""A process that answers no probe is ended soon when it does nothing, later when it works, never while it starts."""

from __future__ import annotations

import os
import time
from typing import cast

import pytest

from console.embedded import hang
from console.embedded.child import Child
from console.embedded.hang import BUSY_PROBES, IDLE_PROBES, HangWatch

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
