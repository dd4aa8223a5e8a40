"""When a worker process wakes threads: when keys fall due, and to help a thread that keys are left to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import pytest

from celery_worker import alarm as alarms
from celery_worker.alarm import Alarm, WaitingThreads

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


def test_an_error_while_a_queue_is_woken_ends_nothing_and_it_is_woken_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alarms, "WITHOUT_BROKER_SECONDS", 0.2)
    alarm, woken, errors = Alarm("sync", lambda: False), SimpleQueue[str](), ["the database went away"]

    def wake(queue: str) -> None:
        woken.put(queue)
        if errors:
            raise RuntimeError(errors.pop())

    alarm.expect("notifications", 0.0)
    thread = threading.Thread(target=alarm.run, args=(wake,))
    thread.start()
    try:
        assert [woken.get(timeout=WAIT_SECONDS) for _ in range(2)] == ["notifications"] * 2
    finally:
        alarm.end()
        thread.join()


def test_a_wake_up_without_an_answer_is_sent_again_and_one_with_an_answer_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alarms, "ANSWER_SECONDS", 0.2)
    alarm = Alarm("sync", lambda: False)
    for queue in ("notifications", "constraints"):
        alarm.expect_answer(queue)
    alarm.answer("constraints")
    alarm.expect("housekeeping", 1.0)
    with _running(alarm) as woken:
        assert [woken.get(timeout=WAIT_SECONDS) for _ in range(2)] == ["notifications", "housekeeping"]
        assert woken.empty()


def test_a_thread_that_waits_is_woken_without_the_broker_and_more_than_the_most_do_not_wait() -> None:
    threads, woken = WaitingThreads(1), SimpleQueue[bool]()
    assert threads.wake() is False
    waiting = threading.Thread(target=lambda: woken.put(threads.wait(time.monotonic() + WAIT_SECONDS)))
    waiting.start()
    try:
        while not threads.wake():
            time.sleep(0.001)
        assert woken.get(timeout=WAIT_SECONDS) is True
        assert threads.wake() is False
    finally:
        threads.end()
        waiting.join()


def test_waiting_threads_are_let_go_at_their_moment_and_at_the_end() -> None:
    threads = WaitingThreads(1)
    assert threads.wait(time.monotonic() + 0.01) is False
    threads.end()
    assert threads.wait(time.monotonic() + WAIT_SECONDS) is False
    assert WaitingThreads(0).wait(time.monotonic() + WAIT_SECONDS) is False
