"""How many requests one source may make: token buckets in the memory of a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import message

BURST_SECONDS = 10
MOST_SOURCES = 10_000


class RateLimit:
    """So many requests a minute for each source; what was not used in ten seconds may be used at once.

    Per process: a number of web processes allows as many times more.
    """

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._burst = max(1.0, self._per_second * BURST_SECONDS)
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def take(self, source: str) -> None:
        """Count a request of a source.

        Raises: Busy (`too-many-requests`) with the seconds until one more is allowed.
        """
        with self._lock:
            now = self._now()
            left, at = self._left.get(source, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._per_second)
            if left < 1:
                raise Busy(
                    message("Too many requests."),
                    code="too-many-requests",
                    remedy=message(
                        "Send fewer, or have the limit raised (SWITCHYARD_RESOURCE_RATE, "
                        "SWITCHYARD_ANONYMOUS_RATE)."
                    ),
                    retry_after_seconds=(1 - left) / self._per_second,
                )
            if source not in self._left and len(self._left) >= MOST_SOURCES:
                self._forget(now)
            self._left[source] = (left - 1, now)

    def _forget(self, now: float) -> None:
        """Forget sources that have their burst again, and, when that is not enough, the longest known half."""
        full = self._burst / self._per_second
        kept = {source: row for source, row in self._left.items() if now - row[1] < full}
        half = list(kept.items())[MOST_SOURCES // 2 :] if len(kept) >= MOST_SOURCES else list(kept.items())
        self._left = dict(half)
