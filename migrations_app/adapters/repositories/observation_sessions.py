"""The debug sessions that are open, read now and then by a thread of their own: no request waits for the control database."""

from __future__ import annotations

import logging
import time
from threading import Event, Lock, Thread

from django.db import connection
from django.utils import timezone

from migrations_app.models.logs import ConversionSession
from migrations_app.ports.logs.conversion_records import ObservationSession

EVERY_SECONDS = 2.0
QUIET_SECONDS = 10.0
"""So long after the last request the sessions are read no more."""
log = logging.getLogger(__name__)


class OpenSessions:
    """The open sessions of a deployment that record what an account calls."""

    def __init__(self, *, background: bool = True) -> None:
        self._background = background
        self._known: tuple[ObservationSession, ...] = ()
        self._asked_at = 0.0
        self._lock = Lock()
        self._asked, self._ended = Event(), Event()
        self._thread: Thread | None = None

    def of(self, deployment: str, caller: str) -> list[ObservationSession]:
        """List them, as they were within the last seconds."""
        self._asked_at = time.monotonic()
        self._asked.set()
        if self._thread is None and self._background:
            self._start()
        if not self._known:
            return []
        now = timezone.now()
        return [
            each
            for each in self._known
            if each.deployment == deployment and each.client in ("", caller) and each.expires_at > now
        ]

    def refresh(self) -> None:
        """Read them; a database that does not answer changes nothing."""
        try:
            self._known = tuple(_open())
        except Exception:
            log.warning("The open conversion sessions cannot be read now.", exc_info=True)

    def close(self, session: str) -> None:
        """Forget a session that is full."""
        self._known = tuple(each for each in self._known if each.id != session)

    def end(self) -> None:
        """Read them no more."""
        self._ended.set()
        self._asked.set()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="conversion-sessions", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while self._asked.wait() and not self._ended.is_set():
            self.refresh()
            connection.close()
            self._ended.wait(EVERY_SECONDS)
            if time.monotonic() - self._asked_at > QUIET_SECONDS:
                self._asked.clear()
        connection.close()


def _open() -> list[ObservationSession]:
    rows = ConversionSession.objects.filter(ended_at__isnull=True, expires_at__gt=timezone.now())
    return [
        ObservationSession(row.id, row.deployment, row.client, row.resource, row.most_records, row.expires_at)
        for row in rows
    ]
