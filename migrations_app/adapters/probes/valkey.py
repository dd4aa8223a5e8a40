"""The broker: whether it answers, and what it says of itself."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import redis
from django.conf import settings

from migrations_app.ports.processes.probes import ServerProbe, ServerState

ANSWER_SECONDS = 2.0
"""How long an answer is waited for."""
KEPT_SECONDS = 5.0
"""How long what was seen is taken for what is."""


@dataclass(frozen=True, slots=True)
class ValkeyProbe(ServerProbe):
    """Asks the server of the Redis protocol at `url`."""

    url: str
    seconds: float = ANSWER_SECONDS

    def look(self) -> ServerState | None:
        """Ask for its name, its version and since when it runs."""
        try:
            with redis.Redis.from_url(
                self.url, socket_timeout=self.seconds, socket_connect_timeout=self.seconds
            ) as client:
                info = client.info("server")
        except (redis.RedisError, OSError, ValueError):
            return None
        name = str(info.get("server_name") or "redis")
        version = str(info.get(f"{name}_version") or info.get("redis_version") or "?")
        uptime = timedelta(seconds=float(str(info.get("uptime_in_seconds", 0))))
        return ServerState(name.capitalize(), version, datetime.now(UTC) - uptime)


def broker_probe() -> ValkeyProbe:
    """Give the probe of the broker of this installation."""
    return ValkeyProbe(settings.SWITCHYARD.redis_url)


def broker_answers() -> bool:
    """Tell whether the broker answers, as this process saw at most some seconds ago."""
    return _answers(int(time.monotonic() / KEPT_SECONDS))


@lru_cache(maxsize=1)
def _answers(moment: int) -> bool:
    return broker_probe().look() is not None
