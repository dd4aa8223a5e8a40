"""Which deployments are evicted, and which of them were registered again: asked for again every few seconds."""

from __future__ import annotations

import time
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, QuerySet
from django.utils import timezone

from migrations_app.domain.approvals.votes import RequestState
from migrations_app.kernel.messages import message
from migrations_app.models.evictions import Eviction
from migrations_app.models.registry import Deployment

KEPT_SECONDS = 5.0
REGISTER_AGAIN = message("Let an administrator register it again, with a higher envRegistryGeneration.")


class KnownEvictions:
    """The evicted deployments with the time they were evicted at, asked for again every few seconds."""

    def __init__(self, kept_seconds: float = KEPT_SECONDS) -> None:
        self._kept_seconds, self._until = kept_seconds, 0.0
        self._known: dict[str, datetime] = {}

    def __call__(self) -> dict[str, datetime]:
        """List those that were evicted and not registered again since."""
        if time.monotonic() >= self._until:
            self._known = evicted()
            self._until = time.monotonic() + self._kept_seconds
        return self._known

    def forget(self) -> None:
        """Ask again the next time."""
        self._until = 0.0


def evicted() -> dict[str, datetime]:
    """List the evicted deployments; one that was registered again is another one."""
    done = Eviction.objects.filter(closed_as=RequestState.USED.value)
    found = list(done.order_by("created_at").values_list("deployment", "uid", "closed_at"))
    uids: dict[str, UUID] = dict(
        Deployment.objects.filter(name__in={name for name, _, _ in found}).values_list("name", "uid")
    )
    return {name: at for name, uid, at in found if at and uids.get(name, uid) == uid}


def evictions_of(deployment: str | OuterRef, uid: UUID | OuterRef) -> QuerySet[Eviction]:
    """Choose the evictions that were done of this registration of a deployment."""
    return Eviction.objects.filter(deployment=deployment, uid=uid, closed_as=RequestState.USED.value)


class DjangoReturns:
    """`engine.constraints.returning.Returns` over the control database."""

    def __init__(self, kept_seconds: float = KEPT_SECONDS) -> None:
        self._kept_seconds, self._until = kept_seconds, 0.0
        self._known: dict[str, datetime] = {}

    def open(self) -> dict[str, datetime]:
        """List those whose references are not announced again yet; asked for again every few seconds."""
        if time.monotonic() >= self._until:
            self._known = _returned()
            self._until = time.monotonic() + self._kept_seconds
        return self._known

    def forget(self) -> None:
        """Ask again the next time."""
        self._until = 0.0

    def settled(self, deployment: str) -> None:
        """Note that nothing is left to be announced."""
        Eviction.objects.filter(
            deployment=deployment, returned_at__isnull=False, settled_at__isnull=True
        ).update(settled_at=timezone.now())
        self.forget()


def _returned() -> dict[str, datetime]:
    found = Eviction.objects.filter(
        closed_as=RequestState.USED.value, returned_at__isnull=False, settled_at__isnull=True
    )
    return {name: at for name, at in found.values_list("deployment", "returned_at") if at}
