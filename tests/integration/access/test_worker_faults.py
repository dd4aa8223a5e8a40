"""Workers, broker and database die in the middle of work; every key goes on soon, and none runs twice.

The servers here are this test's own, because they are killed. How long a key was silent is counted in
ticks, which come every five seconds on a machine that keeps up and later on one that does not; the seconds are
printed (`pytest -s`).
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import psycopg
import pytest

from console.embedded import commands
from console.embedded.forked import Process
from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from console.env import ROOT
from tests import migrated
from tests.factories.probe_worker import TABLES
from tests.forks import start_process

# In a minute there are twelve ticks. After that the broker would hand out again what was not acknowledged, and a key that
# goes on later went on by that alone.
STUCK_TICKS = 12
PATIENCE_SECONDS = 120.0
KEYS = 4
MORE_THAN_CAN_BE_TAKEN = 1_000_000


class Yard:
    """PostgreSQL, Valkey, workers and beat of one test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.postgres = Postgres(folder / "postgres", fast_and_loose=True)
        self.valkey = Valkey(folder / "valkey")
        self.children: dict[str, Process] = {}

    def start(self) -> None:
        migrated.create(self.postgres)
        self.start_postgres()
        self.start_valkey()
        migrated.copy(self.postgres, "switchyard")
        with self.sql() as connection:
            connection.execute(TABLES)
        self.start_worker("w1")
        self.start_child("beat", commands.beat(str(self.folder / "beat")))

    def start_postgres(self) -> None:
        child = self.postgres.start(self.folder / "postgres.log")
        self.postgres.wait_ready(child)
        self.children["postgres"] = child

    def start_valkey(self) -> None:
        child = self.valkey.start(self.folder / "valkey.log")
        self.valkey.wait_ready(child)
        self.children["valkey"] = child

    def start_worker(self, name: str) -> None:
        line = commands.worker(name, "sync,constraints,switch,housekeeping", concurrency=KEYS)
        line[line.index("celery_worker.app")] = "tests.factories.probe_worker"
        self.start_child(name, line)
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._heard_from(name):
            assert time.monotonic() < until, (self.folder / f"{name}.log").read_text()
            time.sleep(0.2)

    def _heard_from(self, worker: str) -> bool:
        with self.sql() as connection:
            row = connection.execute(
                "SELECT 1 FROM switchyard_pulse WHERE name LIKE %s", [f"worker:{worker}@%"]
            )
            return row.fetchone() is not None

    def start_child(self, name: str, line: list[str]) -> None:
        self.children[name] = start_process(line, ROOT, self._environment(), self.folder / f"{name}.log")

    def kill(self, name: str) -> None:
        child = self.children.pop(name)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()

    def stop(self) -> None:
        for name in list(self.children):
            self.kill(name)

    def sql(self) -> psycopg.Connection:
        return psycopg.connect(self.postgres.url("switchyard"), autocommit=True)

    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "DATABASE_URL": self.postgres.url("switchyard"),
            "REDIS_URL": self.valkey.url(0),
            "SWITCHYARD_HOME": str(self.folder / "home"),
            "DJANGO_SETTINGS_MODULE": "console.settings",
            "PYTHONUNBUFFERED": "1",
        }


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    folder = tmp_path_factory.mktemp("yard")
    made = Yard(folder)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _begin(ports: Yard) -> None:
    """Give every key more steps than it can take: it has some left whenever a fault is over."""
    with ports.sql() as connection:
        connection.execute("DELETE FROM probe_key")
        connection.execute("DELETE FROM probe_step")
        for number in range(KEYS):
            connection.execute(
                "INSERT INTO probe_key VALUES (%s, %s)", [f"k{number}", MORE_THAN_CAN_BE_TAKEN]
            )


def _stop_between_transactions(ports: Yard, workers: list[Process]) -> None:
    """Stop workers at a moment when none of their sessions is inside a transaction.

    One that is keeps its rows until the server ends it, after a minute (`idle_in_transaction_session_timeout`): a bound
    of the database, not of the lease.
    """
    for _ in range(50):
        for child in workers:
            os.killpg(child.pid, signal.SIGSTOP)
        time.sleep(1.0)
        with ports.sql() as connection:
            held = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
                " AND state_change < clock_timestamp() - interval '0.8 seconds'"
            ).fetchone()
        if held == (0,):
            return
        for child in workers:
            os.killpg(child.pid, signal.SIGCONT)
        time.sleep(0.2)
    raise AssertionError("the workers are always inside a transaction")


def _counts(ports: Yard) -> dict[str, int]:
    with ports.sql() as connection:
        rows = connection.execute("SELECT key, count(*) FROM probe_step GROUP BY key").fetchall()
    return dict(rows)


