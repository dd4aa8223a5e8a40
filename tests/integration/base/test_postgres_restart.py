"""A PostgreSQL that was killed comes up at the first try, whatever is left of the one before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from console.embedded.postgres import Postgres


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Postgres]:
    made = Postgres(tmp_path / "postgres", fast_and_loose=True)
    made.create()
    yield made
    made.reap()


def started(postgres: Postgres, tmp_path: Path) -> subprocess.Popen[bytes]:
    process = postgres.start(tmp_path / "postgres.log")
    postgres.wait_ready(process)
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the server and leave it unreaped: to others it still looks like a process."""
    os.kill(process.pid, signal.SIGKILL)
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.005)


@pytest.mark.parametrize("reaped_after", [0.5, None])
def test_a_dead_server_that_is_still_counted_as_a_process_is_no_obstacle(
    postgres: Postgres, tmp_path: Path, reaped_after: float | None
) -> None:
    first = started(postgres, tmp_path)
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
    kill(first)
    if reaped_after is not None:
        threading.Timer(reaped_after, first.wait).start()
    second = started(postgres, tmp_path)
    with psycopg.connect(postgres.url("postgres")) as connection:
        assert connection.execute("SELECT one FROM kept").fetchone() == (1,)
    assert second.pid != first.pid
    first.wait()
    second.send_signal(signal.SIGINT)
    second.wait()


def test_a_lock_that_names_a_stranger_is_dropped(postgres: Postgres, tmp_path: Path) -> None:
    first = started(postgres, tmp_path)
    socket_lock, data_lock = postgres.sockets / ".s.PGSQL.5432.lock", postgres.data / "postmaster.pid"
    texts = [(lock, lock.read_text()) for lock in (socket_lock, data_lock)]
    first.send_signal(signal.SIGINT)
    first.wait()
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        for lock, text in texts:
            lock.write_text(text.replace(str(first.pid), str(stranger.pid), 1))
        second = started(postgres, tmp_path)
        assert stranger.poll() is None
        second.send_signal(signal.SIGINT)
        second.wait()
    finally:
        stranger.kill()
        stranger.wait()


def test_a_process_of_the_dead_server_that_still_works_is_waited_for(
    postgres: Postgres, tmp_path: Path
) -> None:
    first = started(postgres, tmp_path)
    with psycopg.connect(postgres.url("postgres")) as connection:
        backend = connection.info.backend_pid
        os.kill(backend, signal.SIGSTOP)
        kill(first)
        first.wait()
        threading.Timer(1.0, os.kill, (backend, signal.SIGKILL)).start()
        second = started(postgres, tmp_path)
        assert (
            not Path(f"/proc/{backend}/cmdline").exists() or not Path(f"/proc/{backend}/cmdline").read_bytes()
        )
    second.send_signal(signal.SIGINT)
    second.wait()
