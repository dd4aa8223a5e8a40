"""The debug sessions that are open, remembered for a moment: every request asks."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from django.db import DatabaseError
from django.utils import timezone

from migrations_app.models.logs import ConversionSession
from migrations_app.ports.conversion_records import ObservationSession

KEPT_SECONDS = 2.0
log = logging.getLogger(__name__)


class OpenSessions:
    """The open sessions of a deployment that record what an account calls."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._known: tuple[ObservationSession, ...] = ()
        self._until = 0.0

    def of(self, deployment: str, caller: str) -> list[ObservationSession]:
        """List them, read anew when they are old; a database that does not answer changes nothing."""
        if self._now() >= self._until:
            self._until = self._now() + KEPT_SECONDS
            try:
                self._known = tuple(_open())
            except DatabaseError as error:
                log.warning("the open conversion sessions cannot be read: %s", error)
        if not self._known:
            return []
        now = timezone.now()
        return [
            each
            for each in self._known
            if each.deployment == deployment and each.client in ("", caller) and each.expires_at > now
        ]

    def close(self, session: str) -> None:
        """Forget a session that is full."""
        self._known = tuple(each for each in self._known if each.id != session)


def _open() -> Sequence[ObservationSession]:
    rows = ConversionSession.objects.filter(ended_at__isnull=True, expires_at__gt=timezone.now())
    return [
        ObservationSession(row.id, row.deployment, row.client, row.resource, row.most_records, row.expires_at)
        for row in rows
    ]
