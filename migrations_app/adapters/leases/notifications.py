"""Which controllers may have new keys, as the control database tells it with the commit that made them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

import psycopg

from migrations_app.ports.processes.work_notifications import WorkNotifications

CHANNEL = "switchyard_work"
GATHER_SECONDS = 0.1
"""What is told within this time of the first notification is handed on together."""
QUIET_SECONDS = 30.0
LOST_SECONDS = 2.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PostgresWorkNotifications(WorkNotifications):
    """Listens at the control database at `url`."""

    url: str

    def listen(
        self, heard: Callable[[frozenset[str]], object], missed: Callable[[], object], ended: Event
    ) -> None:
        """Hand on the names of controllers until `ended`."""
        was_lost = False
        while not ended.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    # Not before it listens: what is committed from here on is heard.
                    if was_lost:
                        missed()
                    was_lost = False
                    while not ended.is_set():
                        _hand_on(connection, heard)
            except psycopg.Error as error:
                was_lost = True
                log.warning("the database tells nothing of new keys until it answers again: %s", error)
                ended.wait(LOST_SECONDS)


def _hand_on(
    connection: psycopg.Connection[tuple[object, ...]], heard: Callable[[frozenset[str]], object]
) -> None:
    told = [each.payload for each in connection.notifies(timeout=QUIET_SECONDS, stop_after=1)]
    if told:
        told += [each.payload for each in connection.notifies(timeout=GATHER_SECONDS)]
        heard(frozenset(name for names in told for name in names.split(",")))
