"""Cross references: which fields of which types can hold the name of a resource type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from migrations_app.domain.schema.ir import CrossReference, ResourceDefinition, Schema
from migrations_app.domain.schema.types import (
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    Type,
    UnionType,
)


def with_cross_references(schema: Schema) -> Schema:
    """Fill in the cross references of every resource type, from the fields that refer to it."""
    holders = [
        (CrossReference(name, path), target)
        for name, given in schema.objects()
        for path, reference in _references(given, "")
        for target in reference.resource
    ]
    found: Mapping[str, ResourceDefinition] = {
        name: replace(resource, cross_references=_of(f"{schema.service}/{resource.type}", holders))
        for name, resource in schema.resources.items()
    }
    return replace(schema, resources=found)


def _of(full_type: str, holders: list[tuple[CrossReference, str]]) -> tuple[CrossReference, ...]:
    return tuple(dict.fromkeys(holder for holder, target in holders if target == full_type))


def _references(given: Type, path: str) -> Iterator[tuple[str, ReferenceType]]:
    """Walk the references inside a type; a named type tells its own."""
    match given:
        case ReferenceType():
            yield path, given
        case ObjectType():
            for field in given.fields:
                yield from _references(field.type, f"{path}.{field.name}" if path else field.name)
        case ListType():
            yield from _references(given.item, f"{path}[]")
        case MapType():
            yield from _references(given.value, f"{path}{{}}")
        case UnionType():
            for branch in given.branches:
                yield from _references(branch, path)
