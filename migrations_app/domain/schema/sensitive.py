"""Sensitive fields of a resource type: where they are in its documents, and documents without their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    Behavior,
    Field,
    ListType,
    MapType,
    ObjectType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.kernel.json import Json, JsonObject

REDACTED = "[redacted]"
"""What is shown in the place of a sensitive value."""
ANY = "*"
"""The segment of a path that stands for every element of a list and every value of a map."""
SensitivePath: TypeAlias = tuple[str, ...]


def sensitive_paths(schema: Schema, resource_type: str) -> tuple[SensitivePath, ...]:
    """List where documents of a resource type carry sensitive values, by the keys of the documents.

    A message that contains itself is sensitive as a whole where it does, if anything in it is.
    """
    found = _Search(schema).object(schema.document_type(resource_type), (), ())
    return tuple(dict.fromkeys(found))


def redacted(document: Json, paths: Sequence[SensitivePath]) -> Json:
    """Give a document with `REDACTED` in place of what is at the paths; what is absent stays absent."""
    for path in paths:
        document = _without(document, path)
    return document


def redacted_object(document: JsonObject, paths: Sequence[SensitivePath]) -> JsonObject:
    """Give an object without the values at the paths, none of which is empty."""
    found = redacted(document, paths)
    assert isinstance(found, dict)
    return found


def _without(value: Json, path: SensitivePath) -> Json:
    if not path:
        return REDACTED if value is not None else None
    first, rest = path[0], path[1:]
    if first == ANY and isinstance(value, list):
        return [_without(item, rest) for item in value]
    if first == ANY and isinstance(value, dict):
        return {key: _without(item, rest) for key, item in value.items()}
    if isinstance(value, dict) and first in value:
        return {**value, first: _without(value[first], rest)}
    return value


def _is_hidden(field: Field) -> bool:
    """Tell whether no log shows a field: it is sensitive, or clients may write it and never read it."""
    return field.sensitive or Behavior.INPUT_ONLY in field.behavior


class _Search:
    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def object(
        self, given: ObjectType, path: SensitivePath, above: tuple[str, ...]
    ) -> Iterator[SensitivePath]:
        """List the paths below an object; `above` names the messages that it is in."""
        for field in given.fields:
            at = (*path, field.key)
            if _is_hidden(field):
                yield at
            else:
                yield from self._type(field.type, at, above)

    def _type(self, given: Type, path: SensitivePath, above: tuple[str, ...]) -> Iterator[SensitivePath]:
        match given:
            case RefType():
                yield from self._message(given, path, above)
            case ObjectType():
                yield from self.object(given, path, above)
            case ListType():
                yield from self._type(given.item, (*path, ANY), above)
            case MapType():
                yield from self._type(given.value, (*path, ANY), above)
            case UnionType():
                for branch in given.branches:
                    yield from self._type(branch, path, above)

    def _message(
        self, given: RefType, path: SensitivePath, above: tuple[str, ...]
    ) -> Iterator[SensitivePath]:
        if given.name not in above:
            yield from self._type(self._schema.resolve(given), path, (*above, given.name))
        elif self._has_sensitive(given, frozenset()):
            yield path

    def _has_sensitive(self, given: Type, seen: frozenset[str]) -> bool:
        match given:
            case RefType():
                if given.name in seen:
                    return False
                return self._has_sensitive(self._schema.resolve(given), seen | {given.name})
            case ObjectType():
                return any(
                    _is_hidden(field) or self._has_sensitive(field.type, seen) for field in given.fields
                )
            case ListType():
                return self._has_sensitive(given.item, seen)
            case MapType():
                return self._has_sensitive(given.value, seen)
            case UnionType():
                return any(self._has_sensitive(branch, seen) for branch in given.branches)
        return False
