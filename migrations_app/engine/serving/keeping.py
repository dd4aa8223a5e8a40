"""Keeps references whole within one transaction: targets exist, and deletions cascade, unset or are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from migrations_app.domain.constraints.deletion import MOST_IN_A_CASCADE, Link, Thing, Verdict, verdict
from migrations_app.domain.constraints.references import Found, Steps, without
from migrations_app.engine.serving.arranged import Arranged, Unarranged
from migrations_app.engine.serving.owning import OWNER_REFERENCES, link_owners
from migrations_app.engine.serving.routing import Route
from migrations_app.engine.serving.stored_references import StoredReferences
from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.arrangements import Arrangements, Doomed, Wanted
from migrations_app.ports.peers import Peer
from migrations_app.ports.store import (
    Draft,
    Reading,
    Reference,
    Referrer,
    Resource,
    Shadow,
    ShadowState,
    Transaction,
)

_SHOWN = 20


@dataclass(slots=True)
class Keeper:
    """Watches over the references of one transaction; without `arrangements` those to others are only kept."""

    route: Route
    transaction: Transaction
    arrangements: Arrangements | None = None
    arranged: Arranged = field(default_factory=Arranged)
    deleted: int = 0
    _due: list[tuple[str, Found]] = field(default_factory=list)
    _stays: list[Shadow] = field(default_factory=list)
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
        found = self._references.found(type_, body)
        known = {} if fresh else self._known(type_, name)
        self._due += [(name, each) for each in found if (each.path, each.name) not in known]
        rows = self._rows(found, known)
        return None if known and rows == tuple(known.values()) else rows

    def is_settled(self, metadata: JsonObject, before: JsonObject | None) -> bool:
        """Tell whether a write with this metadata leaves nothing to look after within its transaction."""
        return not self._due and not _owned(metadata, before)

    def note(self, stored: Resource, before: JsonObject | None = None) -> None:
        """Link what was written to its owners, unless it has none and had none before; they are asked later."""
        if _owned(stored.metadata, before) and self.arrangements is not None:
            fresh = link_owners(self.route, self.transaction, self.arrangements, stored)
            self.arranged.followed_up = self.arranged.followed_up or fresh

    def settle(self) -> None:
        """See that what was newly referred to is there, and stays until the transaction commits.

        Raises: Conflict (`reference-missing`, `reference-deleting`) with the paths.
        """
        if not self._due:
            return
        regions = self._regions()
        local = [(source, each) for source, each in self._due if self._is_local(each, regions)]
        self._settle_abroad([each for _, each in self._due if not self._is_local(each, regions)])
        # In one order, so that two transactions never wait for each other.
        local.sort(key=lambda pair: (pair[1].type, pair[1].name))
        states = self.transaction.hold(list(dict.fromkeys((each.type, each.name) for _, each in local)))
        absent: list[tuple[str, Found]] = []
        for source, each in local:
            state = states.get((each.type, each.name))
            if state is None:
                absent.append((source, each))
            elif state is not ShadowState.ACTIVE:
                raise Conflict(
                    f"{each.name} is being deleted.",
                    code="reference-deleting",
                    remedy="Refer to something that stays.",
                )
        if absent:
            raise Conflict(
                f"{absent[0][0]} refers to {absent[0][1].name}, which does not exist.",
                code="reference-missing",
                remedy="Create it first, or in the same batch.",
                violations=tuple(
                    Violation(each.path, f"refers to {each.name}, which does not exist")
                    for _, each in absent[:_SHOWN]
                ),
            )

    def _settle_abroad(self, found: Sequence[Found]) -> None:
        """See that what others own was announced to them, and commit the announcement with this transaction."""
        if self.arrangements is None:
            return
        wanted = [self._wanted(each) for each in found if each.kind != "WEAK"]
        wanted = [
            each for each in wanted if self.arrangements.whereabouts(self._here, each.service, each.name)
        ]
        if not wanted:
            return
        new = tuple(dict.fromkeys(each for each in wanted if each not in self.arranged.held))
        if new:
            raise Unarranged(self.arranged.token or self.transaction.constraints.draw(), wanted=new)
        constraints = self.transaction.constraints
        constraints.commit_attempt(self.arranged.token)
        for target in sorted({peer.deployment for peer in self.arranged.held.values()}):
            constraints.owe(self.arranged.token, target)
        self.arranged.followed_up = True

    def delete(self, type_: str, name: str) -> None:
        """Delete a resource with what cascades from it, clearing the references that may be cleared.

        Raises: Conflict (`deletion-blocked`) naming who refers, (`cascade-too-large`).
        """
        thing = Thing(type_, name)
        self.transaction.lock(type_, name)
        found = judge(self.route, self.transaction, thing)
        for each in sorted(found.deleted[1:], key=lambda dying: (dying.type, dying.name)):
            self.transaction.lock(each.type, each.name)
        # Asked again under the locks: nobody can refer to what is dying any more.
        found = judge(self.route, self.transaction, thing)
        if not found.complete and self.arrangements is not None:
            found = self._alone(thing)
        refuse(found, thing)
        leaving = self._leaving(thing, found) if self.arrangements else []
        for link in found.unset:
            self._unset(link)
        for each in reversed(found.deleted):
            gone = self.transaction.delete(each.type, each.name)
            if self.arrangements is not None and OWNER_REFERENCES in gone.metadata:
                self.transaction.constraints.owners.forget(gone.uid)
            self.deleted += 1
        for shadow in leaving:
            self.transaction.put_shadow(replace(shadow, state=ShadowState.DELETING))
            self.arranged.followed_up = True

    def _alone(self, thing: Thing) -> Verdict:
        """Judge a thing whose cascade is too large for one transaction: it goes now, the others follow."""
        reading, service = self.transaction, self.route.served.service
        shadow, resource = reading.shadow(*_key(thing)), reading.get(*_key(thing))
        names = {self.route.stored_version: _key(thing)}
        if shadow is None or resource is None:
            return Verdict((thing,), (), ())
        blocking = reading.referrers(service, thing.name, kinds=("BLOCK", "OWNER"))
        blockers = tuple(
            Link(Thing(each.type, each.name), thing, each.reference.kind.value, each.reference.path)
            for each in blocking
            if each.reference.target_type in ("", thing.type) and not self._cascades(each, thing)
        )
        if not blockers and not shadow.sources:
            self._stays.append(replace(shadow, uid=resource.uid, names={**names, **shadow.names}))
        return Verdict((thing,), (), blockers)

    def _cascades(self, referrer: Referrer, target: Thing) -> bool:
        """Tell whether who blocks a thing also goes with it."""
        return any(
            each.kind.value == "CASCADE" and each.target_name == target.name
            for each in self.transaction.references(referrer.type, referrer.name)
        )

    def _leaving(self, thing: Thing, found: Verdict) -> list[Shadow]:
        """Gather the shadows that stay as the sign of a deletion, all agreed to by those who may refer to them."""
        leaving, self._stays = self._stays, []
        for each in found.deleted:
            shadow = self.transaction.shadow(each.type, each.name)
            # Without a row of its own nothing ever happened to it: nobody refers to it from elsewhere.
            if shadow is None or shadow.uid is None or shadow.since is None:
                continue
            if not shadow.sources and not self.transaction.constraints.blockades(shadow.uid):
                continue
            agreed = self.arranged.agreed.get(shadow.uid)
            if shadow.state is ShadowState.ACTIVE or shadow.delete_id != agreed:
                raise Unarranged(doomed=(Doomed(thing.type, thing.name),))
            leaving.append(shadow)
        return leaving

    def _unset(self, link: Link) -> None:
        def _chosen(found: Found) -> bool:
            return found.name == link.target.name and found.kind == "UNSET"

        self.clear(link.source.type, link.source.name, _chosen)

    def clear(self, type_: str, name: str, chosen: Callable[[Found], bool]) -> bool:
        """Take the chosen references out of a document; tell whether there were any."""
        cleared = False
        while True:
            source = self.transaction.get(type_, name)
            if source is None:
                return cleared
            places = [each.steps for each in self._references.found(type_, source.body) if chosen(each)]
            if not places:
                return cleared
            self._rewrite(source, places[-1])
            cleared = True

    def _rewrite(self, source: Resource, place: Steps) -> None:
        body = without(source.body, place)
        kept = self._rows(self._references.found(source.type, body), self._known(source.type, source.name))
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

    def _is_own(self, found: Found) -> bool:
        served = self.route.served
        return found.service == served.service and found.type in self.route.stored_schema.resources

    def _regions(self) -> dict[tuple[str, str], str]:
        """Tell who owns what is newly referred to, of what is kept here."""
        if self.arrangements is None:
            return {}
        wanted: dict[str, list[str]] = {}
        for _, each in self._due:
            if self._is_own(each):
                wanted.setdefault(each.type, []).append(each.name)
        return {
            (type_, name): found.owning_region
            for type_, names in wanted.items()
            for name, found in self.transaction.batch_get(type_, names).items()
        }

    def _is_local(self, found: Found, regions: Mapping[tuple[str, str], str]) -> bool:
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

    def _wanted(self, found: Found) -> Wanted:
        row = self._references.row(found)
        return Wanted(found.path, found.kind, found.service, row.target_version, found.type, found.name)

    def _known(self, type_: str, name: str) -> dict[tuple[str, str], Reference]:
        return {(each.path, each.target_name): each for each in self.transaction.references(type_, name)}

    def _rows(self, found: Sequence[Found], known: dict[tuple[str, str], Reference]) -> tuple[Reference, ...]:
        """Give what is kept of references: the owner's region is what it said, and stays so."""
        rows = []
        for each in found:
            row, before = self._references.row(each), known.get((each.path, each.name))
            owner = self.arranged.held.get(self._wanted(each))
            region = owner.region if owner else before.target_region if before else row.target_region
            rows.append(replace(row, target_region=region))
        return tuple(rows)


