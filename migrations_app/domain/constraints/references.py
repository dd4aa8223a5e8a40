"""References that a document makes: where, to what, and what the deletion of their target does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
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
from migrations_app.kernel.json import Json, JsonObject

ON_DELETE = ("onDelete", "onTargetDelete")
"""The constraint of a field that says what the deletion of the target does: block, cascade or unset."""

Steps: TypeAlias = "tuple[str | int, ...]"


@dataclass(frozen=True, slots=True)
class DocumentReference:
    """One reference in a document; `kind` is BLOCK, CASCADE, UNSET or WEAK."""

    steps: Steps
    kind: str
    service: str
    type: str
    name: str

    @property
    def path(self) -> str:
        """Where it stands, such as `spec.keys[2]`."""
        return path_of(self.steps)


def path_of(steps: Steps) -> str:
    """Write the way to a value of a document."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


@dataclass(frozen=True, slots=True)
class ReferenceFinder:
    """Finds the references in the documents of one schema version."""

    schema: Schema
    _holding: dict[str, bool] = field(default_factory=dict)

    def of(self, resource_type: str, body: JsonObject) -> tuple[DocumentReference, ...]:
        """List the references of a document in the order of its fields."""
        return tuple(self._object(self.schema.document_type(resource_type), body, ()))

    def possible(self, resource_type: str) -> bool:
        """Tell whether documents of a type can refer to anything."""
        return self._may_hold(self.schema.document_type(resource_type), frozenset())

    def may_hold(self, given: Type) -> bool:
        """Tell whether values of a type can hold references."""
        return self._may_hold(given, frozenset())

    def found_at(
        self, owner: Field, given: ReferenceType, name: str = "", at: Steps = ()
    ) -> DocumentReference:
        """Tell what a field refers to when it holds a name."""
        kind = self.kind_of(owner)
        service, type_ = self._target(given.resource, name)
        return DocumentReference(at, kind, service, type_, name)

    def declared(self, resource_type: str) -> tuple[tuple[Field, str, tuple[tuple[str, str], ...]], ...]:
        """List the fields of a type that may refer: each with its path and its targets as (service, type)."""
        return tuple(self._declared(self.schema.document_type(resource_type), "", frozenset()))

    def kind_of(self, owner: Field) -> str:
        """Tell what the deletion of a target does to who refers by this field."""
        given = next((owner.constraints[key] for key in ON_DELETE if key in owner.constraints), "block")
        kind = str(given).upper()
        return kind if kind in ("BLOCK", "CASCADE", "UNSET", "WEAK") else "BLOCK"

    def _declared(
        self, given: ObjectType, at: str, seen: frozenset[str]
    ) -> Iterator[tuple[Field, str, tuple[tuple[str, str], ...]]]:
        for each in given.fields:
            yield from self._declared_in(each, each.type, f"{at}.{each.key}" if at else each.key, seen)

    def _declared_in(
        self, owner: Field, given: Type, at: str, seen: frozenset[str]
    ) -> Iterator[tuple[Field, str, tuple[tuple[str, str], ...]]]:
        match given:
            case ReferenceType() if given.form != "id":
                yield owner, at, tuple(self._parted(each) for each in given.resource)
            case RefType() if given.name not in seen:
                yield from self._declared_in(owner, self.schema.resolve(given), at, seen | {given.name})
            case ObjectType():
                yield from self._declared(given, at, seen)
            case ListType():
                yield from self._declared_in(owner, given.item, f"{at}[]", seen)
            case MapType():
                yield from self._declared_in(owner, given.value, f"{at}{{}}", seen)
            case UnionType():
                for branch in given.branches:
                    yield from self._declared_in(owner, branch, at, seen)
            case _:
                return

    def _object(self, given: ObjectType, value: Json, at: Steps) -> Iterator[DocumentReference]:
        if not isinstance(value, dict):
            return
        for each in given.fields:
            below = value.get(each.key)
            if below is not None and self._worthwhile(given, each):
                yield from self._value(each, each.type, below, (*at, each.key))

    def _value(self, owner: Field, given: Type, value: Json, at: Steps) -> Iterator[DocumentReference]:
        match given:
            case ReferenceType():
                if isinstance(value, str) and value and given.form != "id":
                    yield self.found_at(owner, given, value, at)
            case RefType():
                yield from self._value(owner, self.schema.resolve(given), value, at)
            case ObjectType():
                yield from self._object(given, value, at)
            case ListType() if isinstance(value, list):
                for index, each in enumerate(value):
                    yield from self._value(owner, given.item, each, (*at, index))
            case MapType() if isinstance(value, dict):
                for key, each in value.items():
                    yield from self._value(owner, given.value, each, (*at, key))
            case UnionType():
                for branch in given.branches:
                    yield from self._value(owner, branch, value, at)
            case _:
                return

    def _target(self, candidates: tuple[str, ...], name: str) -> tuple[str, str]:
        parted = [self._parted(each) for each in candidates]
        for service, type_ in parted:
            here = self.schema.resources.get(type_) if service == self.schema.service else None
            if here is not None and is_name_of(here, name):
                return service, type_
        return parted[0] if parted else (self.schema.service, "")

    def _parted(self, candidate: str) -> tuple[str, str]:
        service, _, type_ = candidate.rpartition("/")
        return service or self.schema.service, type_

    def _worthwhile(self, owner: ObjectType, each: Field) -> bool:
        key = f"{id(owner)}/{each.key}"
        known = self._holding.get(key)
        if known is None:
            known = self._holding[key] = self._may_hold(each.type, frozenset())
        return known

    def _may_hold(self, given: Type, seen: frozenset[str]) -> bool:
        match given:
            case ReferenceType():
                return True
            case RefType():
                if given.name in seen:
                    return False
                return self._may_hold(self.schema.resolve(given), seen | {given.name})
            case ObjectType():
                return any(self._may_hold(each.type, seen) for each in given.fields)
            case ListType():
                return self._may_hold(given.item, seen)
            case MapType():
                return self._may_hold(given.value, seen)
            case UnionType():
                return any(self._may_hold(branch, seen) for branch in given.branches)
            case _:
                return False


def is_name_of(resource: ResourceDefinition, name: str) -> bool:
    """Tell whether a name has one of the shapes of a resource type."""
    ids: Mapping[str, str] = resource.id_patterns
    return any(Pattern.parse(text, ids).match(name) is not None for text in resource.patterns)


def without(body: JsonObject, steps: Steps) -> JsonObject:
    """Copy a document without the value at the end of the steps; a list closes the gap."""
    return _without(body, steps)  # type: ignore[return-value]


def _without(value: Json, steps: Steps) -> Json:
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        if not rest:
            return {key: each for key, each in value.items() if key != step}
        return {**value, step: _without(value[step], rest)}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        if not rest:
            return [*value[:step], *value[step + 1 :]]
        return [*value[:step], _without(value[step], rest), *value[step + 1 :]]
    return value
