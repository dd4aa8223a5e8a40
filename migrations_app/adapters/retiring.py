"""Versions that retire, remembered for half a minute: every answer of the resource API asks."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date

from django.db import DatabaseError

from migrations_app.models.retirements import VersionRetirement

KEPT_SECONDS = 30.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retirement:
    """One version of a service: told on a day, gone on another."""

    service: str
    version: str
    since: date
    sunset: date
    note: str


def retirements() -> list[Retirement]:
    """List the versions that retire, or did, the nearest end first."""
    rows = VersionRetirement.objects.filter(retires_on__isnull=False).order_by(
        "retires_on", "service", "version"
    )
    return [
        Retirement(row.service, row.version, row.set_at.astimezone(UTC).date(), row.retires_on, row.note)
        for row in rows
        if row.retires_on is not None
    ]


class Retiring:
    """The versions that retire, by service and version."""

    def __init__(self, kept_seconds: float = KEPT_SECONDS) -> None:
        self._kept_seconds = kept_seconds
        self._known: Mapping[tuple[str, str], Retirement] = {}
        self._until = 0.0

    def known(self) -> Mapping[tuple[str, str], Retirement]:
        """Give them, read anew when they are old; a database that is away changes nothing."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + self._kept_seconds
            try:
                self._known = {(each.service, each.version): each for each in retirements()}
            except DatabaseError as error:
                log.warning("the versions that retire cannot be read: %s", error)
        return self._known
