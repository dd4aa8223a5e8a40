"""What a service folder declares to the registry: its types, imports and references, version by version."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.registry.declared import Declared, DeclaredType
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, ReferenceType, Type, UnionType


def declared_by(given: ServiceFolder) -> Declared:
    """Say what a folder declares, in the registry's words."""
    return Declared(
        service=given.service,
        display_name=given.display_name,
        types={version: tuple(_types(schema)) for version, schema in given.schemas.items()},
        imports={
            version: {one.service: one.version for one in imported}
            for version, imported in given.imports.items()
        },
        refers_to={version: frozenset(_targets(schema)) for version, schema in given.schemas.items()},
    )


def _types(schema: Schema) -> Iterator[DeclaredType]:
    for name, resource in schema.resources.items():
        regional = any("regions/{" in pattern for pattern in resource.patterns)
        yield DeclaredType(name, resource.plural, regional)


def _targets(schema: Schema) -> Iterator[str]:
    for each in schema.types.values():
        yield from _services(each)


def _services(given: Type) -> Iterator[str]:
    match given:
        case ReferenceType():
            yield from (target.partition("/")[0] for target in given.resource if "/" in target)
        case ListType():
            yield from _services(given.item)
        case MapType():
            yield from _services(given.value)
        case UnionType():
            for branch in given.branches:
                yield from _services(branch)
        case ObjectType():
            for field in given:
                yield from _services(field.type)
        case _:
            return
