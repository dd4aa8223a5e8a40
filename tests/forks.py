"""Processes of tests that are forked from one that has imported what they need, where that makes no difference."""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from console.env import ROOT
from tests.fork_server import Start
from tests.mourner import entrust, release

PATIENCE_SECONDS = 120.0
OWN = ("SWITCHYARD_", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PYTHONUNBUFFERED")
"""What a process reads of its environment once it runs; what others set may have been read by an import."""


class Forked:
    """A process that another one forked for us, with what tests use of `subprocess.Popen`."""

    def __init__(self, path: str, start: Start) -> None:
        self._answers = socket.socket(socket.AF_UNIX)
        self._answers.settimeout(PATIENCE_SECONDS)
        self._answers.connect(path)
        self._answers.sendall(start.line())
        self._read = b""
        self.returncode: int | None = None
        self.pid = self._line()

    def poll(self) -> int | None:
        """Give what it ended with, None while it runs."""
        if self.returncode is None and select.select([self._answers], [], [], 0.0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; gives what it ended with."""
        if self.returncode is None:
            self._answers.settimeout(timeout)
            try:
                self.returncode = self._line()
            except TimeoutError as error:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0) from error
            self._answers.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to it, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _line(self) -> int:
        while b"\n" not in self._read:
            more = self._answers.recv(64)
            if not more:
                raise RuntimeError("the process that forks others has ended")
            self._read += more
        line, _, self._read = self._read.partition(b"\n")
        return int(line)


Process = subprocess.Popen[bytes] | Forked


def start_process(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], output: Path
) -> Process:
    """Start a process in a session of its own, its output added to a file."""
    if _may_fork(command, folder, environment):
        start = Start(command[2], [*command[3:]], str(folder), str(output), dict(environment))
        return Forked(_server(os.getpid()), start)
    with output.open("ab") as out:
        return subprocess.Popen(
            command, cwd=folder, env=environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip


def _may_fork(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> bool:
    """Tell whether a process is of this code, and no variable differs that an import may have read."""
    if [*command[:2]] != [sys.executable, "-m"] or folder != ROOT:
        return False
    names = {*environment, *os.environ}
    return all(environment.get(each) == os.environ.get(each) for each in names if not each.startswith(OWN))


@cache
def _server(owner: int) -> str:
    """Start the one that forks for this process; gives its socket, whose path may not be long."""
    folder = tempfile.TemporaryDirectory(prefix="forks")
    path = f"{folder.name}/socket"
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "tests.fork_server", path],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    entrust(process.pid)

    def end() -> None:
        if os.getpid() == owner:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()
            release(process.pid)
            folder.cleanup()

    atexit.register(end)
    until = time.monotonic() + PATIENCE_SECONDS
    while not Path(path).exists():
        assert process.poll() is None, "the process that forks others has ended"
        assert time.monotonic() < until
        time.sleep(0.02)
    return path