def _wait(ports: Yard, least: int) -> None:
    """Wait until every key took at least so many steps."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        counts = _counts(ports)
        if len(counts) == KEYS and min(counts.values()) >= least:
            return
        assert time.monotonic() < until, f"after {PATIENCE_SECONDS} s the steps are {counts}"
        time.sleep(0.1)


def _now(ports: Yard) -> datetime:
    with ports.sql() as connection:
        (now,) = connection.execute("SELECT clock_timestamp()").fetchone() or (None,)
        return now


def _silences(ports: Yard, healed: datetime) -> list[tuple[float, int]]:
    """Give the seconds and the ticks from a moment to the first step that each key took under a lease of after it."""
    with ports.sql() as connection:
        return connection.execute(
            """
            SELECT extract(epoch FROM next.at - %(healed)s)::float8,
                   (SELECT count(*) FROM probe_tick WHERE at BETWEEN %(healed)s AND next.at)
            FROM (
                SELECT min(step.at) AS at FROM probe_step AS step WHERE step.at > %(healed)s AND step.epoch > (
                    SELECT max(epoch) FROM probe_step AS before WHERE before.key = step.key AND before.at <= %(healed)s
                ) GROUP BY step.key
            ) AS next
            """,
            {"healed": healed},
        ).fetchall()


def _ticked(ports: Yard, since: datetime) -> bool:
    with ports.sql() as connection:
        return (
            connection.execute("SELECT 1 FROM probe_tick WHERE at > %s LIMIT 1", [since]).fetchone()
            is not None
        )


def _assert_all_went_on(ports: Yard, healed: datetime, what: str) -> None:
    """Every key was taken again at the latest so many ticks after the fault was healed, and ticks come."""
    until = time.monotonic() + PATIENCE_SECONDS
    while len(silences := _silences(ports, healed)) < KEYS or not _ticked(ports, healed):
        assert time.monotonic() < until, f"after {PATIENCE_SECONDS} s the steps are {_counts(ports)}"
        time.sleep(0.1)
    seconds, ticks = max(each[0] for each in silences), max(each[1] for each in silences)
    print(f"\n{what}: every key went on within {seconds:.1f} s, {ticks} ticks")
    assert ticks <= STUCK_TICKS


def _assert_none_ran_twice_at_once(ports: Yard) -> None:
    with ports.sql() as connection:
        connection.execute("UPDATE probe_key SET steps = 0")  # nothing is due any more
        rows = connection.execute("SELECT key, step, epoch, at FROM probe_step ORDER BY key, step").fetchall()
    by_key: dict[str, list[tuple[int, int, object]]] = {}
    for key, step, epoch, at in rows:
        by_key.setdefault(key, []).append((step, epoch, at))
    assert sorted(by_key) == [f"k{number}" for number in range(KEYS)]
    for taken in by_key.values():
        assert [step for step, _, _ in taken] == list(range(1, len(taken) + 1))
        for (_, epoch, at), (_, next_epoch, next_at) in pairwise(taken):
            # Epochs never roll back, so no holder wrote after another had taken over.
            assert next_epoch >= epoch
            assert next_at > at  # type: ignore[operator]


def test_a_killed_workers_keys_go_on_elsewhere(ports: Yard) -> None:
    ports.start_worker("w2")
    _begin(ports)
    _wait(ports, 8)
    ports.kill("w1")
    _assert_all_went_on(ports, _now(ports), "kill -9 of a worker")
    _assert_none_ran_twice_at_once(ports)


@pytest.mark.parametrize("lost", [False, True], ids=["keeps-its-data", "lost-its-data"])
def test_a_broker_that_was_away_costs_seconds(ports: Yard, lost: bool) -> None:
    _begin(ports)
    _wait(ports, 5)
    ports.kill("valkey")
    if lost:
        shutil.rmtree(ports.folder / "valkey", ignore_errors=True)
    time.sleep(6.0 if lost else 0.5)
    ports.start_valkey()
    _assert_all_went_on(ports, _now(ports), f"broker restart, data lost: {lost}")
    _assert_none_ran_twice_at_once(ports)


def test_a_database_that_restarts_costs_seconds(ports: Yard) -> None:
    _begin(ports)
    _wait(ports, 5)
    ports.kill("postgres")
    time.sleep(3.0)
    ports.start_postgres()
    _assert_all_went_on(ports, _now(ports), "PostgreSQL restart")
    _assert_none_ran_twice_at_once(ports)


def test_a_worker_that_was_stopped_beyond_its_lease_changes_nothing_when_it_wakes(ports: Yard) -> None:
    stopped = [child for name, child in ports.children.items() if name.startswith("w")]
    ports.start_worker("w3")
    _begin(ports)
    _wait(ports, 5)
    _stop_between_transactions(ports, stopped)
    began = _now(ports)
    try:
        _assert_all_went_on(ports, began, "a worker stopped beyond its lease")
    finally:
        for child in stopped:
            os.killpg(child.pid, signal.SIGCONT)
    time.sleep(1.0)
    _assert_none_ran_twice_at_once(ports)
