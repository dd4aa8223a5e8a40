"""When a worker process wakes threads: when keys fall due, and to help a thread that keys are left to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import pytest

from celery_worker.station import Alarm

WAIT_SECONDS = 60.0


@contextmanager
def _running(alarm: Alarm) -> Iterator[SimpleQueue[str]]:
    woken: SimpleQueue[str] = SimpleQueue()
    thread = threading.Thread(target=alarm.run, args=(woken.put,))
    thread.start()
    try:
        yield woken
    finally:
        alarm.end()
        thread.join()


@pytest.mark.parametrize(
    ("others_due", "expected"), [(True, ["housekeeping", "sync"]), (False, ["housekeeping"])]
)
def test_a_thread_gets_help_when_keys_are_left_after_a_moment(others_due: bool, expected: list[str]) -> None:
    alarm = Alarm("sync", lambda: others_due)
    with _running(alarm) as woken:
        alarm.expect_help()
        alarm.expect("housekeeping", 1.0)
        assert sorted(woken.get(timeout=WAIT_SECONDS) for _ in expected) == expected


def test_help_is_asked_for_once_at_a_time() -> None:
    alarm = Alarm("sync", lambda: True)
    for _ in range(5):
        alarm.expect_help()
    alarm.expect("housekeeping", 1.0)
    with _running(alarm) as woken:
        assert sorted(woken.get(timeout=WAIT_SECONDS) for _ in range(2)) == ["housekeeping", "sync"]


def test_queues_that_fall_due_together_are_woken_once_each() -> None:
    alarm = Alarm("sync", lambda: False)
    for queue in ("sync", "housekeeping", "sync"):
        alarm.expect(queue, 0.0)
    with _running(alarm) as woken:
        assert sorted(woken.get(timeout=WAIT_SECONDS) for _ in range(2)) == ["housekeeping", "sync"]
        alarm.expect("constraints", 0.0)
        assert woken.get(timeout=WAIT_SECONDS) == "constraints"
