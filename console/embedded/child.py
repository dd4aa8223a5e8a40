"""One supervised process: started, watched, restarted with backoff, stopped."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from console.embedded.forked import Process

FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS = 0.5, 10.0
ENDED_SECONDS = 0.05
STEADY_SECONDS = 30.0
"""A child that ran this long was well; the next crash starts with the shortest pause again."""

PR_SET_PDEATHSIG = 1
Say = Callable[[str], None]


async def ended(process: Process) -> int:
    """Wait for a process to end and give its exit code; holds no thread while it waits, and on Linux asks nothing."""
    gone = asyncio.Event()
    with _process_end_watch(process.pid, gone) as is_watched:
        while (code := process.poll()) is None:
            if is_watched:
                await gone.wait()
            await asyncio.sleep(ENDED_SECONDS)
        return code


@contextmanager
def _process_end_watch(pid: int, gone: asyncio.Event) -> Iterator[bool]:
    """Set the event when a process ends; false where the system cannot tell of it."""
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):
        yield False
        return
    loop = asyncio.get_running_loop()

    def _set() -> None:
        loop.remove_reader(descriptor)
        gone.set()

    loop.add_reader(descriptor, _set)
    try:
        yield True
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def die_with_parent() -> None:
    """Ask Linux to end this process when its parent dies; elsewhere the next start cleans up."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@dataclass(slots=True)
class Child:
    """A process that should be running: how it is started and stopped, and how it is now."""

    name: str
    start: Callable[[], Process]
    log: Path
    pid_file: Path
    stop_signal: signal.Signals = signal.SIGTERM
    patience_seconds: float = 10.0
    process: Process | None = None
    stopping: bool = False
    restarts: int = 0
    _backoff: float = field(default=FIRST_BACKOFF_SECONDS)

    def is_wanted(self) -> bool:
        """Tell whether the process should be running."""
        return not self.stopping

    def launch(self) -> Process:
        """Start the process and note its pid for a later start that has to clean up."""
        self.process = self.start()
        half = self.pid_file.with_suffix(".new")
        half.write_text(str(self.process.pid))
        half.rename(self.pid_file)
        return self.process

    async def keep(self, say: Say, known_cause: Callable[[], str] = str) -> None:
        """Keep the process running until it is to stop; every restart is said, with its cause where one is known."""
        while self.is_wanted():
            process = self.process or self.launch()
            began = time.monotonic()
            code = await ended(process)
            if not self.is_wanted():
                return
            if time.monotonic() - began > STEADY_SECONDS:
                self._backoff = FIRST_BACKOFF_SECONDS
            say(f"{self.name} ended ({_ending(code)}); starting it again in {self._backoff:g} s")
            for line in last_lines(self.log, 4):
                say(f"  {self.name} | {line}")
            if cause := known_cause():
                say(cause)
            await asyncio.sleep(self._backoff)
            self._backoff = min(self._backoff * 2, LONGEST_BACKOFF_SECONDS)
            self.restarts += 1
            self.process = None

    async def stop(self) -> None:
        """Stop the process: ask first, then insist."""
        self.stopping = True
        process = self.process
        if process is None or process.poll() is not None:
            self.pid_file.unlink(missing_ok=True)
            return
        process.send_signal(self.stop_signal)
        try:
            await asyncio.wait_for(ended(process), self.patience_seconds)
        except TimeoutError:
            os.killpg(process.pid, signal.SIGKILL)
            await ended(process)
        self.pid_file.unlink(missing_ok=True)


def start_program(
    command: list[str],
    log: Path,
    environment: Mapping[str, str],
    folder: Path,
    *,
    sockets: tuple[int, ...] = (),
) -> subprocess.Popen[bytes]:
    """Start one of our own programs in its own session, writing to `log`; it inherits the open `sockets`."""
    with log.open("ab") as out:
        return subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=out, stderr=out,
            start_new_session=True, preexec_fn=die_with_parent, pass_fds=sockets,
        )  # fmt: skip


def last_lines(log: Path, count: int) -> list[str]:
    """Read the last lines of a log, as text."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 4096))
            return file.read().decode(errors="replace").splitlines()[-count:]
    except OSError:
        return []


def reap(pid_file: Path, mark: str) -> str | None:
    """End a process that an earlier, killed supervisor left; only if it carries our mark.

    `mark` is a line of its environment (`SWITCHYARD_HOME=…`): a pid alone may by now be a stranger's.
    """
    try:
        pid = int(pid_file.read_text())
        environ = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except (OSError, ValueError):
        pid_file.unlink(missing_ok=True)
        return None
    if os.fsencode(mark) not in environ:
        pid_file.unlink(missing_ok=True)
        return None
    os.killpg(pid, signal.SIGTERM)
    until = time.monotonic() + 8
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    if Path(f"/proc/{pid}").exists():
        os.killpg(pid, signal.SIGKILL)
    pid_file.unlink(missing_ok=True)
    return pid_file.stem


def _ending(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
