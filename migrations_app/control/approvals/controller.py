"""The controller of requests for approval: votes are void once they are about something else, and time runs out."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.approvals.repository.rounds import MOVING, expire, freshen, locked_request
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass
from migrations_app.models.approvals import ApprovalRequest

LOOK_SECONDS = 10.0


class ApprovalKeeping:
    """One key for each request that is open."""

    name = "approvals"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases) -> None:
        self._leases = leases

    def due(self) -> Iterable[str]:
        """List the requests that are open."""
        return list(ApprovalRequest.objects.filter(closed_at__isnull=True).values_list("pk", flat=True))

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Look once: void what was given for other evidence, end what is past its deadline.

        Once: a round names its evidence and a request ends once; both are decided under the request's lock.
        """
        if not ApprovalRequest.objects.filter(pk=key, closed_at__isnull=True).exists():
            return Done()
        with transaction.atomic():
            self._leases.confirm(lease)
            row = locked_request(key)
            # What is being done was allowed by what was known then; the next look is after it.
            if row.upgrade.state not in MOVING:
                if expire(key, timezone.now()):
                    return Done()
                if not row.upgrade.request:
                    freshen(key)
        left = (row.deadline - timezone.now()).total_seconds()
        return Again(min(LOOK_SECONDS, max(left, 2.0)))