def _owned(metadata: JsonObject, before: JsonObject | None) -> bool:
    return OWNER_REFERENCES in metadata or OWNER_REFERENCES in (before or {})


def _key(thing: Thing) -> tuple[str, str]:
    return thing.type, thing.name


def judge(route: Route, reading: Reading, thing: Thing) -> Verdict:
    """Judge a deletion by the references within this deployment."""

    def _referrers(target: Thing) -> Sequence[Link]:
        # Two questions, so that who blocks is not hidden behind many who do not.
        return [
            Link(Thing(each.type, each.name), target, each.reference.kind.value, each.reference.path)
            for kinds in (("BLOCK", "OWNER"), ("CASCADE", "UNSET"))
            for each in reading.referrers(
                route.served.service, target.name, limit=MOST_IN_A_CASCADE + 1, kinds=kinds
            )
            if each.reference.target_type in ("", target.type)
        ]

    return verdict(thing, _referrers)


def refuse(found: Verdict, thing: Thing) -> None:
    """Refuse a deletion that the verdict does not allow.

    Raises: Conflict (`deletion-blocked`, `cascade-too-large`).
    """
    if not found.complete:
        raise Conflict(
            f"Deleting {thing.name} would delete more than {len(found.deleted)} others at once.",
            code="cascade-too-large",
            remedy="Delete what refers to it in parts first.",
        )
    if found.blockers:
        first = found.blockers[0]
        others = f" and {len(found.blockers) - 1} more" if len(found.blockers) > 1 else ""
        raise Conflict(
            f"{first.target.name} is referred to by {first.source.name}{others}.",
            code="deletion-blocked",
            remedy="Delete or change what refers to it.",
            violations=tuple(
                Violation(f"{link.source.name}#{link.path}", f"refers to {link.target.name}")
                for link in found.blockers[:_SHOWN]
            ),
        )
