"""Deletes many resources in one transaction: as much of a cascade as fits in it, by statements over sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from migrations_app.domain.constraints.deletion import IncomingReference, Thing
from migrations_app.domain.resources.lifecycle import forbids_deletion, outlives_cascade
from migrations_app.engine.serving.references.stored_references import (
    BLOCKING,
    by_type,
    links_to,
    marked_draft,
)
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import TypedName, names_of
from migrations_app.kernel import failpoints
from migrations_app.ports.regions.arrangements import Agreed, PendingDeletion
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Shadow, ShadowState, StoredResource, Transaction

MOST = 2000
"""So many resources are taken in one transaction."""
_LINKS = 10 * MOST
_NOBODY: Agreed = {}


@dataclass(frozen=True, slots=True)
class Swept:
    """How many resources went, and how many were marked: those stay for now, without new references."""

    gone: int = 0
    marked: int = 0

    @property
    def moved(self) -> int:
        """How many are not as they were."""
        return self.gone + self.marked


class Sweeping:
    """Deletes resources with what goes with them, as far as one transaction goes.

    Who is blocked, or may be referred to from another deployment that was not asked, is marked and stays. Of
    who goes and is still referred to here, the shadow stays. The deleting controller carries both on.
    """

    def __init__(self, router: Router) -> None:
        self._router = router

    def sweep(self, here: Peer, doomed: Sequence[PendingDeletion], agreed: Agreed = _NOBODY) -> Swept:
        """Take one step; `agreed` are those that all who may refer to them from elsewhere let go.

        Once: all of the step commits, or nothing.
        """
        things = [Thing(each.type, each.name) for each in doomed]

        def _change(route: ServingRoute, transaction: Transaction) -> Swept:
            swept = _Step(route, transaction, agreed).take(things)
            failpoints.reach("sweep.before-commit")
            return swept

        swept = self._router.write_active(here.region, here.service, _change)[1] if things else Swept()
        failpoints.reach("sweep.after-commit")
        return swept


@dataclass(frozen=True, slots=True)
class _Step:
    route: ServingRoute
    transaction: Transaction
    agreed: Agreed

    def take(self, doomed: Sequence[Thing]) -> Swept:
        """Delete what nothing holds of what is reached, and mark the rest."""
        reached = self._reach(doomed)
        self.transaction.lock_all([(each.type, each.name) for each in reached])
        shadows = self._shadows(reached)
        dying = [each for each in reached if each in shadows]
        blocking, crowded = self._links(dying, BLOCKING)
        while len(crowded) == len(dying) > 1:
            # Fewer at once, until all that may block them can be looked at.
            dying = dying[: len(dying) // 2]
            blocking, crowded = self._links(dying, BLOCKING)
        resources = self._resources(dying)
        held = self._unagreed({each: shadows[each] for each in dying}) | crowded
        held |= {each for each, resource in resources.items() if forbids_deletion(resource.metadata)}
        later = {each for each, resource in resources.items() if outlives_cascade(resource.metadata)}
        while True:
            staying = _held(dying, blocking, held)
            going = {each: None for each in dying if each not in staying}
            following, crowded = self._links(list(going), ("CASCADE", "UNSET"))
            followed = {link.target for link in following if link.source not in going} | crowded
            waiting = {each for each in later & going.keys() if each in followed or shadows[each].sources}
            if not waiting:
                break
            held |= waiting
        marked = [each for each in staying if shadows[each].state is not ShadowState.DELETING]
        kept = [*marked, *(each for each in going if each in followed or shadows[each].sources)]
        written = self._written(kept, shadows)
        self._mark(marked)
        for type_, names in by_type(going).items():
            self.transaction.delete_all(type_, names)
        self.transaction.constraints.write(*written)
        return Swept(len(going), len(marked))

    def _reach(self, doomed: Sequence[Thing]) -> list[Thing]:
        """Follow cascades level by level until all are reached, or as many as are taken at once."""
        found = dict.fromkeys(doomed[:MOST])
        frontier = list(found)
        while frontier and len(found) < MOST:
            links, _ = links_to(self.route, self.transaction, frontier, ("CASCADE",), MOST, MOST)
            fresh = dict.fromkeys(link.source for link in links if link.source not in found)
            frontier = list(fresh)[: MOST - len(found)]
            found |= dict.fromkeys(frontier)
        return list(found)

    def _shadows(self, things: Iterable[Thing]) -> dict[Thing, Shadow]:
        return {
            Thing(type_, name): shadow
            for type_, names in by_type(things).items()
            for name, shadow in self.transaction.shadows(type_, names).items()
        }

    def _links(
        self, targets: Sequence[Thing], kinds: Sequence[str]
    ) -> tuple[list[IncomingReference], set[Thing]]:
        """List who refers to these, and tell of whom there may be more to say."""
        return links_to(self.route, self.transaction, targets, kinds, MOST + 1, _LINKS)

    def _unagreed(self, shadows: Mapping[Thing, Shadow]) -> set[Thing]:
        """Find what may be referred to from elsewhere, and is not agreed to go."""
        touched = {each: shadow for each, shadow in shadows.items() if shadow.since is not None}
        uids = [shadow.uid for shadow in touched.values() if shadow.uid]
        blocked = {each.uid for each in self.transaction.constraints.blockades(*uids)} if uids else set()
        return {each for each, shadow in touched.items() if self._is_unagreed(shadow, blocked)}

    def _mark(self, things: Sequence[Thing]) -> None:
        """Write down in the metadata of resources that they are being deleted."""
        for resource in self._resources(things).values():
            self.transaction.put(marked_draft(resource), resource.revision)

    def _resources(self, things: Iterable[Thing]) -> dict[Thing, StoredResource]:
        return {
            Thing(type_, name): resource
            for type_, names in by_type(things).items()
            for name, resource in self.transaction.batch_get(type_, names).items()
        }

    def _is_unagreed(self, shadow: Shadow, blocked: set[UUID]) -> bool:
        if shadow.uid in blocked:
            return True
        said = self.agreed.get(shadow.uid) if shadow.uid else None
        agreed = shadow.state is ShadowState.DELETING and said == shadow.delete_id
        return bool(shadow.sources) and not agreed

    def _written(self, things: Sequence[Thing], shadows: Mapping[Thing, Shadow]) -> list[Shadow]:
        """Give the shadows of those that stay in sight, called as they are in every version."""
        found = {
            each: names_of(self.route, each.type, each.name, resource.body)
            for each, resource in self._resources(things).items()
        }
        return [self._dying(shadows[each], found[each]) for each in things]

    def _dying(self, shadow: Shadow, names: dict[str, TypedName]) -> Shadow:
        if shadow.state is ShadowState.DELETING:
            return shadow
        return replace(
            shadow,
            state=ShadowState.DELETING,
            delete_id=shadow.delete_id + 1,
            names=names,
            root=f"{shadow.type} {shadow.name}",
        )


def _held(
    dying: Sequence[Thing], blocking: Sequence[IncomingReference], unagreed: set[Thing]
) -> dict[Thing, None]:
    """Find what stays: what is blocked by one that stays itself, or who is not among them."""
    inside = set(dying)
    blocks: dict[Thing, list[Thing]] = {}
    for link in blocking:
        blocks.setdefault(link.source, []).append(link.target)
    held = dict.fromkeys(each for each in dying if each in unagreed)
    waiting = [*held, *(source for source in blocks if source not in inside)]
    while waiting:
        for target in blocks.get(waiting.pop(), ()):
            if target not in held:
                held[target] = None
                waiting.append(target)
    return held
