"""The watch over health: tells the live stream when a part of the system gets better or worse."""

from __future__ import annotations

import time
from collections.abc import Iterable

from django.db import transaction

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.events import outbox
from migrations_app.control.health.checks import components, data_databases
from migrations_app.domain.health import Component
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass, at_whole
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.json import JsonObject

EVERY_SECONDS, WELL_EVERY_SECONDS = 5.0, 10.0
"""How often it looks while a part is not well, and while all are."""
TRUSTED_SECONDS = 15.0


class HealthWatch:
    """Publishes the parts whose state changed since it looked last; it looks more often while a part is not well."""

    name = "health"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases, clock: Clock) -> None:
        self._leases, self._clock = leases, clock
        self._known: list[Component] = []
        self._trusted_until = 0.0

    def _data(self) -> list[Component]:
        """Look at the data databases; a new connection to each is dear, so those that are well are trusted a while."""
        now = time.monotonic()
        if now >= self._trusted_until:
            self._known = data_databases()
            self._trusted_until = (
                now + TRUSTED_SECONDS if all(each.status == "ok" for each in self._known) else now
            )
        return self._known

    def due(self) -> Iterable[str]:
        """List the one key; its row says when it is due again."""
        return ("system",)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Compare with what was told last, and write only what changed.

        Once: what was told is noted after it was published; a look that is lost publishes it once more.
        """
        found = components(self._data)
        states: JsonObject = {each.name: each.status for each in found}
        is_well = all(each.status == "ok" for each in found)
        again = at_whole(WELL_EVERY_SECONDS if is_well else EVERY_SECONDS, self._clock)
        if states == lease.memo:
            return Again(again)
        with transaction.atomic():
            self._leases.confirm(lease)
            for each in found:
                if lease.memo.get(each.name) != each.status:
                    outbox.publish("health", "component", each.name, full=each.as_json(), rev=lease.epoch)
        return Again(again, memo=states)
