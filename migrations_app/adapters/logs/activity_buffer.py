"""Notes of requests kept in memory, and written into the activity log in batches by a thread of their own."""

from __future__ import annotations

import atexit
import logging
import os
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event, Lock, Thread

from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.logs.activity import ActivityBatch, ActivityEntry, ActivityLog

MOST_WAITING = 20_000
MOST_AT_ONCE = 2_000
FLUSH_SECONDS = 1.0
SETTINGS_SECONDS = 5.0
MOST_CORRECTION = timedelta(seconds=1)
"""How far an entry's time is moved on at most, where the clock of the machine was set back."""
log = logging.getLogger(__name__)


class BufferedActivity:
    """`ports.activity.ActivityNotes`. `sampling` tells the shares of reads that are noted, by deployment.

    What is dropped is counted, and the count is written with the next batch. After each burst the process writes down
    that nothing waits any more; the log of one that is killed before shows that.

    The entries of one process are listed in the order in which they were noted, also where the clock of the machine is
    set back a little between them: a later entry takes the time of the one before it.
    """

    def __init__(
        self,
        activity: ActivityLog,
        sampling: Callable[[], Mapping[str, float]],
        *,
        default_sampling: float,
        seconds: float = FLUSH_SECONDS,
        most_waiting: int = MOST_WAITING,
        background: bool = True,
    ) -> None:
        self._activity, self._sampling, self._default = activity, sampling, default_sampling
        self._seconds, self._most, self._background = seconds, most_waiting, background
        self._waiting: deque[tuple[str, ActivityEntry]] = deque()
        self._dropped: Counter[tuple[str, str]] = Counter()
        self._unsettled: set[tuple[str, str]] = set()
        self._latest = datetime.min.replace(tzinfo=UTC)
        self._shares: Mapping[str, float] = {}
        self._shares_until, self._is_asked = 0.0, False
        self._lock, self._counting = Lock(), Lock()
        self._woken = Event()
        self._thread: Thread | None = None
        self.process = f"{socket.gethostname()}:{os.getpid()}:{time.time_ns() // 1_000_000}"

    def read_sampling(self, deployment: str) -> float:
        """Tell which share of the reads is noted, as it was set within the last seconds."""
        self._is_asked = True
        if self._thread is None and self._background:
            self._start()
        return self._shares.get(deployment, self._default)

    def note(self, database: str, entry: ActivityEntry) -> None:
        """Remember a request."""
        if len(self._waiting) >= self._most:
            with self._counting:
                self._dropped[database, entry.deployment] += 1
            return
        if entry.at < self._latest <= entry.at + MOST_CORRECTION:
            entry = replace(entry, at=self._latest)
        self._latest = entry.at
        self._waiting.append((database, entry))
        if self._thread is None and self._background:
            self._start()

    def flush(self) -> bool:
        """Write what waits, and what was dropped; tell whether all of it is written. What cannot be written waits on."""
        with self._lock:
            if self._is_asked and time.monotonic() >= self._shares_until:
                self.read_settings()
            while self._waiting or self._dropped:
                taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_AT_ONCE))]
                with self._counting:
                    dropped, self._dropped = self._dropped, Counter()
                if not self._written(taken, dropped):
                    return False
            return self._settle()

    def close(self) -> None:
        """Write what waits and take no more notes."""
        self._woken.set()
        if self._thread is not None:
            atexit.unregister(self._flush_at_the_end)
            self._thread.join()
        self.flush()

    def read_settings(self) -> None:
        """Read the shares; done now and then, while requests ask for them."""
        self._shares_until, self._is_asked = time.monotonic() + SETTINGS_SECONDS, False
        try:
            self._shares = self._sampling()
        except Exception:
            log.warning("The sampling of reads cannot be read now; what is known goes on.", exc_info=True)

    def _written(self, taken: list[tuple[str, ActivityEntry]], dropped: Counter[tuple[str, str]]) -> bool:
        """Write one batch for each database; what fails waits again, before what came since."""
        failed: list[tuple[str, ActivityEntry]] = []
        for database in dict.fromkeys([each for each, _ in taken] + [each for each, _ in dropped]):
            mine = [entry for each, entry in taken if each == database]
            lost = {deployment: count for (each, deployment), count in dropped.items() if each == database}
            names = dict.fromkeys([entry.deployment for entry in mine] + [*lost])
            batches = {
                name: ActivityBatch(
                    self.process, [e for e in mine if e.deployment == name], lost.get(name, 0), False
                )
                for name in names
            }
            if self._appended(database, batches):
                self._unsettled.update((database, name) for name in names)
            else:
                failed += [(database, entry) for entry in mine]
                with self._counting:
                    self._dropped.update({(database, name): count for name, count in lost.items()})
        self._waiting.extendleft(reversed(failed))
        return not failed

    def _settle(self) -> bool:
        """Write down that nothing waits any more, once after each burst."""
        by_database: dict[str, dict[str, ActivityBatch]] = {}
        for database, name in self._unsettled:
            by_database.setdefault(database, {})[name] = ActivityBatch(self.process, (), 0, True)
        for database, batches in by_database.items():
            if not self._appended(database, batches):
                return False
            self._unsettled -= {(database, name) for name in batches}
        return True

    def _appended(self, database: str, batches: Mapping[str, ActivityBatch]) -> bool:
        try:
            self._activity.append(database, batches)
        except SwitchyardError as error:
            log.warning("The activity log of %s cannot be written now: %s", database, error.message)
            return False
        except Exception:
            log.warning("The activity log of %s cannot be written now.", database, exc_info=True)
            return False
        return True

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="activity", daemon=True)
                self._thread.start()
                atexit.register(self._flush_at_the_end)

    def _flush_at_the_end(self) -> None:
        # The database may be gone by now, and the log of a process that ends is not read.
        log.disabled = True
        self.flush()

    def _run(self) -> None:
        while not self._woken.wait(self._seconds):
            self.flush()
