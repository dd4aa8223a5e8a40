"""References between stored documents, of fields and to owners: what a document refers to, and who refers to what goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from migrations_app.domain.constraints.deletion import (
    MOST_IN_A_CASCADE,
    DeletionVerdict,
    IncomingReference,
    Thing,
    verdict,
)
from migrations_app.domain.constraints.references import DocumentReference, ReferenceFinder
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.domain.resources.lifecycle import deleting_metadata
from migrations_app.domain.schema.basic_actions import has_constraints
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.uids import new_uid
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Draft, Reading, Reference, ReferenceKind, StoredResource, Transaction

OWNER_REFERENCES = "ownerReferences"
BLOCKING = ("BLOCK", "OWNER")
"""The kinds of references that forbid the deletion of their target."""


@dataclass(frozen=True, slots=True)
class StoredReferences:
    """Finds the references of one service's documents, stored in one version in one region.

    Documents of a type that the version only keeps name resources as their own version does; the rows name them as
    they are stored here.
    """

    compiled: CompiledService
    version: str
    region: str
    finder: ReferenceFinder = field(init=False)
    _others: dict[str, ReferenceFinder] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "finder", ReferenceFinder(self.compiled.schema(self.version)))

    def possible(self, resource_type: str) -> bool:
        """Tell whether documents of a type can refer to anything that is looked after."""
        finder, type_ = self._finder(resource_type)
        known = finder.schema.resources.get(type_)
        return finder.possible(type_) and (known is None or has_constraints(known))

    def located(self, resource_type: str, body: JsonObject) -> tuple[DocumentReference, ...]:
        """List the references of a document, with where they stand."""
        if not self.possible(resource_type):
            return ()
        finder, type_ = self._finder(resource_type)
        found = finder.of(type_, body)
        kept = kept_type(resource_type)
        return tuple(self._as_stored(each, kept.version) for each in found) if kept else found

    def of(self, resource_type: str, body: JsonObject) -> tuple[Reference, ...]:
        """List the references of a document as they are kept."""
        return tuple(self.row(each) for each in self.located(resource_type, body))

    def row(self, found: DocumentReference) -> Reference:
        """Give what is kept of a reference: an import is of the version that this version imports."""
        if found.service == self.compiled.service:
            version = self.version
        else:
            imports = self.compiled.folder.imports.get(self.version, ())
            version = next((each.version for each in imports if each.service == found.service), "")
        kind = ReferenceKind(found.kind)
        return Reference(found.path, kind, found.service, self.region, version, found.type, found.name)

    def _finder(self, resource_type: str) -> tuple[ReferenceFinder, str]:
        kept = kept_type(resource_type)
        if kept is None:
            return self.finder, resource_type
        if kept.version not in self._others:
            self._others[kept.version] = ReferenceFinder(self.compiled.schema(kept.version))
        return self._others[kept.version], kept.type

    def _as_stored(self, found: DocumentReference, version: str) -> DocumentReference:
        if found.service != self.compiled.service:
            return found
        places = self.compiled.stored.typed(version, self.version).names(found.type, found.name)
        return replace(found, type=places[0][0], name=places[0][1]) if places else found


def link_owners(
    route: ServingRoute, transaction: Transaction, arrangements: Arrangements, stored: StoredResource
) -> bool:
    """Bring the links of a resource in step with its metadata; tell whether there are new ones.

    Every addition gets an id of its own, also one that was there before under another id.
    """
    wanted = {_key(each): each for each in _links(route, arrangements, stored)}
    known = transaction.constraints.owners.of(stored.uid)
    owners = transaction.constraints.owners
    kept = {_key(each) for each in known}
    for each in known:
        if _key(each) not in wanted:
            owners.drop(each.ref_id)
    fresh = [each for key, each in wanted.items() if key not in kept]
    for each in fresh:
        owners.link(each)
    return bool(fresh)


def without_owner(route: ServingRoute, metadata: JsonObject, link: OwnerLink) -> JsonObject:
    """Copy metadata without one owner reference."""
    listed = _listed(metadata)
    left: list[Json] = [each for each in listed if not _is_of(route, each, link)]
    rest = {key: value for key, value in metadata.items() if key != OWNER_REFERENCES}
    return {**rest, OWNER_REFERENCES: left} if left else rest


def renamed_owner(
    route: ServingRoute, metadata: JsonObject, before: OwnerLink, after: OwnerLink
) -> JsonObject:
    """Copy metadata with one owner reference in the version and by the name that the owner has now."""
    kind = f"{Peer.parse(after.owner).service}/{after.owner_type}"
    told: JsonObject = {"kind": kind, "version": after.owner_version, "name": after.owner_name}
    listed: list[Json] = [
        {**each, **told} if _is_of(route, each, before) else each for each in _listed(metadata)
    ]
    return {**metadata, OWNER_REFERENCES: listed}


def _listed(metadata: JsonObject) -> list[JsonObject]:
    given = metadata.get(OWNER_REFERENCES)
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []


def _links(route: ServingRoute, arrangements: Arrangements, stored: StoredResource) -> Iterator[OwnerLink]:
    here = Peer(route.served.service, route.served.region)
    for each in _listed(stored.metadata):
        service, type_ = _kind(route, each)
        name, region = str(each.get("name", "")), str(each.get("region", ""))
        region = region or arrangements.whereabouts(here, service, name) or ""
        if not (type_ and name and region and arrangements.whereabouts(here, service, name)):
            continue
        yield OwnerLink(
            ref_id=new_uid(),
            uid=stored.uid,
            type=stored.type,
            name=stored.name,
            version=route.stored_version,
            owner=Peer(service, region).deployment,
            owner_type=type_,
            owner_version=str(each.get("version", "")),
            owner_name=name,
            requires=each.get("requiresOwnerReference") is True,
            unset=each.get("unsetOnDelete") is True,
        )


def _kind(route: ServingRoute, given: JsonObject) -> tuple[str, str]:
    service, _, type_ = str(given.get("kind", "")).rpartition("/")
    return service or route.served.service, type_


def _key(link: OwnerLink) -> tuple[str, str, str]:
    return link.owner, link.owner_type, link.owner_name


def _is_of(route: ServingRoute, given: JsonObject, link: OwnerLink) -> bool:
    service, type_ = _kind(route, given)
    peer = Peer.parse(link.owner)
    region = str(given.get("region", "")) or peer.region
    named = (str(given.get("name", "")), type_)
    return (service, region) == (peer.service, peer.region) and named == (link.owner_name, link.owner_type)


def by_type(things: Iterable[Thing]) -> dict[str, list[str]]:
    """Gather the names of things by their type."""
    found: dict[str, list[str]] = {}
    for each in things:
        found.setdefault(each.type, []).append(each.name)
    return found


def links_to(
    route: ServingRoute,
    reading: Reading,
    targets: Sequence[Thing],
    kinds: Sequence[str],
    each: int,
    most: int,
) -> tuple[list[IncomingReference], set[Thing]]:
    """List who in this deployment refers to any of these things, in one order; at most `each` to one, `most` to all.

    Told with them is which things may have more referrers than are listed.
    """
    named: dict[str, list[Thing]] = {}
    for target in targets:
        named.setdefault(target.name, []).append(target)
    rows = reading.referrers_of(route.served.service, list(named), kinds, each=each, most=most)
    told = Counter(row.reference.target_name for row in rows)
    links = [
        IncomingReference(Thing(row.type, row.name), target, row.reference.kind.value, row.reference.path)
        for row in rows
        for target in named[row.reference.target_name]
        if row.reference.target_type in ("", target.type)
    ]
    links.sort(key=lambda link: (link.source.type, link.source.name, link.path, link.target.name))
    full = len(rows) >= most
    return links, {target for target in targets if full or told[target.name] >= each}


def judge(route: ServingRoute, reading: Reading, thing: Thing) -> DeletionVerdict:
    """Judge a deletion by the references within this deployment."""
    each = MOST_IN_A_CASCADE + 1

    def _referrers(targets: Sequence[Thing]) -> Sequence[IncomingReference]:
        # Two questions, so that who blocks is not hidden behind many who do not.
        return [
            link
            for kinds in (BLOCKING, ("CASCADE", "UNSET"))
            for link in links_to(route, reading, targets, kinds, each, each * len(targets))[0]
        ]

    return verdict(thing, _referrers)


def judge_locked(route: ServingRoute, transaction: Transaction, thing: Thing) -> DeletionVerdict:
    """Judge a deletion with all that goes locked: nothing can refer to what is being deleted any more."""
    transaction.lock(thing.type, thing.name)
    locked = {thing}
    while True:
        found = judge(route, transaction, thing)
        fresh = [each for each in found.deleted if each not in locked]
        if not fresh:
            return found
        # Judged again: another transaction may have begun to refer to these before they were locked.
        transaction.lock_all([(each.type, each.name) for each in fresh])
        locked.update(fresh)


def marked_draft(resource: StoredResource) -> Draft:
    """Give what writes down in the metadata of a resource that it is being deleted."""
    metadata, region = deleting_metadata(resource.metadata), resource.owning_region
    return Draft(resource.type, resource.name, resource.uid, resource.body, metadata, region)
