"""Rates counted for all processes in Valkey."""

from __future__ import annotations

import logging
import time
from functools import cache

import redis
from django.conf import settings

from migrations_app.adapters.rates.memory import MemoryRates
from migrations_app.ports.processes.rates import RateCount, Rates

PREFIX = "switchyard:rate:"
TIMEOUT_SECONDS = 0.5
AWAY_SECONDS = 5.0
MOST_CONNECTIONS = 50

log = logging.getLogger(__name__)


class ValkeyRates(Rates):
    """Counts that all processes share; while Valkey is away each process counts by itself."""

    def __init__(self, url: str, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=MOST_CONNECTIONS,
            timeout=timeout_seconds,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
        )
        self._client = redis.Redis(connection_pool=pool)
        self._local = MemoryRates()
        self._away_until = 0.0

    def spend(self, key: str, window_seconds: int) -> RateCount:
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

    def _spend(self, key: str, window_seconds: int) -> RateCount:
        with self._client.pipeline(transaction=True) as pipe:
            pipe.set(key, 0, ex=window_seconds, nx=True)
            pipe.incr(key)
            pipe.pttl(key)
            _, count, left = pipe.execute()
        return RateCount(int(count), max(int(left), 0) / 1000)


@cache
def shared_rates() -> ValkeyRates:
    """Give the counts of this installation."""
    return ValkeyRates(settings.SWITCHYARD.redis_url)
