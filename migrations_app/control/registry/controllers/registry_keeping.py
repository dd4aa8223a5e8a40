"""Keeps the registry: services info follows the graph, and old changes are forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.registry.repository import settling as registry_settling
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass
from migrations_app.models.registry import RegistryChange, RegistryHead

SERVICES_INFO, HISTORY = "services-info", "history"
BATCH = 200
KEPT_DAYS = 7
FORGET_EVERY_SECONDS = 600.0


class RegistryKeeping:
    """Two keys: `services-info` is due after every change, `history` every ten minutes."""

    name = "registry"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases

    def due(self) -> Iterable[str]:
        """List the keys with work; one query of one row."""
        return (SERVICES_INFO, HISTORY) if registry_settling.unsettled() else (HISTORY,)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Bring services info level in batches, or forget a batch of old changes."""
        while True:
            with transaction.atomic():
                self._leases.confirm(lease)
                done = registry_settling.settle(BATCH) if key == SERVICES_INFO else forget()
            if not done:
                return Done() if key == SERVICES_INFO else Again(FORGET_EVERY_SECONDS)
            if budget.spent:
                return Again()


def forget(older_than: timedelta = timedelta(days=KEPT_DAYS), limit: int = 1000) -> int:
    """Forget the oldest changes and count them; watchers that far behind start over with a hard reset."""
    with transaction.atomic():
        head = RegistryHead.objects.select_for_update().filter(id=1).first()
        old = RegistryChange.objects.filter(at__lt=timezone.now() - older_than).order_by("seq")
        last = list(old.values_list("seq", flat=True)[:limit])
        if head is None or not last:
            return 0
        RegistryChange.objects.filter(seq__lte=last[-1]).delete()
        head.pruned = last[-1]
        head.save(update_fields=["pruned"])
    return len(last)
