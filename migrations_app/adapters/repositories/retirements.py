"""What goes away, remembered for a moment, as every answer of the resource API asks: retiring versions and brown-outs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date

from django.db import DatabaseError
from django.utils import timezone

from migrations_app.domain.compatibility.brown_outs import AnnouncedBrownOut, BrownOutKind
from migrations_app.models.evidence import retirements as rows
from migrations_app.models.evidence.retirements import VersionRetirement
from migrations_app.ports.services.usage import BrownOuts

KEPT_SECONDS = 30.0
BROWN_OUTS_SECONDS = 1.0
"""How long a stop of a brown-out takes at most to reach the resource servers of a process."""
UNREAD_SECONDS = 10.0
"""How long brown-outs count that cannot be read again: whether they were stopped is unknown."""
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
        """Give them, read again when they are old; a database that is away changes nothing."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + self._kept_seconds
            try:
                self._known = {(each.service, each.version): each for each in retirements()}
            except DatabaseError as error:
                log.warning("the versions that retire cannot be read: %s", error)
        return self._known


class RecentBrownOuts(BrownOuts):
    """The brown-outs that are announced or running, read again after a second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: Mapping[tuple[str, str], Sequence[AnnouncedBrownOut]] = {}
        self._until = self._counts_until = 0.0

    def is_empty(self) -> bool:
        """Tell whether there is none."""
        return not self._current()

    def of(self, service: str, version: str) -> Sequence[AnnouncedBrownOut]:
        """List those of a version."""
        return self._current().get((service, version), ())

    def forget(self) -> None:
        """Read them again when they are asked for next."""
        self._until = 0.0

    def _current(self) -> Mapping[tuple[str, str], Sequence[AnnouncedBrownOut]]:
        now = self._clock()
        if now >= self._until:
            self._until = now + BROWN_OUTS_SECONDS
            try:
                self._known = _open_brown_outs()
                self._counts_until = now + UNREAD_SECONDS
            except DatabaseError as error:
                log.warning("brown-outs cannot be read: %s", error)
                if now >= self._counts_until:
                    self._known = {}
        return self._known


def _open_brown_outs() -> dict[tuple[str, str], list[AnnouncedBrownOut]]:
    """Read the brown-outs that were approved and neither stopped nor over."""
    by_version: dict[tuple[str, str], list[AnnouncedBrownOut]] = {}
    open_rows = rows.BrownOut.objects.filter(
        approved_at__isnull=False, stopped_at__isnull=True, ends_at__gt=timezone.now()
    )
    for row in open_rows.order_by("begins_at", "id"):
        by_version.setdefault((row.service, row.version), []).append(brown_out_of(row))
    return by_version


def brown_out_of(row: rows.BrownOut) -> AnnouncedBrownOut:
    """Read a brown-out as the value that decides."""
    return AnnouncedBrownOut(
        row.id,
        row.service,
        row.version,
        BrownOutKind(row.kind),
        row.place,
        row.percent,
        row.begins_at,
        row.ends_at,
        row.sunset,
        row.since,
        row.replaced_by,
        row.approved_at,
    )
