"""The watch over health: tells the live stream when a part of the system gets better or worse."""

from __future__ import annotations

import time
from collections.abc import Iterable

from django.db import transaction

from migrations_app.adapters import pulses
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.events import outbox
from migrations_app.control.health.checks import components, data_databases
from migrations_app.domain.health import Component
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass
from migrations_app.models.work import Pulse

EVERY_SECONDS = 5.0
TRUSTED_SECONDS = 15.0
NOTED = "health"


class HealthWatch:
    """Looks every few seconds and publishes the parts whose state changed since it looked last."""

    name = "health"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases
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
        """Compare with what was told last."""
        found = components(self._data)
        states = {each.name: each.status for each in found}
        with transaction.atomic():
            self._leases.confirm(lease)
            last = Pulse.objects.filter(name=NOTED).first()
            known = last.details if last else {}
            for each in found:
                if known.get(each.name) != each.status:
                    outbox.publish("health", "component", each.name, full=each.as_json(), rev=lease.epoch)
            pulses.beat(NOTED, "health", {**states})
        return Again(EVERY_SECONDS)
