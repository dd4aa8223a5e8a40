"""The broker, looked at from here: whether it answers, and what it says of itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import lru_cache

import redis
from django.conf import settings

ANSWER_SECONDS = 2.0
"""How long an answer is waited for."""
KEPT_SECONDS = 5.0
"""How long what was seen is taken for what is."""


def broker_info() -> Mapping[str, object] | None:
    """Ask the broker what it is; None when it does not answer."""
    try:
        with redis.Redis.from_url(
            settings.SWITCHYARD.redis_url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
        ) as client:
            info: Mapping[str, object] = client.info("server")
    except (redis.RedisError, OSError, ValueError):
        return None
    return info


def broker_answers() -> bool:
    """Tell whether the broker answers, as this process saw at most some seconds ago."""
    return _answers(int(time.monotonic() / KEPT_SECONDS))


@lru_cache(maxsize=1)
def _answers(moment: int) -> bool:
    return broker_info() is not None
