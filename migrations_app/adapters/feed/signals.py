"""Tells that a data database was written to: at once after a commit, then at most once a second for each database."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Condition, Thread

from django.db import close_old_connections

EVERY_SECONDS = 1.0

log = logging.getLogger(__name__)


def hanging_up(send: Callable[[str], object]) -> Callable[[str], None]:
    """Let something be sent by a thread that lives on, over a connection to the control database that is looked after."""

    def _send(database: str) -> None:
        close_old_connections()
        try:
            send(database)
        finally:
            close_old_connections()

    return _send


class FeedSignals:
    """Gathers the commits of this process and tells of them in a thread of its own, so that no writer waits for it.

    A signal may be lost with its process, or where the control database does not answer: who is told looks by itself
    now and then. Until `start` nothing is told.
    """

    def __init__(self, send: Callable[[str], object], *, every_seconds: float = EVERY_SECONDS) -> None:
        self._send, self._every_seconds = send, every_seconds
        self._waiting: set[str] = set()
        self._rests_until: dict[str, float] = {}
        self._changed = Condition()
        self._thread: Thread | None = None
        self._ended = False

    def note(self, database: str) -> None:
        """Note that something was committed in a database."""
        if self._thread is None or database in self._waiting:
            return
        with self._changed:
            self._waiting.add(database)
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
        while (database := self._next()) is not None:
            try:
                self._send(database)
            except Exception as error:
                log.warning(
                    "no signal that %s was written to is sent, the next look finds it: %s", database, error
                )

    def _next(self) -> str | None:
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                ready = [each for each in self._waiting if self._rests_until.get(each, 0.0) <= now]
                if ready:
                    # What is committed from here on is told once more.
                    self._waiting.discard(ready[0])
                    self._rests_until[ready[0]] = now + self._every_seconds
                    return ready[0]
                rests = [self._rests_until[each] - now for each in self._waiting]
                self._changed.wait(min(rests, default=None))
        return None
