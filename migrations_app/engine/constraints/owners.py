"""Owner references: confirmed by the owner's side, removed when it is gone, asked again now and then.

Source: seed 003 §2.2, and the model `owner_ref`: a removal is a compare-and-delete on the id of the reference,
and who is told "no such owner" knows that this very reference can never be confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.engine.constraints.carrying import Carrying
from migrations_app.engine.constraints.messages import (
    CallerOwnedResource,
    ConfirmedOwner,
    ConfirmOwners,
    Ownees,
    OwnerClaim,
    OwnersConfirmed,
    OwnersGone,
    OwnersSaved,
    OwnerVersion,
    read,
    write,
)
from migrations_app.engine.serving.references.stored_references import renamed_owner, without_owner
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import names_of, stored_as
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.regions.arrangements import Arrangements, PendingDeletion
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Draft, Reading, ShadowState, StoredResource, Transaction

AT_ONCE = 100
GRACE_SECONDS = 60.0
ASK_SOON_SECONDS, ASK_ANEW_SECONDS = 10.0, 300.0


class OwnerAnswering:
    """The owner's side: confirms, or denies for good."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def confirm(self, sender: Peer, here: Peer, asked: ConfirmOwners) -> OwnersConfirmed:
        """ConfirmMetaOwner: who confirms lists the caller as a source, and tells it when it is deleted."""

        def _change(route: ServingRoute, transaction: Transaction) -> OwnersConfirmed:
            confirmed, absent, barred = [], [], []
            for index, claim in sorted(
                enumerate(asked.claims), key=lambda pair: (pair[1].type, pair[1].name)
            ):
                found = self._confirm(route, transaction, sender, index, claim)
                if found is not None:
                    confirmed.append(found)
                elif transaction.constraints.owners.is_barred(claim.ref_id):
                    barred.append(index)
                else:
                    absent.append(index)
            return OwnersConfirmed(tuple(confirmed), tuple(absent), tuple(barred))

        return self._router.write_active(here.region, here.service, _change)[1]

    def _confirm(
        self, route: ServingRoute, transaction: Transaction, sender: Peer, index: int, claim: OwnerClaim
    ) -> ConfirmedOwner | None:
        owners = transaction.constraints.owners
        stored = stored_as(route, claim.version or route.stored_version, claim.type, claim.name)
        shadow = transaction.lock(*stored) if stored else None
        resource = transaction.get(*stored) if stored else None
        if owners.is_barred(claim.ref_id):
            return None
        mine = resource is not None and claim.owner_uid in (None, resource.uid)
        if (
            resource is None
            or shadow is None
            or not mine
            or not _refers(transaction, sender, resource, claim)
        ):
            if claim.bar:
                owners.bar(claim.ref_id)
            return None
        if shadow.state is not ShadowState.ACTIVE:
            return None
        if sender.deployment not in shadow.sources:
            sources = tuple(sorted({*shadow.sources, sender.deployment}))
            transaction.put_shadow(replace(shadow, ref_epoch=shadow.ref_epoch + 1, sources=sources))
        return ConfirmedOwner(index, resource.uid, route.stored_version, resource.type, resource.name)


