"""The controller of subscribed deletions: follows what other deployments delete, and carries it on here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from migrations_app.engine.constraints.carrying import Carrying
from migrations_app.engine.constraints.messages import Deletions, WatchDeletions, read, write
from migrations_app.engine.constraints.pending import AWAY_SECONDS, Hosted
from migrations_app.engine.controller import Again, Budget, Lease, Outcome
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel.errors import Busy, SwitchyardError
from migrations_app.ports.arrangements import Arrangements
from migrations_app.ports.peers import Peer, Peers

POLL_SECONDS = 20.0
PAGE = 500

Interests = Callable[[Peer], Sequence[Peer]]
"""Tells whose deletions concern a deployment: those of what it imports in all regions, and its own service's."""


class SubscribedController:
    """Watches the deletions of one region's deployments for one of ours; a key names both.

    The watch is by level, not by edge: whatever is being deleted and may be referred to from here is told
    again in every round, until it is finalised there. Source: the model `cascade`, D1.
    """

    name = "subscribed-deletions"
    queue = "constraints"

    def __init__(
        self, router: Router, peers: Peers, arrangements: Arrangements, hosted: Hosted, interests: Interests
    ) -> None:
        self._peers, self._hosted, self._interests = peers, hosted, interests
        self._carrying = Carrying(router, arrangements)

    def due(self) -> Iterable[str]:
        """List our deployments, each with the regions it watches: one that hangs holds up no other."""
        return [
            key_of(here, region)
            for here in self._hosted()
            for region in dict.fromkeys(there.region for there in self._interests(here))
        ]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Take one round over what the deployments of the region are deleting."""
        ours, _, region = key.partition("<")
        here, moved = Peer.parse(ours), 0
        for there in self._interests(here):
            if there.region != region or budget.spent:
                continue
            try:
                moved += self._round(here, there, budget)
            except Busy as error:
                return Again(max(AWAY_SECONDS, error.retry_after_seconds), fruitless=True)
        return Again() if moved else Again(POLL_SECONDS)

    def _round(self, here: Peer, there: Peer, budget: Budget) -> int:
        after, moved = "", 0
        while not budget.spent:
            asked = write(WatchDeletions(after, PAGE))
            answer = self._peers.call(here, there, "watchImportedServiceDeletions", asked)
            found = read(answer, Deletions)
            try:
                moved += self._carrying.carry_on(here, there.service, found.deletions, budget)
            except SwitchyardError:
                break  # the next round tries again
            if not found.next:
                break
            after = found.next
        return moved


def key_of(here: Peer, region: str) -> str:
    """Name the work of watching a region for a deployment."""
    return f"{here.deployment}<{region}"
