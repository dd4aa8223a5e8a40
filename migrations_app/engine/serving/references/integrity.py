"""Keeps references whole within one transaction: targets exist, and deletions cascade, unset or are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from migrations_app.domain.constraints.deletion import DeletionVerdict, IncomingReference, Thing
from migrations_app.domain.constraints.references import DocumentReference, without
from migrations_app.domain.resources.lifecycle import check_deletable, outlives_cascade
from migrations_app.engine.serving.references.stored_references import (
    BLOCKING,
    OWNER_REFERENCES,
    StoredReferences,
    by_type,
    judge_locked,
    link_owners,
    marked_draft,
)
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.engine.serving.stored_names import names_of
from migrations_app.engine.serving.writes.coordination import ArrangedWrite, Unarranged
from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.arrangements import Arrangements, PendingDeletion, UnconfirmedReference
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import (
    Draft,
    Reference,
    Referrer,
    Shadow,
    ShadowState,
    StoredResource,
    Transaction,
)

_SHOWN = 20


@dataclass(slots=True)
class ReferenceIntegrity:
    """Watches over the references of one transaction; without `arrangements` those to others are only kept.

    A rehearsal asks no deployment: `unasked` names the services and deployments that a write would ask.
    """

    route: ServingRoute
    transaction: Transaction
    arrangements: Arrangements | None = None
    arranged: ArrangedWrite = field(default_factory=ArrangedWrite)
    deleted: int = 0
    rehearses: bool = False
    unasked: set[str] = field(default_factory=set)
    _due: list[tuple[str, DocumentReference]] = field(default_factory=list)
    _owners: dict[tuple[str, str], str] = field(default_factory=dict)
    _stays: list[Shadow] = field(default_factory=list)
    _rechecked: tuple[str, ...] = ()
    _references: StoredReferences = field(init=False)

    def __post_init__(self) -> None:
        served = self.route.served
        self._references = StoredReferences(served.compiled, self.route.stored_version, served.region)

    def references(
        self, type_: str, name: str, body: JsonObject, *, fresh: bool
    ) -> tuple[Reference, ...] | None:
        """List the references of a document that is about to be written; new ones are checked at the end.

        None when they are the same as before; a `fresh` resource had none.
        """
        if not self._references.possible(type_):
            return ()
        found = self._references.located(type_, body)
        known = {} if fresh else self._known(type_, name)
        if known.keys() - {(each.path, each.name) for each in found}:
            self._rechecked = self._sources(type_, name)
        self._due += [(name, each) for each in found if (each.path, each.name) not in known]
        rows = self._rows(found, known)
        return None if known and rows == tuple(known.values()) else rows

    def is_settled(self, metadata: JsonObject, before: JsonObject | None) -> bool:
        """Tell whether a write with this metadata leaves nothing to look after within its transaction."""
        return not self._due and not self._rechecked and not _owned(metadata, before)

    def note(self, stored: StoredResource, before: JsonObject | None = None) -> None:
        """Link what was written to its owners, unless it has none and had none before; they are asked later.

        Where it refers to less than before, those it may own are to ask again whether it does.
        """
        if self._rechecked:
            self.transaction.constraints.owners.note_checks(stored.uid, *self._rechecked)
            self._rechecked, self.arranged.followed_up = (), True
        if _owned(stored.metadata, before) and self.arrangements is not None:
            fresh = link_owners(self.route, self.transaction, self.arrangements, stored)
            self.arranged.followed_up = self.arranged.followed_up or fresh

    def _sources(self, type_: str, name: str) -> tuple[str, ...]:
        """List the deployments where a resource may own something."""
        shadow = self.transaction.shadow(type_, name) if self.arrangements is not None else None
        return shadow.sources if shadow is not None else ()

    def settle(self) -> None:
        """See that what was newly referred to is there, and stays until the transaction commits.

        Raises: Conflict (`reference-missing`, `reference-deleting`) with the paths.
        """
        if not self._due:
            return
        regions = self._regions()
        local = [(source, each) for source, each in self._due if self._is_local(each, regions)]
        self._settle_abroad([each for _, each in self._due if not self._is_local(each, regions)])
        if not local:
            return
        # In one order, so that two transactions never wait for each other.
        local.sort(key=lambda pair: (pair[1].type, pair[1].name))
        states = self.transaction.hold(list(dict.fromkeys((each.type, each.name) for _, each in local)))
        absent: list[tuple[str, DocumentReference]] = []
        for source, each in local:
            state = states.get((each.type, each.name))
            if state is None:
                absent.append((source, each))
            elif state is not ShadowState.ACTIVE:
                raise Conflict(
                    message("{name} is being deleted.", name=each.name),
                    code="reference-deleting",
                    remedy=message("Refer to something that stays."),
                )
        if absent:
            raise Conflict(
                message(
                    "{absent} refers to {name}, which does not exist.",
                    absent=absent[0][0],
                    name=absent[0][1].name,
                ),
                code="reference-missing",
                remedy=message("Create it first, or in the same batch."),
                violations=tuple(
                    Violation(each.path, message("refers to {name}, which does not exist", name=each.name))
                    for _, each in absent[:_SHOWN]
                ),
            )

    def _settle_abroad(self, found: Sequence[DocumentReference]) -> None:
        """See that what others own was announced to them, and commit the announcement with this transaction."""
        wanted = self._announced(found)
        if not wanted:
            return
        new = tuple(each for each in wanted if each not in self.arranged.held)
        if self.rehearses:
            self.unasked |= {f"services/{each.service}" for each in new}
            return
        if new:
            raise Unarranged(self.arranged.token or self.transaction.constraints.draw(), wanted=new)
        owed = sorted({peer.deployment for peer in self.arranged.held.values()})
        self.transaction.constraints.commit_attempt(self.arranged.token, *owed)
        self.arranged.followed_up = True

    def lacking(self) -> bool:
        """Tell whether others are to be asked before this may commit; `settle` then raises."""
        if not self._due:
            return False
        regions = self._regions()
        found = [each for _, each in self._due if not self._is_local(each, regions)]
        return any(each not in self.arranged.held for each in self._announced(found))

    def _announced(self, found: Sequence[DocumentReference]) -> tuple[UnconfirmedReference, ...]:
        """Say what is to be announced to others of this fleet."""
        if self.arrangements is None:
            return ()
        every = dict.fromkeys(self._unconfirmed(each) for each in found if each.kind != "WEAK")
        return tuple(
            each for each in every if self.arrangements.whereabouts(self._here, each.service, each.name)
        )

    def delete(self, type_: str, name: str, expected: int | None = None) -> None:
        """Delete a resource with what cascades from it, clearing the references that may be cleared.

        Raises: Conflict (`deletion-blocked`) naming who refers, (`cascade-too-large`) · Stale
        (`revision-conflict`).
        """
        thing = Thing(type_, name)
        found = judge_locked(self.route, self.transaction, thing)
        if not found.complete and self.arrangements is not None:
            found = self._alone(thing)
        found.or_refuse(thing)
        leaving = self._leaving(thing, found) if self.arrangements else []
        for link in found.unset:
            self._unset(link)
        if not self._delete_later(thing, leaving, expected):
            gone = self.transaction.delete(type_, name, expected)
            check_deletable({gone.name: gone.metadata})
            if self.arrangements is not None and OWNER_REFERENCES in gone.metadata:
                self.transaction.constraints.owners.forget(gone.uid)
        for below, names in by_type(found.deleted[1:]).items():
            known = self.transaction.batch_get(below, names)
            check_deletable({name: each.metadata for name, each in known.items()})
            self.transaction.delete_all(below, names)
        self.deleted += len(found.deleted)
        self.transaction.constraints.write(*(replace(each, state=ShadowState.DELETING) for each in leaving))
        self.arranged.followed_up = self.arranged.followed_up or bool(leaving)

    def _delete_later(self, thing: Thing, leaving: Sequence[Shadow], expected: int | None) -> bool:
        """Only mark a resource that is to stay until its cascade is done, if there is one; the controllers go on."""
        if all((each.type, each.name) != _key(thing) for each in leaving):
            return False
        resource = self.transaction.get(*_key(thing))
        if resource is None or not outlives_cascade(resource.metadata):
            return False
        check_deletable({resource.name: resource.metadata})
        self.transaction.put(marked_draft(resource), resource.revision if expected is None else expected)
        return True

    def _alone(self, thing: Thing) -> DeletionVerdict:
        """Judge a thing whose cascade is too large for one transaction: it goes now, the others follow."""
        reading, service = self.transaction, self.route.served.service
        shadow, resource = reading.shadow(*_key(thing)), reading.get(*_key(thing))
        if shadow is None or resource is None:
            return DeletionVerdict((thing,), (), ())
        blocking = reading.referrers(service, thing.name, kinds=BLOCKING)
        blockers = tuple(
            IncomingReference(
                Thing(each.type, each.name), thing, each.reference.kind.value, each.reference.path
            )
            for each in blocking
            if each.reference.target_type in ("", thing.type) and not self._cascades(each, thing)
        )
        if not blockers and not shadow.sources:
            # In every version: the version may switch before the others have followed.
            names = names_of(self.route, thing.type, thing.name, resource.body)
            self._stays.append(replace(shadow, uid=resource.uid, names=names))
        return DeletionVerdict((thing,), (), blockers)

    def _cascades(self, referrer: Referrer, target: Thing) -> bool:
        """Tell whether who blocks a thing also goes with it."""
        return any(
            each.kind.value == "CASCADE" and each.target_name == target.name
            for each in self.transaction.references(referrer.type, referrer.name)
        )

    def _leaving(self, thing: Thing, found: DeletionVerdict) -> list[Shadow]:
        """Gather the shadows that stay as the sign of a deletion, all agreed to by those who may refer to them."""
        leaving, self._stays = self._stays, []
        # Without a row of its own nothing ever happened to it: no other deployment refers to it.
        touched = [
            shadow
            for type_, names in by_type(found.deleted).items()
            for shadow in self.transaction.shadows(type_, names).values()
            if shadow.since is not None
        ]
        uids = [shadow.uid for shadow in touched if shadow.uid]
        blocked = {each.uid for each in self.transaction.constraints.blockades(*uids)} if uids else set()
        for shadow in touched:
            if shadow.uid is None or not (shadow.sources or shadow.uid in blocked):
                continue
            agreed = self.arranged.agreed.get(shadow.uid)
            if self.rehearses:
                self.unasked |= {*shadow.sources}
                continue
            if shadow.state is ShadowState.ACTIVE or shadow.delete_id != agreed:
                raise Unarranged(doomed=(PendingDeletion(thing.type, thing.name),))
            leaving.append(shadow)
        return leaving

    def _unset(self, link: IncomingReference) -> None:
        def _chosen(found: DocumentReference) -> bool:
            return found.name == link.target.name and found.kind == "UNSET"

        self.clear(link.source.type, link.source.name, _chosen)

    def clear(self, type_: str, name: str, chosen: Callable[[DocumentReference], bool]) -> bool:
        """Take the chosen references out of a document; tell whether there were any."""
        source = self.transaction.get(type_, name)
        found = self._references.located(type_, source.body) if source else ()
        places = [each.steps for each in found if chosen(each)]
        if source is None or not places:
            return False
        body = source.body
        # The last first, so that the places of those before stay what they are.
        for place in reversed(places):
            body = without(body, place)
        self._rewrite(source, body)
        return True

    def _rewrite(self, source: StoredResource, body: JsonObject) -> None:
        kept = self._rows(self._references.located(source.type, body), self._known(source.type, source.name))
        self.transaction.put(
            Draft(
                source.type,
                source.name,
                source.uid,
                body,
                source.metadata,
                source.owning_region,
                references=kept,
            ),
            source.revision,
        )

    def _is_own(self, found: DocumentReference) -> bool:
        served = self.route.served
        return found.service == served.service and found.type in self.route.stored_schema.resources

    def _regions(self) -> dict[tuple[str, str], str]:
        """Tell who owns what is newly referred to, of what is kept here."""
        if self.arrangements is None:
            return {}
        wanted: dict[str, list[str]] = {}
        for _, each in self._due:
            if self._is_own(each) and (each.type, each.name) not in self._owners:
                wanted.setdefault(each.type, []).append(each.name)
        for type_, names in wanted.items():
            for name, found in self.transaction.batch_get(type_, names).items():
                self._owners[type_, name] = found.owning_region
        return self._owners

    def _is_local(self, found: DocumentReference, regions: Mapping[tuple[str, str], str]) -> bool:
        if not self._is_own(found) or self.arrangements is None:
            return self._is_own(found)
        served = self.route.served
        owner = regions.get((found.type, found.name))
        if owner is not None:
            return owner in ("", served.region)
        return self.arrangements.whereabouts(self._here, served.service, found.name) in (None, served.region)

    @property
    def _here(self) -> Peer:
        return Peer(self.route.served.service, self.route.served.region)

    def _unconfirmed(self, found: DocumentReference) -> UnconfirmedReference:
        row = self._references.row(found)
        return UnconfirmedReference(
            found.path, found.kind, found.service, row.target_version, found.type, found.name
        )

    def _known(self, type_: str, name: str) -> dict[tuple[str, str], Reference]:
        return {(each.path, each.target_name): each for each in self.transaction.references(type_, name)}

    def _rows(
        self, found: Sequence[DocumentReference], known: dict[tuple[str, str], Reference]
    ) -> tuple[Reference, ...]:
        """Give what is kept of references: the owner's region is what it said, and stays so."""
        rows = []
        for each in found:
            row, before = self._references.row(each), known.get((each.path, each.name))
            owner = self.arranged.held.get(self._unconfirmed(each))
            region = owner.region if owner else before.target_region if before else row.target_region
            rows.append(replace(row, target_region=region))
        return tuple(rows)


def _owned(metadata: JsonObject, before: JsonObject | None) -> bool:
    return OWNER_REFERENCES in metadata or OWNER_REFERENCES in (before or {})


def _key(thing: Thing) -> tuple[str, str]:
    return thing.type, thing.name
