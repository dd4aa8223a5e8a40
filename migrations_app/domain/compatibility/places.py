"""Where a field of a type stands in the documents of resource types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    Field,
    ListType,
    MapType,
    ObjectType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.kernel.json import Json

DEEPEST = 12
EACH, ENTRIES = "[]", "{}"
_PART = re.compile(r"\[\]|\{\}|[^.\[{]+")


@dataclass(frozen=True, slots=True)
class FieldOccurrence:
    """A field of the documents of one resource type: its keys from the outside, `[]` in lists and `{}` in maps."""

    resource: str
    segments: tuple[str, ...]

    @property
    def path(self) -> str:
        """The canonical path, as counts of use have it."""
        text = ""
        for segment in self.segments:
            inside = segment in (EACH, ENTRIES)
            text += segment if inside or not text else f".{segment}"
        return text

    @property
    def key(self) -> str:
        """The field's own key."""
        return self.segments[-1]


def occurrences(schema: Schema, path: str) -> tuple[FieldOccurrence, ...]:
    """Find everywhere in documents a place stands that a report names by a type and a path in it."""
    owner = max((each for each in schema.types if f"{path}.".startswith(f"{each}.")), key=len, default="")
    inner = tuple(_PART.findall(path[len(owner) + 1 :] if owner else path.partition(".")[2]))
    if not owner or not inner:
        return ()
    return tuple(
        FieldOccurrence(short, (*above, *inner))
        for short, resource in schema.resources.items()
        for above in _ways(schema, RefType(resource.message), owner, (), ())
    )


def field_at(schema: Schema, resource: str, segments: tuple[str, ...]) -> Field | None:
    """Find the field that an occurrence means, if the schema has it."""
    return _step(schema, resource, segments)[1]


def object_at(schema: Schema, resource: str, segments: tuple[str, ...]) -> ObjectType | None:
    """Find the object of a resource type that stands at a path; the document itself without any."""
    found, _ = _step(schema, resource, segments)
    resolved = None if found is None else schema.resolve(found)
    return resolved if isinstance(resolved, ObjectType) else None


def _step(
    schema: Schema, resource: str, segments: tuple[str, ...]
) -> tuple[Type, Field | None] | tuple[None, None]:
    """Go down a path: give the type at its end, and the last field on the way."""
    given: Type = schema.document_type(resource)
    found: Field | None = None
    for segment in segments:
        given = schema.resolve(given)
        if isinstance(given, ObjectType):
            found = given.by_key(segment)
            if found is None:
                return None, None
            given = found.type
        elif isinstance(given, ListType) and segment == EACH:
            given = given.item
        elif isinstance(given, MapType) and segment == ENTRIES:
            given = given.value
        else:
            return None, None
    return given, found


def segments_of(path: str) -> tuple[str, ...]:
    """Take a canonical path apart: `parts[].note` is `parts`, `[]` and `note`; empty of what is none."""
    segments = tuple(_PART.findall(path))
    written = FieldOccurrence("", segments).path
    return segments if written == path and segments and segments[-1] not in (EACH, ENTRIES) else ()


def _ways(
    schema: Schema, given: Type, owner: str, at: tuple[str, ...], seen: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """List the ways from a type down to a named one; one that holds itself is followed once."""
    if len(at) > DEEPEST:
        return
    match given:
        case RefType():
            if given.name == owner:
                yield at
            if given.name not in seen:
                yield from _ways(schema, schema.type(given.name), owner, at, (*seen, given.name))
        case ObjectType():
            for field in given.fields:
                yield from _ways(schema, field.type, owner, (*at, field.key), seen)
        case ListType():
            yield from _ways(schema, given.item, owner, (*at, EACH), seen)
        case MapType():
            yield from _ways(schema, given.value, owner, (*at, ENTRIES), seen)
        case UnionType():
            for branch in given.branches:
                yield from _ways(schema, branch, owner, at, seen)
        case _:
            return


def holders(document: Json, segments: tuple[str, ...]) -> Iterator[dict[str, Json]]:
    """List the objects of a document that would hold a field."""
    if len(segments) == 1:
        if isinstance(document, dict):
            yield document
        return
    head, rest = segments[0], segments[1:]
    if head == EACH:
        inner = document if isinstance(document, list) else []
    elif head == ENTRIES:
        inner = [*document.values()] if isinstance(document, dict) else []
    else:
        inner = [document[head]] if isinstance(document, dict) and head in document else []
    for each in inner:
        yield from holders(each, rest)
