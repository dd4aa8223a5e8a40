"""Shards that wait until one of the threads that compare is free: how soon each asks again.

Asking costs a slice of work. So many shards ask less often each that all of them together ask a fixed number of times a
second, and a thread that becomes free waits about a fifth of a second at most for the next shard.
"""

from __future__ import annotations

from threading import Lock

from migrations_app.kernel.clock import Clock
from migrations_app.ports.checkpoints import ShardKey

ASKED_PER_SECOND = 5.0
"""So often a second all waiting shards of a process ask together."""
LEAST_SECONDS, LONGEST_SECONDS = 0.2, 4.0
"""One shard asks no more often than this, and no less often."""


class WaitingShards:
    """Remembers which shards waited lately in this process; a hint, which other processes need not know."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked: dict[ShardKey, float] = {}
        self._lock = Lock()

    def wait(self, key: ShardKey) -> float:
        """Note that a shard waits, and tell in how many seconds it asks again."""
        now = self._clock.monotonic()
        with self._lock:
            self._asked[key] = now
            # Who did not come back after twice the longest wait is worked on by another process, or has ended.
            self._asked = {each: at for each, at in self._asked.items() if now - at < 2 * LONGEST_SECONDS}
            return min(LONGEST_SECONDS, max(LEAST_SECONDS, len(self._asked) / ASKED_PER_SECOND))

    def remove(self, key: ShardKey) -> None:
        """Note that a shard waits no longer."""
        with self._lock:
            self._asked.pop(key, None)
