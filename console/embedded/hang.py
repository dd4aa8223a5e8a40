"""Watches over processes that do not answer: one that has not answered yet, and one that does not any more."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from console.embedded.child import Child, Say

EVERY_SECONDS = 2.0
IDLE_PROBES = 3
"""So many probes in a row may fail of a process that did nothing meanwhile: it is stopped, or waits for itself."""
BUSY_PROBES = 12
"""So many of one that used the processor: it may only be slow, and starting it again would make that worse."""

START_SECONDS = 90.0
"""How long a process that starts may use nothing of the processor, and how much of it it may use in all."""
STARTS = 5


@dataclass(slots=True)
class StartWatch:
    """Judges a process that has not answered yet by what it used of the processor, not by the clock.

    On a machine whose processors are busy a start takes many times as long and is not broken.
    """

    used_at: float
    """When it was last seen to have used the processor, at first when the wait began; monotonic seconds."""
    pid: int | None = None
    starts: int = 0
    used: int = 0

    def has_failed(self, pid: int | None, now: float) -> bool:
        """Note which process starts at `now` (monotonic seconds); true when it will not answer any more."""
        if pid is not None and pid != self.pid:
            self.pid, self.used = pid, 0
            self.starts += 1
        used = (processor_ticks(pid) if pid is not None else None) or 0
        if used > self.used:
            self.used, self.used_at = used, now
        spent = self.used / os.sysconf("SC_CLK_TCK")
        return self.starts > STARTS or spent > START_SECONDS or now - self.used_at > START_SECONDS


@dataclass(slots=True)
class HangWatch:
    """Asks a child now and then whether it answers; counts failed probes, not time, so that a machine that slept or
    had no turn for anybody is no fault of the child's."""

    child: Child
    answers: Callable[[], bool]
    answered: int = 0
    failed: int = 0
    used: int | None = None

    async def watch(self, say: Say) -> None:
        """Ask until cancelled."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            process = self.child.process
            if process is None or process.poll() is not None or self.child.stopping:
                continue
            answered = await asyncio.to_thread(self.answers)
            if process is self.child.process and self.is_hung(process.pid, answered):
                say(f"{self.child.name} lives and does not answer; it is ended and started again")
                os.killpg(process.pid, signal.SIGKILL)

    def is_hung(self, pid: int, answered: bool) -> bool:
        """Note what a probe of a process came to; true when it is time to end it."""
        if answered:
            self.answered, self.failed = pid, 0
        elif self.answered == pid:
            # One that has not answered yet is still starting.
            self.failed += 1
            if self.failed == 1:
                self.used = processor_ticks(pid)
            idle = self.used is not None and processor_ticks(pid) == self.used
            if self.failed >= (IDLE_PROBES if idle else BUSY_PROBES):
                self.failed = 0
                return True
        return False


def processor_ticks(pid: int) -> int | None:
    """Tell how much of the processor a process has used, in ticks; None where that is unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[11]) + int(fields[12])
