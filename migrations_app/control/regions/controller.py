"""The controller of requests to evict: votes are void once they are about something else, and time runs out."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.peers.answering import answers
from migrations_app.control.regions.repository.eviction_rounds import expire_eviction, freshen_eviction
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass
from migrations_app.models.evictions import Eviction
from migrations_app.ports.regions.peers import Peer, Peers

LOOK_AT_EVICTIONS_SECONDS = 60.0


class EvictionKeeping:
    """One key for each request that is open."""

    name = "evictions"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases, peers: Peers) -> None:
        self._leases, self._peers = leases, peers

    def due(self) -> Iterable[str]:
        """List the requests that are open."""
        return list(Eviction.objects.filter(closed_at__isnull=True).values_list("pk", flat=True))

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Look once: end what is past its deadline, void what was given before it answered or the policy changed.

        Once: a round names what is agreed to and a request ends once; both are decided under the request's lock.
        """
        row = Eviction.objects.filter(pk=key, closed_at__isnull=True).first()
        if row is None:
            return Done()
        # Who is gone takes its time not to answer: no other transaction waits at the row meanwhile.
        there = answers(self._peers, Peer(row.service, row.region))
        with transaction.atomic():
            self._leases.confirm(lease)
            if expire_eviction(key, timezone.now()):
                return Done()
            freshen_eviction(key, answers=there)
        return Again(LOOK_AT_EVICTIONS_SECONDS)
