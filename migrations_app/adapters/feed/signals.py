"""Tells that namespaces were written to: at once after a commit, then at most once a second for each data database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from threading import Condition, Thread

from django.db import close_old_connections

from migrations_app.ports.namespaces import Namespace

EVERY_SECONDS = 1.0
MOST_NAMESPACES = 8
"""Where more were written to, all namespaces of the database are looked at by one question: the number is a guess."""

log = logging.getLogger(__name__)


def hanging_up(send: Callable[[str, Collection[str]], object]) -> Callable[[str, Collection[str]], None]:
    """Let something be sent by a thread that lives on, over a connection to the control database that is looked after."""

    def _send(database: str, schemas: Collection[str]) -> None:
        close_old_connections()
        try:
            send(database, schemas)
        finally:
            close_old_connections()

    return _send


class FeedSignals:
    """Gathers the commits of this process and tells of them in a thread of its own, so that no writer waits for it.

    `send` gets a database and the schemas of its namespaces that were written to; none stands for all of them. A signal
    may be lost with its process, or where the control database does not answer: the receiver looks by itself now and
    then. Until `start` nothing is told.
    """

    def __init__(
        self, send: Callable[[str, Collection[str]], object], *, every_seconds: float = EVERY_SECONDS
    ) -> None:
        self._send, self._every_seconds = send, every_seconds
        self._waiting: dict[str, set[str]] = {}
        self._whole: set[str] = set()
        self._rests_until: dict[str, float] = {}
        self._changed = Condition()
        self._thread: Thread | None = None
        self._ended = False

    def note(self, namespace: Namespace) -> None:
        """Note that something was committed in a namespace."""
        if self._thread is None or namespace.schema in self._waiting.get(namespace.database, ()):
            return
        with self._changed:
            self._waiting.setdefault(namespace.database, set()).add(namespace.schema)
            self._changed.notify()

    def note_all(self, database: str) -> None:
        """Note that something may have been committed in any namespace of a database."""
        if self._thread is None:
            return
        with self._changed:
            self._waiting.setdefault(database, set())
            self._whole.add(database)
            self._changed.notify()

    def start(self) -> None:
        """Begin to tell."""
        with self._changed:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="feed-signals", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Stop telling."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _run(self) -> None:
        while (found := self._next()) is not None:
            database, schemas = found
            try:
                self._send(database, schemas)
            except Exception as error:
                log.warning(
                    "no signal that %s was written to is sent, the next look finds it: %s", database, error
                )

    def _next(self) -> tuple[str, Collection[str]] | None:
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                ready = [each for each in self._waiting if self._rests_until.get(each, 0.0) <= now]
                if ready:
                    # What is committed from here on is told once more.
                    database, schemas = ready[0], self._waiting.pop(ready[0])
                    whole = database in self._whole or len(schemas) > MOST_NAMESPACES
                    self._whole.discard(database)
                    self._rests_until[database] = now + self._every_seconds
                    return database, () if whole else sorted(schemas)
                rests = [self._rests_until[each] - now for each in self._waiting]
                self._changed.wait(min(rests, default=None))
        return None
