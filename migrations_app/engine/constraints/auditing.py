"""The audit of references: every one that is kept has its target, and the target knows who refers to it.

And what was begun has ended: every attempt was settled, and what is deleted is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from migrations_app.engine.constraints.messages import (
    ConfirmOwners,
    NewReference,
    OwnerClaim,
    OwnersConfirmed,
    Verified,
    Verify,
    read,
    write,
)
from migrations_app.engine.constraints.open_attempts import ConstraintFinding, unended
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import stored_as
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.constraints import HeldReference
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Reading, ShadowState

PAGE = 500
LATE_SECONDS = 900.0
"""What takes longer than this has not ended by itself."""
OWNERS_PATH = "metadata.ownerReferences"
Whereabouts = Callable[[Peer, str, str], str | None]
"""Tells the region to ask about a resource of a service; None when the service is not deployed."""


class Auditing:
    """Compares what deployments refer to with what is there."""

    def __init__(
        self,
        router: Router,
        peers: Peers,
        whereabouts: Whereabouts,
        *,
        late_seconds: float = LATE_SECONDS,
    ) -> None:
        self._router, self._peers, self._whereabouts = router, peers, whereabouts
        self._late = late_seconds

    def audit(self, here: Peer) -> Iterator[ConstraintFinding]:
        """Find the references of one deployment that do not hold, and what it is waiting for too long."""
        after = ("", "", -1)
        while True:
            page = self._page(here, after)
            for (there, version), group in grouped(self._whereabouts, here, page).items():
                yield from self._verify(here, there, version, group)
            if len(page) < PAGE:
                break
            last = page[-1]
            after = (last.type, last.name, last.ordinal)
        yield from self._audit_owners(here)
        yield from unended(self._router, here, self._late)

    def _audit_owners(self, here: Peer) -> Iterator[ConstraintFinding]:
        """Find the owners that were confirmed and are gone, without a notice of it."""
        after = UUID(int=0)
        while True:
            page = self._owner_page(here, after)
            told: dict[str, list[OwnerLink]] = {}
            for each in page:
                if each.owner_uid is not None:
                    told.setdefault(each.owner, []).append(each)
            for owner, links in told.items():
                yield from self._verify_owners(here, Peer.parse(owner), links)
            if len(page) < PAGE:
                return
            after = page[-1].ref_id

    def _owner_page(self, here: Peer, after: UUID) -> tuple[OwnerLink, ...]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.owners.page(after, PAGE)
        )[1]

    def _verify_owners(
        self, here: Peer, there: Peer, links: Sequence[OwnerLink]
    ) -> Iterator[ConstraintFinding]:
        def _finding(each: OwnerLink, what: str, reason: str = "") -> ConstraintFinding:
            source = f"//{here.service}/{here.region}/{each.name}"
            target = f"//{there.service}/{there.region}/{each.owner_name}"
            return ConstraintFinding(source, target, OWNERS_PATH, what, reason)

        claims = tuple(
            OwnerClaim(each.ref_id, each.owner_type, each.owner_name, each.owner_version, each.owner_uid)
            for each in links
        )
        try:
            answer = self._peers.call(here, there, "verifyMetaOwners", write(ConfirmOwners(claims)))
            found = read(answer, OwnersConfirmed)
        except SwitchyardError as error:
            yield from (_finding(each, "unknown", error.message) for each in links)
            return
        yield from (_finding(links[index], "gone") for index in found.absent)

    def _page(self, here: Peer, after: tuple[str, str, int]) -> tuple[HeldReference, ...]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.held(after, PAGE)
        )[1]

    def _verify(
        self, here: Peer, there: Peer, version: str, group: list[HeldReference]
    ) -> Iterator[ConstraintFinding]:
        asked = references_of(group)

        def _finding(each: HeldReference, what: str, reason: str = "") -> ConstraintFinding:
            source = f"//{here.service}/{here.region}/{each.name}"
            target = f"//{there.service}/{there.region}/{each.reference.target_name}"
            return ConstraintFinding(source, target, each.reference.path, what, reason)

        try:
            body = write(Verify(version, asked))
            found = read(self._peers.call(here, there, "verifyReferences", body), Verified)
        except SwitchyardError as error:
            yield from (_finding(each, "unknown", error.message) for each in group)
            return
        yield from (_finding(group[index], "gone") for index in found.gone)
        yield from (_finding(group[index], "unlisted") for index in found.unlisted)


def grouped(
    whereabouts: Whereabouts, here: Peer, page: Sequence[HeldReference]
) -> Mapping[tuple[Peer, str], list[HeldReference]]:
    """Gather references by the deployment to ask about their targets, and the version to ask in."""
    found: dict[tuple[Peer, str], list[HeldReference]] = {}
    for each in page:
        reference = each.reference
        region = whereabouts(here, reference.target_service, reference.target_name)
        if region is not None:
            told = region if reference.named_region == region else reference.target_region or region
            there = Peer(reference.target_service, told)
            found.setdefault((there, reference.target_version), []).append(each)
    return found


def references_of(group: Sequence[HeldReference]) -> tuple[NewReference, ...]:
    """Say of references that are held what their targets' deployment is asked."""
    return tuple(
        NewReference(
            each.reference.target_type,
            each.reference.target_name,
            each.reference.kind.value,
            each.reference.path,
        )
        for each in group
    )


def verify_owners(router: Router, sender: Peer, here: Peer, asked: ConfirmOwners) -> OwnersConfirmed:
    """VerifyMetaOwners: tell which owners are neither there nor being deleted in a way that the sender hears of."""

    def _answer(route: ServingRoute, reading: Reading) -> OwnersConfirmed:
        absent = []
        for index, each in enumerate(asked.claims):
            stored = stored_as(route, each.version, each.type, each.name)
            found = reading.get(*stored) if stored else None
            if found is not None and found.uid == each.owner_uid:
                continue
            shadow = reading.constraints.shadow_of(each.owner_uid) if each.owner_uid else None
            if shadow is None or sender.deployment not in shadow.sources:
                absent.append(index)
        return OwnersConfirmed(absent=tuple(absent))

    return router.read_active(here.region, here.service, _answer)[1]


def verify(router: Router, sender: Peer, here: Peer, asked: Verify) -> Verified:
    """VerifyReferences: tell which targets are gone, and which do not list the sender."""

    def _answer(route: ServingRoute, reading: Reading) -> Verified:
        gone, unlisted = [], []
        for index, each in enumerate(asked.references):
            stored = stored_as(route, asked.version, each.type, each.name)
            found = reading.get(*stored) if stored else None
            shadow = reading.shadow(*stored) if stored else None
            listed = sender == here or (shadow is not None and sender.deployment in shadow.sources)
            if found is None:
                # Who is not listed is not told of the deletion, and carries nothing on.
                dying = listed and shadow is not None and shadow.state is ShadowState.DELETING
                gone += [] if dying and each.kind != "BLOCK" else [index]
            elif not listed:
                unlisted.append(index)
        return Verified(tuple(gone), tuple(unlisted))

    return router.read_active(here.region, here.service, _answer)[1]
