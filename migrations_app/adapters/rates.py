"""How often something happened in the last while, counted for all processes in Valkey."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field
from functools import cache

import redis
from django.conf import settings

PREFIX = "switchyard:rate:"
TIMEOUT_SECONDS = 0.5
AWAY_SECONDS = 5.0
MOST_CONNECTIONS = 50
MOST_LOCAL = 20_000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Spent:
    """How often it happened since the window began, and when the next one begins."""

    count: int
    resets_in_seconds: float


@dataclass(slots=True)
class LocalRates:
    """Counts of this process alone; what comes when it is full shares one count, so that nothing is pushed out."""

    most: int = MOST_LOCAL
    _windows: dict[str, tuple[float, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, key: str, window_seconds: int) -> Spent:
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
        return Spent(count + 1, ends - now)


class SharedRates:
    """Counts that all processes share; while Valkey is away each process counts by itself."""

    def __init__(self, url: str) -> None:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=MOST_CONNECTIONS,
            timeout=TIMEOUT_SECONDS,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
        )
        self._client = redis.Redis(connection_pool=pool)
        self._local = LocalRates()
        self._away_until = 0.0

    def spend(self, key: str, window_seconds: int) -> Spent:
        """Count once more in the window that the first one began."""
        if time.monotonic() < self._away_until:
            return self._local.spend(key, window_seconds)
        try:
            return self._spend(PREFIX + key, window_seconds)
        except redis.RedisError as error:
            # A request must not wait for it again and again.
            self._away_until = time.monotonic() + AWAY_SECONDS
            log.warning("rates are counted by each process alone: %s", type(error).__name__)
            return self._local.spend(key, window_seconds)

    def _spend(self, key: str, window_seconds: int) -> Spent:
        with self._client.pipeline(transaction=True) as pipe:
            pipe.set(key, 0, ex=window_seconds, nx=True)
            pipe.incr(key)
            pipe.pttl(key)
            _, count, left = pipe.execute()
        return Spent(int(count), max(int(left), 0) / 1000)


@cache
def shared_rates() -> SharedRates:
    """Give the counts of this installation."""
    return SharedRates(settings.SWITCHYARD.redis_url)
