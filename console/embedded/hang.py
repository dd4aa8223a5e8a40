"""The watch over a process that lives and does not answer: it is ended, so that its keeper starts it again."""

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
    """Tell how much of the processor a process has used, in ticks; None where nobody can tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[11]) + int(fields[12])
