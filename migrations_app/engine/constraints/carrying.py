"""What a deletion does to those who refer to what was deleted: cascades and unsets, in bounded batches."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.domain.constraints.references import DocumentReference
from migrations_app.engine.constraints.answering import referrers_to
from migrations_app.engine.constraints.messages import Dying
from migrations_app.engine.constraints.sweeping import Sweeping
from migrations_app.engine.controller import Budget
from migrations_app.engine.serving.erasure import ErasingServer
from migrations_app.engine.serving.routing import Router
from migrations_app.ports.regions.arrangements import Arrangements, PendingDeletion
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading

BATCH = 200
"""So many referrers are taken at once, each with what goes with it."""


class Carrying:
    """Deletes or clears the referrers of what a deployment is deleting.

    It looks again each time, and ends when nothing refers any more: a reference may still arrive after the
    first look. Source: the model `cascade`, where a subscriber that runs once is refuted.
    """

    def __init__(self, router: Router, arrangements: Arrangements | None) -> None:
        self._router = router
        self.erasing = ErasingServer(router, arrangements)
        self.sweeping = Sweeping(router)

    def carry_on(self, here: Peer, service: str, things: Sequence[Dying], budget: Budget) -> int:
        """Take batches until nothing moves any more, or the budget is spent; tell how many moved."""
        moved = 0
        while things and not budget.spent:
            carried = self.carry(here, service, things)
            moved += carried
            if not carried:
                break
        return moved

    def carry(self, here: Peer, service: str, things: Sequence[Dying], batch: int = BATCH) -> int:
        """Take one batch of those here who refer to things of a service; tell how many resources moved."""
        unsets, cascades = self._router.read_active(
            here.region, here.service, lambda _, reading: _who(reading, service, things, batch)
        )[1]
        moved = 0
        if unsets:
            names = {name for thing in things for _, name in thing.names.values()}
            moved += self.erasing.clear(here, unsets, lambda found: _is_unset(found, service, names))
        return moved + self.sweeping.sweep(here, cascades).moved


def _who(
    reading: Reading, service: str, things: Sequence[Dying], batch: int
) -> tuple[Sequence[PendingDeletion], Sequence[PendingDeletion]]:
    found = []
    for kind in ("UNSET", "CASCADE"):
        # Who was marked before goes when what blocks it does, which the deleting controller watches.
        referrers = referrers_to(
            reading, service, things, kind, each=batch, most=batch, staying=kind == "CASCADE"
        )
        found.append(list(dict.fromkeys(PendingDeletion(each.type, each.name) for _, each in referrers)))
    return found[0], found[1]


def _is_unset(found: DocumentReference, service: str, names: set[str]) -> bool:
    return (found.service, found.kind) == (service, "UNSET") and found.name in names
