"""What a deletion does to those who refer to what was deleted: cascades and unsets, in bounded batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from migrations_app.domain.constraints.references import Found
from migrations_app.engine.constraints.answering import referrers_to
from migrations_app.engine.constraints.messages import Dying
from migrations_app.engine.constraints.naming import names_of
from migrations_app.engine.serving.erasing import ErasingServer
from migrations_app.engine.serving.routing import Route, Router
from migrations_app.ports.arrangements import Arrangements, Doomed
from migrations_app.ports.peers import Peer
from migrations_app.ports.store import Reading, Resource

BATCH = 100


@dataclass(frozen=True, slots=True)
class Carried:
    """What one batch did: how many resources went, were marked or changed; `more` when others are left."""

    moved: int
    more: bool


class Carrying:
    """Deletes or clears the referrers of what a deployment is deleting.

    It looks again each time, and ends when nobody refers any more: a reference may still arrive after the
    first look. Source: the model `cascade`, where a subscriber that runs once is refuted.
    """

    def __init__(self, router: Router, arrangements: Arrangements | None) -> None:
        self._router = router
        self.erasing = ErasingServer(router, arrangements, _names)

    def carry(self, here: Peer, service: str, thing: Dying, batch: int = BATCH) -> Carried:
        """Take one batch of those here who refer to a thing of a service."""
        unsets, cascades = self._router.read_active(
            here.region, here.service, lambda _, reading: _who(reading, service, thing, batch)
        )[1]
        moved = 0
        if unsets:
            names = {name for _, name in thing.names.values()}
            moved += self.erasing.clear(here, unsets, lambda found: _is_unset(found, service, names))
        fresh = [each for each in cascades if not self._marked(here, each)]
        moved += self.erasing.erase_or_mark(here, fresh)
        return Carried(moved, more=len(unsets) == batch or len(cascades) == batch)

    def _marked(self, here: Peer, doomed: Doomed) -> bool:
        """Tell whether one was marked before: it goes when what blocks it does, which the controller watches."""
        shadow = self._router.read_active(
            here.region, here.service, lambda _, reading: reading.shadow(doomed.type, doomed.name)
        )[1]
        return shadow is not None and shadow.state.value == "DELETING"


def _who(
    reading: Reading, service: str, thing: Dying, batch: int
) -> tuple[Sequence[Doomed], Sequence[Doomed]]:
    found = []
    for kind in ("UNSET", "CASCADE"):
        referrers = referrers_to(reading, service, thing, kind, limit=batch)
        found.append(list(dict.fromkeys(Doomed(each.type, each.name) for each in referrers)))
    return found[0], found[1]


def _is_unset(found: Found, service: str, names: set[str]) -> bool:
    return (found.service, found.kind) == (service, "UNSET") and found.name in names


def _names(route: Route, resource: Resource) -> dict[str, tuple[str, str]]:
    return names_of(route, resource.type, resource.name, resource.body)
