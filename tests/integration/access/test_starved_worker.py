"""A worker that gets a tenth of its time goes on with keys of every class, and its queues stay short."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
import redis

from celery_worker.queues import QUEUES
from migrations_app.domain.work_classes import WorkClass
from tests.integration.access.test_worker_faults import KEYS, Yard

STOPPED_SECONDS, RUNNING_SECONDS = 0.45, 0.05
# Of a slow machine the worker gets a tenth.
PATIENCE_SECONDS = 600.0
KEYS_OF_CLASS = 2
THREADS = KEYS


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    folder = tmp_path_factory.mktemp("starved")
    made = Yard(folder)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def starved(ports: Yard, name: str) -> Iterator[None]:
    """Let a process run for a tenth of the time."""
    group, over = ports.children[name].pid, threading.Event()

    def stop_and_go() -> None:
        while not over.is_set():
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGSTOP)
                time.sleep(STOPPED_SECONDS)
                os.killpg(group, signal.SIGCONT)
            time.sleep(RUNNING_SECONDS)

    thread = threading.Thread(target=stop_and_go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _steps(ports: Yard) -> dict[str, int]:
    with ports.sql() as connection:
        rows = connection.execute("SELECT key, count(*) FROM probe_step GROUP BY key").fetchall()
    return {str(key): int(count) for key, count in rows}


def _of_classes(steps: dict[str, int]) -> dict[str, int]:
    found = dict.fromkeys((each.value for each in WorkClass), 0)
    for key, count in steps.items():
        found[key.partition("/")[0]] += count
    return found


def _wait(ports: Yard, is_done: Callable[[], bool], longest: list[int]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    with redis.Redis.from_url(ports.valkey.url(0)) as broker:
        while not is_done():
            longest.append(max(int(broker.llen(queue)) for queue in QUEUES))  # type: ignore[arg-type]
            assert time.monotonic() < until, _steps(ports)
            time.sleep(0.2)


def test_a_starved_worker_settles_keys_of_every_class_and_recovers(ports: Yard) -> None:
    with ports.sql() as connection:
        for each in WorkClass:
            for number in range(KEYS_OF_CLASS):
                connection.execute("INSERT INTO probe_key VALUES (%s, 1000000)", [f"{each}/{number}"])
    longest: list[int] = []
    # Every class comes up while the worker runs as it should: its keys are known by then.
    _wait(ports, lambda: min(_of_classes(_steps(ports)).values()) >= 1, longest)
    with starved(ports, "w1"):
        began = _of_classes(_steps(ports))
        _wait(
            ports,
            lambda: all(count >= began[each] + 2 for each, count in _of_classes(_steps(ports)).items()),
            longest,
        )
    before = _steps(ports)
    _wait(ports, lambda: sum(_steps(ports)[key] >= before[key] + 3 for key in before) == len(before), longest)
    # Of wake-ups there are at most as many as threads, beside a few ticks.
    assert max(longest) <= 2 * THREADS


def test_a_queue_takes_no_more_wake_ups_than_there_are_threads(ports: Yard) -> None:
    from migrations_app.adapters.dispatch.celery import CeleryDispatch, producer
    from migrations_app.adapters.leases.postgres import PostgresLeases

    ports.kill("w1")
    dispatch = CeleryDispatch(
        producer(ports.valkey.url(0)), PostgresLeases(), controllers=dict, threads=lambda queue: THREADS
    )
    with redis.Redis.from_url(ports.valkey.url(0)) as broker:
        broker.delete(*QUEUES)
        senders = [
            threading.Thread(target=lambda: [dispatch.wake("sync") for _ in range(250)]) for _ in range(8)
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        assert broker.llen("sync") == THREADS
