"""The workers of a test: each may be told where it is to be killed, and asked whether it was."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrations_app.kernel.failpoints import KILLED
from tests.processes import Children
from tests.waiting import PATIENCE_SECONDS, wait_until


class Hand:
    """One worker, seen from outside."""

    def __init__(self, socket_path: str, fail: str, only: str) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(socket_path)
        self._line.sendall(f"{only}:{fail}\n".encode())
        self._told = self._line.makefile()
        self.pid = int(self._told.readline())
        self._ended: int | None = None

    def poll(self, seconds: float = 0.0) -> int | None:
        """Tell what it ended with, or None while it lives."""
        if self._ended is None and select.select([self._line], [], [], seconds)[0]:
            self._ended = int(self._told.readline())
        return self._ended

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)
        assert self.poll(PATIENCE_SECONDS) == -signal.SIGKILL

    def leave(self) -> None:
        self._told.close()
        self._line.close()


class Crew:
    """One worker after the other, or beside it."""

    def __init__(self, children: Children, socket_path: str) -> None:
        self._children, self._socket_path, self.hands = children, socket_path, list[Hand]()

    def start(self, fail: str = "", *, only: str = "") -> Hand:
        """Start one that fails where it is told to, and works for all controllers, or for one alone."""
        self.hands.append(Hand(self._socket_path, fail, only))
        return self.hands[-1]

    def wait_killed(self) -> None:
        """Wait until the newest worker was killed where it was told to."""
        assert self.hands[-1].poll(PATIENCE_SECONDS) == KILLED, self.log()

    def log(self) -> str:
        return self._children.log("crew")[-3000:]


@pytest.fixture
def crew(children: Children) -> Iterator[Crew]:
    """Workers on the test's databases."""
    # A socket's path may not be long.
    with tempfile.TemporaryDirectory() as folder:
        socket_path = str(Path(folder) / "crew")
        children.start("crew", [sys.executable, "-m", "tests.acceptance.crew", socket_path])
        made = Crew(children, socket_path)
        wait_until(Path(socket_path).exists, made.log, pause_seconds=0.05)
        yield made
        for hand in made.hands:
            hand.leave()
