"""Deprecated fields that a request sends, or names in a filter, an order or a mask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from migrations_app.domain.compatibility.usage import KeyState
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    Deprecation,
    ListType,
    MapType,
    ObjectType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.engine.serving.usage import keys_of, messages_of
from migrations_app.ports.services.usage import Use

_KEPT: dict[tuple[int, str], tuple[Schema, Mapping[str, Deprecation]]] = {}
_MOST_KEPT = 4096


def deprecated_keys(use: Use) -> dict[str, Deprecation]:
    """Find what a request uses of what is deprecated, by type and path."""
    types = (use.resource_type,) if use.resource_type else tuple(use.schema.resources)
    found: dict[str, Deprecation] = {}
    # Nearly always there is none: then the message need not be read.
    if not any(deprecated_fields(use.schema, each) for each in types):
        return found
    for _, type_, body in messages_of(use):
        known = deprecated_fields(use.schema, type_)
        if known:
            for path, state in keys_of(use, type_, body):
                if path in known and state is not KeyState.ABSENT:
                    found[f"{type_}.{path}"] = known[path]
    return dict(sorted(found.items()))


def deprecated_fields(schema: Schema, type_: str) -> Mapping[str, Deprecation]:
    """List the deprecated fields of a resource type by their canonical paths; remembered for a schema."""
    kept = _KEPT.get((id(schema), type_))
    if kept is not None and kept[0] is schema:
        return kept[1]
    if len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    found: Mapping[str, Deprecation] = {}
    if type_ in schema.resources:
        found = dict(_below(schema, schema.document_type(type_), "", frozenset()))
    _KEPT[id(schema), type_] = (schema, found)
    return found


def _below(schema: Schema, given: Type, at: str, seen: frozenset[str]) -> Iterator[tuple[str, Deprecation]]:
    match given:
        case RefType() if given.name not in seen:
            yield from _below(schema, schema.type(given.name), at, seen | {given.name})
        case ObjectType():
            for each in given.fields:
                path = f"{at}.{each.key}" if at else each.key
                if each.deprecated is not None:
                    yield path, each.deprecated
                yield from _below(schema, each.type, path, seen)
        case ListType():
            yield from _below(schema, given.item, f"{at}[]", seen)
        case MapType():
            yield from _below(schema, given.value, f"{at}{{}}", seen)
        case UnionType():
            for branch in given.branches:
                yield from _below(schema, branch, at, seen)
        case _:
            return
