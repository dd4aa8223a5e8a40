"""Hints by Celery: a task's name, a controller's name and a key, sent once the transaction commits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qs, urlsplit

from celery import Celery
from django.db import transaction
from kombu.exceptions import OperationalError

from migrations_app.ports.locks import Leases

RECONCILE = "switchyard.reconcile"
# A web request must not hang on a broker that does not answer: the sweep finds the key anyway.
SEND_SECONDS = 2.0
# Workers pass a hint by that nobody took for so long: the sweep has sent newer ones, and were old ones kept, a queue that
# is longer than its workers manage would never get shorter.
HINT_SECONDS = 30.0

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
    app = Celery("switchyard-hints", broker=broker_url(redis_url), set_as_current=False)
    app.conf.update(
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


class CeleryDispatch:
    """Wakes the key's row with the caller's transaction, and sends the hint after it."""

    def __init__(self, app: Celery, leases: Leases, queue_of: Callable[[str], str]) -> None:
        self._app = app
        self._leases = leases
        self._queue_of = queue_of

    def poke(self, controller: str, key: str) -> None:
        """Make the key due and hint at it on commit."""
        self._leases.wake(controller, key)
        transaction.on_commit(partial(self.send, controller, key))

    def send(self, controller: str, key: str) -> bool:
        """Hint at a key now; a broker that is away only costs the time until the next sweep."""
        try:
            queue = self._queue_of(controller)
            self._app.send_task(RECONCILE, args=[controller, key], queue=queue, expires=HINT_SECONDS)
        except (OperationalError, OSError) as error:
            log.warning("the broker takes no hints, the sweep will: %s", error)
            return False
        return True
