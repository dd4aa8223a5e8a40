"""Durations of writes counted in memory, and reported once a second by a thread of their own while there are any."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from threading import Event, Lock, Thread

from migrations_app.domain.sync.write_latency import latency_class

REPORT_SECONDS = 1.0
KEPT_SECONDS = 14
MOST_DEPLOYMENTS = 32
"""Of so many deployments, those with the most writes, a process reports; of the others nothing is known."""
Seconds = dict[int, Counter[int]]
log = logging.getLogger(__name__)


class WriteLatencyLog:
    """Takes notes without waiting; `report` gets all that was noted in the last seconds, by deployment and second."""

    def __init__(
        self, report: Callable[[Mapping[str, Seconds]], None], *, now: Callable[[], float] = time.time
    ) -> None:
        self._report, self._now = report, now
        self._noted: dict[str, Seconds] = {}
        self._unreported = False
        self._lock = Lock()
        self._ended = Event()
        self._thread: Thread | None = None

    def note(self, deployment: str, seconds: float) -> None:
        """Count a write that was just answered."""
        at, number = int(self._now()), latency_class(seconds)
        with self._lock:
            noted = self._noted.setdefault(deployment, {})
            if at not in noted:
                noted[at] = Counter()
                _forget(noted, at - KEPT_SECONDS)
            noted[at][number] += 1
            self._unreported = True

    def start(self) -> None:
        """Report from now on, in a thread."""
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="write-latency", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def flush(self) -> None:
        """Report what was noted, if there is anything new."""
        with self._lock:
            if not self._unreported:
                return
            self._unreported = False
            for seconds in self._noted.values():
                _forget(seconds, int(self._now()) - KEPT_SECONDS)
            self._noted = {name: seconds for name, seconds in self._noted.items() if seconds}
            busiest = sorted(self._noted, key=lambda name: (-_writes(self._noted[name]), name))
            told = {
                name: {at: Counter(counts) for at, counts in self._noted[name].items()}
                for name in busiest[:MOST_DEPLOYMENTS]
            }
        try:
            self._report(told)
        except Exception:
            # The next report tells the same seconds again.
            log.warning("How long writes took cannot be reported just now.", exc_info=True)

    def _run(self) -> None:
        while not self._ended.wait(REPORT_SECONDS):
            self.flush()


def _forget(seconds: Seconds, before: int) -> None:
    for at in [at for at in seconds if at <= before]:
        del seconds[at]


def _writes(seconds: Seconds) -> int:
    return sum(counts.total() for counts in seconds.values())
