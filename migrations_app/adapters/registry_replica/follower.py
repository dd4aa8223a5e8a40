"""Keeps a replica up to date in a thread of a process that serves, says how old it is, and sends reads to it."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import psycopg

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.registry_replica.copying import REPLICATED, ReplicaCopies, replica_state
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.regions.registry_replica import ReplicaReading

EVERY_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 5.0

ALIAS = "registry_replica"
"""Django's name of the database."""
_by_replica: ContextVar[bool] = ContextVar("reading the registry replica", default=False)

log = logging.getLogger(__name__)


def reads_replica() -> bool:
    """Tell whether reads of this thread go to the replica."""
    return _by_replica.get()


@contextmanager
def reading_replica() -> Iterator[None]:
    """Send the reads of the block to the replica."""
    token = _by_replica.set(True)
    try:
        yield
    finally:
        _by_replica.reset(token)


class RegistryReplica(ReplicaReading):
    """The replica that this process serves resources by.

    Every process of a region follows; one of them copies at a time. Until there is a first copy the control database is
    read.
    """

    def __init__(self, control_url: str, databases: Databases, alias: str) -> None:
        self._databases, self._alias = databases, alias
        self._copies = ReplicaCopies(control_url, databases, alias)
        self._known: tuple[float, float] | None = None
        self._pid, self._lock = 0, threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Send the reads of the block to the replica, once there is one."""
        self._start()
        if self._known is None:
            self._look()
        if self._known is None:
            yield
            return
        with reading_replica():
            yield

    def age_seconds(self) -> float | None:
        """Tell how long ago the replica was what the control database holds; None while there is none."""
        known = self._known
        return None if known is None else known[1] + time.monotonic() - known[0]

    def _start(self) -> None:
        with self._lock:
            if self._pid == os.getpid():
                return
            self._pid, self._known = os.getpid(), None
        threading.Thread(target=self._follow, name="registry-replica", daemon=True).start()

    def _follow(self) -> None:
        failures = 0
        while True:
            try:
                self._copies.step()
                failures = 0
            except (psycopg.Error, SwitchyardError, OSError) as error:
                if failures == 0:
                    log.warning("the registry replica is not updated: %s", error)
                failures += 1
            self._look()
            time.sleep(min(EVERY_SECONDS * 2 ** min(failures, 3), LONGEST_PAUSE_SECONDS))

    def _look(self) -> None:
        try:
            found = replica_state(self._databases, self._alias)
        except (psycopg.Error, SwitchyardError) as error:
            log.info("the registry replica cannot be read: %s", error)
            return
        if found is not None:
            self._known = (time.monotonic(), found.age_seconds)


class ReplicaRouter:
    """Django's database router; writes and migrations never meet the replica."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        """Choose the database of a read."""
        return ALIAS if _by_replica.get() and model._meta.db_table in REPLICATED else None

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool | None:
        """Let rows of the replica refer to each other."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        """Keep migrations off the replica: its tables are made as the control database has them."""
        return False if db == ALIAS else None
