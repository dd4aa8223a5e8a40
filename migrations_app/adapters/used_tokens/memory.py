"""Used service tokens in memory, for one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from migrations_app.ports.regions.used_tokens import UsedTokens


class MemoryUsedTokens(UsedTokens):
    """Remembers used tokens of this process."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now, self._until, self._lock = now, dict[str, float](), Lock()

    def claim(self, token: str, until: float) -> bool:
        """Note that a token is used now; false when it was used before."""
        with self._lock:
            now = self._now()
            if self._until.get(token, now) > now:
                return False
            if len(self._until) > 10_000:
                self._until = {key: end for key, end in self._until.items() if end > now}
            self._until[token] = until
            return True
