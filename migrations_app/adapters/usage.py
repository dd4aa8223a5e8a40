"""Notes of use kept in memory, counted by a thread of their own, and written down in batches."""

from __future__ import annotations

import atexit
import logging
from collections import deque
from collections.abc import Callable
from threading import Event, Lock, Thread

from migrations_app.engine.serving.usage import UsageTally
from migrations_app.ports.services.usage import Use

MOST_NOTES = 10_000
MOST_SUMS = 50_000
FLUSH_SECONDS = 5.0
log = logging.getLogger(__name__)


class BufferedUsage:
    """Takes notes without waiting; `write` keeps sums, and is called by one thread at a time."""

    def __init__(
        self, write: Callable[[UsageTally], None], *, seconds: float = FLUSH_SECONDS, background: bool = True
    ) -> None:
        self._write, self._seconds, self._background = write, seconds, background
        self._notes: deque[Use] = deque()
        self._unwritten = UsageTally()
        self._lost = 0
        self._lock = Lock()
        self._woken = Event()
        self._thread: Thread | None = None

    def note(self, use: Use) -> None:
        """Remember a use; when too many wait, only that there was one more."""
        if len(self._notes) >= MOST_NOTES:
            self._lost += 1
            return
        self._notes.append(use)
        if self._thread is None and self._background:
            self._start()

    def flush(self) -> None:
        """Count what was noted and write it down; what cannot be written now is kept for the next time."""
        with self._lock:
            self._unwritten.uncounted += self._lost
            self._lost = 0
            while self._notes:
                self._unwritten.take(self._notes.popleft())
            if self._unwritten.is_empty:
                return
            try:
                self._write(self._unwritten)
            except Exception:
                log.warning("Counts of use cannot be written just now.", exc_info=True)
                if len(self._unwritten.sums) < MOST_SUMS:
                    return
                log.warning("%s counts of use are lost.", len(self._unwritten.sums))
            self._unwritten = UsageTally()

    def close(self) -> None:
        """Write what is noted down and stop counting."""
        self._woken.set()
        if self._thread is not None:
            atexit.unregister(self._flush_at_the_end)
            self._thread.join()
        self.flush()

    def _start(self) -> None:
        with self._lock:
            if self._thread is not None:
                return
            self._thread = Thread(target=self._run, name="usage", daemon=True)
            self._thread.start()
            atexit.register(self._flush_at_the_end)

    def _flush_at_the_end(self) -> None:
        # The database may be gone by now, and the log of a process that ends is not read.
        log.disabled = True
        self.flush()

    def _run(self) -> None:
        while not self._woken.wait(self._seconds):
            self.flush()
