"""Wake-ups by Celery: a message says only "take the next due key", sent once the transaction commits."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from celery import Celery
from django.db import transaction
from kombu.exceptions import OperationalError
from kombu.transport import redis
from kombu.utils.json import dumps

from migrations_app.engine.controller import Controller
from migrations_app.ports.locks import Leases, WokenKey

WORK = "switchyard.work"
# A web request must not hang on a broker that does not answer: the tick finds the key anyway.
SEND_SECONDS = 2.0
BOUND = "switchyard-bound"
"""The header of a message that is only put into a queue that is shorter."""
PUSH = """
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
return redis.call('LPUSH', KEYS[1], ARGV[1])
"""

log = logging.getLogger(__name__)


def broker_url(redis_url: str) -> str:
    """Turn a Redis address into Celery's form of it."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def producer(redis_url: str) -> Celery:
    """Make a Celery application that only sends."""
    app = Celery("switchyard-wakes", broker=broker_url(redis_url), set_as_current=False)
    app.conf.update(
        broker_transport=f"{BoundedTransport.__module__}:{BoundedTransport.__name__}",
        broker_connection_timeout=SEND_SECONDS,
        broker_transport_options={
            "socket_timeout": SEND_SECONDS,
            "socket_connect_timeout": SEND_SECONDS,
            "max_retries": 0,
        },
        task_ignore_result=True,
        task_publish_retry=False,
        task_default_delivery_mode="persistent",
    )
    return app


class BoundedChannel(redis.Channel):
    """A channel that drops a wake-up when enough are waiting: each of those finds whatever is due by then."""

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        bound = (message.get("headers") or {}).get(BOUND)
        if bound is None:
            super()._put(queue, message, **kwargs)
            return
        key = self._q_for_pri(queue, self._get_message_priority(message, reverse=False))
        with self.conn_or_acquire() as client:
            client.eval(PUSH, 1, key, dumps(message), int(bound))


class BoundedTransport(redis.Transport):
    """A transport of bounded queues."""

    Channel: Any = BoundedChannel


class CeleryDispatch:
    """Makes the key due with the caller's transaction, and wakes a worker after it."""

    def __init__(
        self,
        app: Celery,
        leases: Leases,
        controllers: Callable[[], Mapping[str, Controller]],
        threads: Callable[[str], int],
    ) -> None:
        self._app, self._leases = app, leases
        self._controllers, self._threads = controllers, threads
        self._wake_here: Callable[[str], bool] = lambda queue: False

    def wake_here_first(self, wake_here: Callable[[str], bool]) -> None:
        """Let a worker process wake its own waiting threads, which costs no message; `wake_here` tells whether it did."""
        self._wake_here = wake_here

    def poke(self, controller: str, key: str) -> None:
        """Make the key due and wake a worker on commit."""
        known = self._controllers()[controller]
        self._leases.wake(controller, key, work_class=known.work_class)
        transaction.on_commit(partial(self.wake, known.queue))

    def poke_all(self, keys: Collection[WokenKey]) -> None:
        """Make many keys due and wake workers on commit."""
        self._leases.wake_all(keys)
        controllers = self._controllers()
        queues = Counter(controllers[each.controller].queue for each in keys)
        for queue, count in queues.items():
            transaction.on_commit(partial(self.wake, queue, count))

    def wake(self, queue: str, count: int = 1) -> bool:
        """Wake so many threads of the workers of a queue; no more wake-ups wait than there are threads.

        A broker that is away only costs the time until the next tick.
        """
        while count and self._wake_here(queue):
            count -= 1
        if not count:
            return True
        bound = self._threads(queue)
        try:
            for _ in range(min(count, bound)):
                self._app.send_task(WORK, args=[queue], queue=queue, headers={BOUND: bound})
        except (OperationalError, OSError) as error:
            log.warning("the broker takes no wake-ups, one is sent again later: %s", error)
            return False
        return True
