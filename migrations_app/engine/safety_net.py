"""The safety net of scheduling: asks each controller now and then for keys that have work and were never woken."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol, runtime_checkable
from zlib import crc32

from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import (
    Again,
    Budget,
    Controller,
    Done,
    DueKey,
    Lease,
    Outcome,
    at_whole,
    ensure_listed,
)
from migrations_app.kernel.clock import Clock
from migrations_app.ports.locks import Leases

NAME = "safety-net"
EVERY_SECONDS = 90.0
SPREAD_SECONDS = 30.0
OFTEN_SECONDS = {"switch": 5.0, "sync": 5.0, "parity": 5.0, "webhooks": 2.0}
"""How often these controllers are asked while they have keys; what is new is told by the database anyway."""
FAILED_SECONDS = 5.0

log = logging.getLogger(__name__)


@runtime_checkable
class Restful(Protocol):
    """A controller that may have work soon though it lists no key now."""

    def is_at_rest(self) -> bool:
        """Tell whether it has no key before the database tells of one."""
        ...


class SafetyNet:
    """One key for each controller; its row says when that controller is asked again, so that they are spread out."""

    name = NAME
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(
        self,
        controllers: Callable[[], Mapping[str, Controller]],
        leases: Leases,
        wake: Callable[[str, int], object],
        clock: Clock,
    ) -> None:
        self._controllers, self._leases = controllers, leases
        self._wake, self._clock = wake, clock

    def due(self) -> Iterable[DueKey]:
        """List the controllers, each in its own class: an upgrade does not wait behind upkeep to be found."""
        return [DueKey(name, each.work_class) for name, each in self._controllers().items() if name != NAME]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Make the keys of one controller due that have work and are not scheduled.

        A controller that cannot list its keys keeps no other from its own.
        """
        controller = self._controllers().get(key)
        if controller is None:
            return Done()
        try:
            listed = list(controller.due())
            count = ensure_listed(controller, listed, self._leases)
            at_rest = not listed and (not isinstance(controller, Restful) or controller.is_at_rest())
        except Exception:
            log.exception("%s cannot list its keys", key)
            return Again(FAILED_SECONDS)
        if count:
            self._wake(controller.queue, count)
        seldom = EVERY_SECONDS - crc32(key.encode()) % SPREAD_SECONDS
        often = OFTEN_SECONDS.get(key)
        return Again(at_whole(seldom, self._clock) if at_rest or often is None else often)
