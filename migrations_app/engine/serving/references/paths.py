"""Where the documents of a resource type may hold references, as plain steps that a store can follow by itself."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.constraints.references import DocumentReference
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    Field,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.ports.stored import CollectionStep, ReferencePath

Way = tuple[tuple[str | CollectionStep, ...], tuple[int, ...]]


class _UnboundedReferences(Exception):
    """A type that no finite list of trails describes, or whose target depends on the name it holds."""


def trails_of(references: StoredReferences, resource_type: str) -> tuple[ReferencePath, ...] | None:
    """List where references may stand; None when steps alone cannot say it, and documents must be looked at."""
    if kept_type(resource_type):
        # Their documents name resources as another version does.
        return None if references.possible(resource_type) else ()
    schema = references.finder.schema
    try:
        return tuple(_Walk(references, schema).object(schema.document_type(resource_type), ((), ()), ()))
    except _UnboundedReferences:
        return None


def places_of(references: StoredReferences, resource_type: str) -> tuple[ReferencePath, ...] | None:
    """List where references may stand, also of several types of targets; None as for `trails_of`.

    What is told of a target's type is that of its first candidate.
    """
    if kept_type(resource_type):
        return None if references.possible(resource_type) else ()
    schema = references.finder.schema
    try:
        walk = _Walk(references, schema, is_one_type=False)
        return tuple(walk.object(schema.document_type(resource_type), ((), ()), ()))
    except _UnboundedReferences:
        return None


class _Walk:
    def __init__(self, references: StoredReferences, schema: Schema, *, is_one_type: bool = True) -> None:
        self._references, self._schema, self._is_one_type = references, schema, is_one_type

    def object(self, given: ObjectType, way: Way, above: tuple[str, ...]) -> Iterator[ReferencePath]:
        """Walk the fields of an object."""
        for place, each in enumerate(given.fields):
            yield from self._value(each, each.type, _on(way, each.key, place), above)

    def _value(self, owner: Field, given: Type, way: Way, above: tuple[str, ...]) -> Iterator[ReferencePath]:
        match given:
            case ReferenceType():
                yield from self._reference(owner, given, way)
            case RefType():
                if given.name in above:
                    self._refuse_if_holding(given)
                    return
                yield from self._value(owner, self._schema.resolve(given), way, (*above, given.name))
            case ObjectType():
                yield from self.object(given, way, above)
            case ListType():
                yield from self._value(owner, given.item, _on(way, CollectionStep.ITEM), above)
            case MapType():
                yield from self._value(owner, given.value, _on(way, CollectionStep.ENTRY), above)
            case UnionType():
                for branch in given.branches:
                    self._refuse_if_holding(branch)
            case _:
                return

    def _reference(self, owner: Field, given: ReferenceType, way: Way) -> Iterator[ReferencePath]:
        if given.form == "id":
            return
        services = {each.rpartition("/")[0] for each in given.resource}
        if len(given.resource) != 1 and (self._is_one_type or len(services) != 1):
            raise _UnboundedReferences
        found = self._references.finder.found_at(owner, given)
        yield ReferencePath(
            *way, self._references.row(DocumentReference((), found.kind, found.service, found.type, ""))
        )

    def _refuse_if_holding(self, given: Type) -> None:
        if self._references.finder.may_hold(given):
            raise _UnboundedReferences


def _on(way: Way, step: str | CollectionStep, place: int = 0) -> Way:
    return (*way[0], step), (*way[1], place)