class Owning:
    """The ownee's side: asks who owns, and lets go of what has no owner any more."""

    def __init__(self, router: Router, peers: Peers, arrangements: Arrangements | None) -> None:
        self._router, self._peers, self._arrangements = router, peers, arrangements
        self._carrying = Carrying(router, arrangements)

    def validate(self, here: Peer) -> int:
        """Ask the owners of one batch of references that are due; tell how many got an answer."""
        due = self._router.read_active(
            here.region,
            here.service,
            lambda route, reading: [
                (link, _claim(route, link)) for link in reading.constraints.owners.due(AT_ONCE)
            ],
        )[1]
        answered = 0
        by_owner: dict[str, list[tuple[OwnerLink, OwnerClaim]]] = {}
        for link, claim in due:
            by_owner.setdefault(link.owner, []).append((link, claim))
        for owner, asked in sorted(by_owner.items()):
            links, claims = [link for link, _ in asked], tuple(claim for _, claim in asked)
            try:
                body = write(ConfirmOwners(claims))
                answer = self._peers.call(here, Peer.parse(owner), "confirmMetaOwner", body)
            except SwitchyardError:
                self._later(here, links)  # no answer: everything stays as it is
                continue
            self._settle(here, links, read(answer, OwnersConfirmed))
            answered += len(links)
        return answered

    def owned(self, sender: Peer, here: Peer, asked: OwnersGone) -> Ownees:
        """ListMetaOwnees: tell what these owners of the sender own here."""
        links = self._router.read_active(
            here.region,
            here.service,
            lambda _, reading: reading.constraints.owners.owned_by(sender.deployment, asked.uids),
        )[1]
        return Ownees(
            tuple(
                CallerOwnedResource(each.owner_uid, each.ref_id, each.type, each.name)
                for each in links
                if each.owner_uid
            )
        )

    def upgrade(self, sender: Peer, here: Peer, asked: OwnerVersion) -> int:
        """UpgradeMetaOwnerVersion: the sender has another version; ask it again by what names it is known now."""
        return self._router.write_active(
            here.region,
            here.service,
            lambda _, transaction: transaction.constraints.owners.hurry(sender.deployment, asked.version),
        )[1]

    def recheck(self, sender: Peer, here: Peer, asked: OwnersSaved) -> int:
        """RecheckMetaOwners: the sender saved owners; ask those at once that have to refer to what they own here."""
        due = self._router.write_active(
            here.region,
            here.service,
            lambda _, transaction: transaction.constraints.owners.recheck(sender.deployment, asked.uids),
        )[1]
        if due and self._arrangements is not None:
            self._arrangements.written(here)
        return due

    def tell_version(self, here: Peer, version: str) -> bool:
        """Tell all who may be owned from here which version is active; tell whether all heard it."""
        sources = self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.sources()
        )[1]
        heard = True
        for source in sources:
            try:
                body = write(OwnerVersion(version))
                self._peers.call(here, Peer.parse(source), "upgradeMetaOwnerVersion", body)
            except SwitchyardError:
                heard = False
        return heard

    def removed(self, sender: Peer, here: Peer, asked: OwnersGone) -> int:
        """RemoveMetaOwnerReference: take out what refers to owners that were deleted."""
        links = self._router.read_active(
            here.region,
            here.service,
            lambda _, reading: reading.constraints.owners.owned_by(sender.deployment, asked.uids),
        )[1]
        for link in links:
            self._let_go(here, link)
        return len(links)

    def _settle(self, here: Peer, links: Sequence[OwnerLink], found: OwnersConfirmed) -> None:
        def _change(route: ServingRoute, transaction: Transaction) -> None:
            for each in found.confirmed:
                self._confirmed(route, transaction, links[each.index], each)
            # Those denied too: one that cannot go yet is tried again, but not at once.
            for index in (*found.absent, *found.barred):
                transaction.constraints.owners.ask_later(links[index].ref_id, ASK_SOON_SECONDS)

        self._router.write_active(here.region, here.service, _change)
        for index in found.barred:
            self._let_go(here, links[index])

    def _confirmed(
        self, route: ServingRoute, transaction: Transaction, link: OwnerLink, found: ConfirmedOwner
    ) -> None:
        """Note the owner's uid; after its switch also the version and the name it has now."""
        after = replace(
            link,
            owner_uid=found.uid,
            owner_type=found.type,
            owner_version=found.version,
            owner_name=found.name,
        )
        if not transaction.constraints.owners.confirm(after, ASK_ANEW_SECONDS):
            return
        if (link.owner_version, link.owner_name) != (after.owner_version, after.owner_name):
            resource = _owned_resource(route, transaction, link)
            if resource is not None:
                _rewrite(transaction, resource, renamed_owner(route, resource.metadata, link, after))

    def _let_go(self, here: Peer, link: OwnerLink) -> None:
        """Take one reference out; who has no other owner goes, unless it is only to be unset."""

        def _change(route: ServingRoute, transaction: Transaction) -> StoredResource | None:
            owners = transaction.constraints.owners
            resource = _owned_resource(route, transaction, link)
            if resource is None:
                owners.drop(link.ref_id)
                return None
            if not link.unset and len(owners.of(link.uid)) == 1:
                return resource
            if owners.drop(link.ref_id):
                _rewrite(transaction, resource, without_owner(route, resource.metadata, link))
            return None

        orphan = self._router.write_active(here.region, here.service, _change)[1]
        if orphan is None:
            return
        doomed = PendingDeletion(orphan.type, orphan.name)

        def _still(transaction: Transaction) -> bool:
            held = transaction.constraints.owners.of(link.uid)
            found = transaction.get(doomed.type, doomed.name)
            if [each.ref_id for each in held] != [link.ref_id] or found is None or found.uid != link.uid:
                return False
            # Written with its revision, so that a transaction that adds an owner just now waits, or is seen.
            _rewrite(transaction, found, found.metadata)
            return True

        try:
            self._carrying.erasing.erase(here, [doomed], still=_still)
        except SwitchyardError:
            self._carrying.erasing.mark(here, doomed)

    def _later(self, here: Peer, links: Sequence[OwnerLink]) -> None:
        def _change(_: ServingRoute, transaction: Transaction) -> None:
            for link in links:
                transaction.constraints.owners.ask_later(link.ref_id, ASK_SOON_SECONDS)

        self._router.write_active(here.region, here.service, _change)


def _claim(route: ServingRoute, link: OwnerLink) -> OwnerClaim:
    return OwnerClaim(
        link.ref_id,
        link.owner_type,
        link.owner_name,
        link.owner_version,
        link.owner_uid,
        link.requires,
        _names(route, link) if link.requires else (link.name,),
        bar=link.owner_uid is not None or link.age_seconds > GRACE_SECONDS,
    )


def _names(route: ServingRoute, link: OwnerLink) -> tuple[str, ...]:
    """List every name of an ownee: its owner refers to it in the version that the owner's service imports."""
    stored = stored_as(route, link.version, link.type, link.name)
    names = names_of(route, *stored) if stored else {}
    return tuple(dict.fromkeys((link.name, *(name for _, name in names.values()))))


def _refers(reading: Reading, sender: Peer, owner: StoredResource, claim: OwnerClaim) -> bool:
    """Tell whether an owner that has to refer to its ownee does."""
    if not claim.requires:
        return True
    return any(
        each.target_service == sender.service and each.target_name in claim.owned_name
        for each in reading.references(owner.type, owner.name)
    )


def _owned_resource(route: ServingRoute, reading: Reading, link: OwnerLink) -> StoredResource | None:
    stored = stored_as(route, link.version, link.type, link.name)
    found = reading.get(*stored) if stored else None
    return found if found is not None and found.uid == link.uid else None


def _rewrite(transaction: Transaction, found: StoredResource, metadata: JsonObject) -> None:
    draft = Draft(found.type, found.name, found.uid, found.body, metadata, found.owning_region)
    transaction.put(draft, found.revision)
