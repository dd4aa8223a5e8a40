"""Rates counted by one process."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from migrations_app.ports.processes.rates import RateCount, Rates

MOST_KEYS = 20_000


@dataclass(slots=True)
class MemoryRates(Rates):
    """Counts of this process alone; what comes when it is full shares one count, so that nothing is pushed out."""

    most: int = MOST_KEYS
    _windows: dict[str, tuple[float, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, key: str, window_seconds: int) -> RateCount:
        """Count once more."""
        now = time.monotonic()
        with self._lock:
            if key not in self._windows and len(self._windows) >= self.most:
                self._windows = {name: kept for name, kept in self._windows.items() if kept[0] > now}
                key = key if len(self._windows) < self.most else ""
            ends, count = self._windows.get(key, (0.0, 0))
            if ends <= now:
                ends, count = now + window_seconds, 0
            self._windows[key] = (ends, count + 1)
        # The difference of two floating-point numbers may exceed the window by a rounding, and be a second more when shown.
        return RateCount(count + 1, min(ends - now, float(window_seconds)))
