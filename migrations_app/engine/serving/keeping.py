"""Keeps references whole within one transaction: targets exist, and deletions cascade, unset or are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from migrations_app.domain.constraints.deletion import Link, Thing, Verdict, verdict
from migrations_app.domain.constraints.references import Found, Steps, without
from migrations_app.engine.serving.routing import Route
from migrations_app.engine.serving.stored_references import StoredReferences
from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import (
    Draft,
    Reading,
    Reference,
    Resource,
    ShadowState,
    Transaction,
)

_SHOWN = 20


@dataclass(slots=True)
class Keeper:
    """Watches over the references of one transaction."""

    route: Route
    transaction: Transaction
    _due: list[tuple[str, Found]] = field(default_factory=list)
    _references: StoredReferences = field(init=False)

    def __post_init__(self) -> None:
        served = self.route.served
        self._references = StoredReferences(served.compiled, self.route.stored_version, served.region)

    def references(self, type_: str, name: str, body: JsonObject) -> tuple[Reference, ...]:
        """List the references of a document that is about to be written; new ones are checked at the end."""
        if not self._references.possible(type_):
            return ()
        found = self._references.found(type_, body)
        known = {(each.path, each.target_name) for each in self.transaction.references(type_, name)}
        self._due += [(name, each) for each in found if (each.path, each.name) not in known]
        return tuple(map(self._references.row, found))

    def settle(self) -> None:
        """See that what was newly referred to is there, and stays until the transaction commits.

        Raises: Conflict (`reference-missing`, `reference-deleting`) with the paths.
        """
        local = [(source, each) for source, each in self._due if self._is_local(each)]
        absent: list[tuple[str, Found]] = []
        # In one order, so that two transactions never wait for each other.
        for source, each in sorted(local, key=lambda pair: (pair[1].type, pair[1].name)):
            shadow = self.transaction.lock(each.type, each.name, shared=True)
            if shadow is None or self.transaction.get(each.type, each.name) is None:
                absent.append((source, each))
            elif shadow.state is not ShadowState.ACTIVE:
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
        refuse(found, thing)
        for link in found.unset:
            self._unset(link)
        for each in reversed(found.deleted):
            self.transaction.delete(each.type, each.name)

    def _unset(self, link: Link) -> None:
        while True:
            source = self.transaction.get(link.source.type, link.source.name)
            if source is None:
                return
            places = [
                each.steps
                for each in self._references.found(source.type, source.body)
                if each.name == link.target.name and each.kind == "UNSET"
            ]
            if not places:
                return
            self._rewrite(source, places[-1])

    def _rewrite(self, source: Resource, place: Steps) -> None:
        body = without(source.body, place)
        kept = self._references.of(source.type, body)
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

    def _is_local(self, found: Found) -> bool:
        return found.service == self.route.served.service and found.type in self.route.stored_schema.resources


def judge(route: Route, reading: Reading, thing: Thing) -> Verdict:
    """Judge a deletion by the references within this deployment."""

    def _referrers(target: Thing) -> Sequence[Link]:
        return [
            Link(Thing(each.type, each.name), target, each.reference.kind.value, each.reference.path)
            for each in reading.referrers(route.served.service, target.name)
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
