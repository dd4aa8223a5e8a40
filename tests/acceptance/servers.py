"""The test run's own PostgreSQL and broker, killed and started again under everybody's feet."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from django.db import OperationalError, connections

from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from tests import plugin
from tests.waiting import wait_until


class Servers:
    """What every other process of the test depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.postgres = Postgres(Path(os.environ["SWITCHYARD_TEST_POSTGRES"]), fast_and_loose=True)
        self.valkey = Valkey(Path(os.environ["SWITCHYARD_TEST_VALKEY"]))

    def crash_postgres(self) -> None:
        """Let PostgreSQL die as in a crash, and recover."""
        _end(self.postgres.pid(), signal.SIGQUIT)
        child = self.postgres.start(self.folder / "postgres.log")
        self.postgres.wait_ready(child)
        _keep(child.pid, signal.SIGQUIT)
        child.returncode = 0  # it outlives this test on purpose
        self.reconnect()

    def lose_broker(self) -> None:
        """Let the broker die, and come back with nothing in it."""
        _end(self.valkey.pid(), signal.SIGKILL)
        for kept in (Path(os.environ["SWITCHYARD_TEST_VALKEY"])).rglob("*.aof*"):
            kept.unlink(missing_ok=True)
        child = self.valkey.start(self.folder / "valkey.log")
        self.valkey.wait_ready(child)
        _keep(child.pid, signal.SIGTERM)
        child.returncode = 0

    def reconnect(self) -> None:
        """Let this process find the database again."""

        def is_connected() -> bool:
            connections.close_all()
            try:
                connections["default"].ensure_connection()
            except OperationalError:
                return False
            return True

        wait_until(is_connected, pause_seconds=0.2)


def _end(pid: int | None, how: signal.Signals) -> None:
    assert pid is not None
    os.kill(pid, how)
    wait_until(lambda: not _lives(pid), pause_seconds=0.05)


def _lives(pid: int) -> bool:
    with suppress(ChildProcessError):
        # A child of this process stays a zombie until it is asked for.
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _keep(pid: int, how: signal.Signals) -> None:
    """Have it stopped when the test run ends, unless its folder is kept running."""
    if os.environ.get("SWITCHYARD_TEST_HOME"):
        return

    def stop() -> None:
        try:
            os.kill(pid, how)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            return

    plugin._ENDINGS.append(stop)
