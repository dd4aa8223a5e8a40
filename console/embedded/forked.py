"""Processes that another one forks: how it is asked for them, and how they are followed afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from console.env import ROOT

PATIENCE_SECONDS = 30.0
ROOM = 400
"""So many characters of its command line a process that is forked can show; those of the process that forks are its own."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a process runs: `python -m` of a module, its output added to a file."""

    module: str
    arguments: list[str]
    folder: str
    output: str
    environment: dict[str, str]
    listening: int = -1
    """The number by which the arguments name a socket that is handed over with this; -1 where none is."""

    def packet(self) -> bytes:
        """Write it down."""
        return json.dumps(asdict(self)).encode()


class Forked:
    """A process that another one forked for us, with what is used of `subprocess.Popen`."""

    def __init__(self, pid: int, answers: socket.socket, before: bytes = b"") -> None:
        self.pid, self._answers, self._read = pid, answers, before
        self.returncode: int | None = None
        try:
            self._end: int | None = os.pidfd_open(pid)
        except ProcessLookupError:  # it has ended, and what it ended with is on its way
            self._end = None

    def poll(self) -> int | None:
        """Give what it ended with, None while it runs."""
        if self.returncode is None and self._has_ended(0.0):
            self._take_code()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; gives what it ended with."""
        if self.returncode is None:
            if not self._has_ended(timeout):
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
            self._take_code()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to it, if it runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _has_ended(self, timeout: float | None) -> bool:
        return self._end is None or bool(select.select([self._end], [], [], timeout)[0])

    def _take_code(self) -> None:
        """Take what it ended with. Where the process that forked it ended first, that ended it by SIGTERM."""
        try:
            self.returncode = int(read_line(self._answers, self._read)[0])
        except (OSError, EOFError):
            self.returncode = -signal.SIGTERM
        self._answers.close()
        if self._end is not None:
            os.close(self._end)


def can_fork() -> bool:
    """Tell whether this system has what `Forked` and `ForkServer` need."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


class ForkServer:
    """A process that has imported what the processes of the product need, and forks them."""

    def __init__(self, log: Path, environment: Mapping[str, str]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, log.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "-m", "console.embedded.fork_server", "-" * ROOM],
                cwd=ROOT, env=dict(environment), stdin=theirs.fileno(), stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip

    async def is_ready(self) -> bool:
        """Wait until everything is imported; false where that failed. To be awaited once."""
        self._control.setblocking(False)
        try:
            return bool(await asyncio.get_running_loop().sock_recv(self._control, 16))
        except OSError:
            return False
        finally:
            self._control.setblocking(True)

    def start(
        self,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str],
        *,
        listening: int = -1,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> Forked | None:
        """Have a command (`python -m` of a module) forked in a session of its own; None where nothing can be forked."""
        log.touch()  # what is forked opens it after its start was answered, and who reads it need not wait
        start = Start(command[2], [*command[3:]], str(ROOT), str(log), dict(environment), listening)
        ours, theirs = socket.socketpair()
        ours.settimeout(patience_seconds)
        given = [theirs.fileno(), *([listening] if listening >= 0 else [])]
        try:
            with theirs:
                socket.send_fds(self._control, [start.packet()], given)
            line, rest = read_line(ours, b"")
        except (OSError, EOFError):
            # A process that is forked for it later finds no reader of its id, and ends.
            ours.close()
            return None
        return Forked(int(line), ours, rest)

    def close(self) -> None:
        """End it, and with it what it forked and still runs."""
        self._control.close()
        self.process.kill()
        self.process.wait()


def read_line(answers: socket.socket, before: bytes) -> tuple[bytes, bytes]:
    """Read a line, and what came after it.

    Raises: EOFError where no line comes any more; OSError, as when it takes too long.
    """
    while b"\n" not in before:
        more = answers.recv(64)
        if not more:
            raise EOFError
        before += more
    line, _, rest = before.partition(b"\n")
    return line, rest


Process = subprocess.Popen[bytes] | Forked
