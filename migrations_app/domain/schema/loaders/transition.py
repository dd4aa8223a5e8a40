"""What `transition` of a version says of single fields, otherwise than its sources: a phase of a change in place.

Servers that change a key in phases accept it before they send it, or stop sending it before they refuse it. That is said
beside the sources, of whatever kind they are, so that they need not be written twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.types import Behavior, Field, ListType, MapType, ObjectType, Type
from migrations_app.kernel.messages import message

_MARKS = re.compile(r"(\[\]|\{\})+$")


class KeyUse(StrEnum):
    """What a server does with a key of requests or of answers."""

    UNKNOWN = "unknown"
    OPTIONAL = "optional"
    REQUIRED = "required"


@dataclass(frozen=True, slots=True)
class FieldTransition:
    """What servers accept of a field in requests, and send of it in answers; None is as its sources say."""

    accepts: KeyUse | None
    sends: KeyUse | None

    def of(self, field: Field) -> Field:
        """Let a field be so."""
        if self.accepts is not None:
            behavior = _with(field.behavior, Behavior.OUTPUT_ONLY, self.accepts)
            field = replace(field, behavior=behavior, required=self.accepts is KeyUse.REQUIRED)
        if self.sends is not None:
            behavior = _with(field.behavior, Behavior.INPUT_ONLY, self.sends)
            field = replace(field, behavior=behavior, always=self.sends is KeyUse.REQUIRED)
        return field


def _with(known: frozenset[Behavior], one: Behavior, use: KeyUse) -> frozenset[Behavior]:
    return known | {one} if use is KeyUse.UNKNOWN else known - {one}


def read_transition(part: Part) -> dict[str, FieldTransition]:
    """Read `transition`: `Box.title: {accepts: optional, sends: unknown}` for each field."""
    found: dict[str, FieldTransition] = {}
    for path, said in part.parts("transition"):
        accepts, sends = (
            said.choice(word, KeyUse, KeyUse.OPTIONAL) if word in said else None
            for word in ("accepts", "sends")
        )
        change = FieldTransition(accepts, sends)
        if change.accepts is change.sends is KeyUse.UNKNOWN:
            said.wrong(
                "E-TRANSITION",
                message("neither accepts nor sends the field."),
                remedy=message("Leave the field out."),
            )
        said.nothing_left()
        found[path] = change
    return found


def with_transition(schema: Schema, changes: Mapping[str, FieldTransition], part: Part) -> Schema:
    """Let the fields of a version be as `transition` says; a path that is none of a field is a finding."""
    for path, change in changes.items():
        changed = with_field(schema, path, change.of)
        if changed is None:
            part.wrong(
                "E-TRANSITION",
                message("names {path}, which is no field of the version.", path=path),
                "transition",
            )
        else:
            schema = changed
    return schema


def with_field(schema: Schema, path: str, change: Callable[[Field], Field]) -> Schema | None:
    """Change the field at a path that begins with a named type, such as `Box.lid.colour`; None where there is none."""
    owner = max((each for each in schema.types if path.startswith(f"{each}.")), key=len, default="")
    if not owner:
        return None
    made = _within(schema.types[owner], path[len(owner) + 1 :].split("."), change)
    return None if made is None else replace(schema, types={**schema.types, owner: made})


def _within(given: Type, segments: list[str], change: Callable[[Field], Field]) -> Type | None:
    if not isinstance(given, ObjectType):
        return None
    key = _MARKS.sub("", segments[0])
    field = given.by_key(key) or given.field(key)
    if field is None:
        return None
    if len(segments) == 1:
        made = change(field)
    else:
        inner = _below(field.type, segments[0][len(key) :], segments[1:], change)
        if inner is None:
            return None
        made = replace(field, type=inner)
    return replace(given, fields=tuple(made if each is field else each for each in given.fields))


def _below(given: Type, marks: str, segments: list[str], change: Callable[[Field], Field]) -> Type | None:
    if marks.startswith("[]") and isinstance(given, ListType):
        item = _below(given.item, marks[2:], segments, change)
        return None if item is None else replace(given, item=item)
    if marks.startswith("{}") and isinstance(given, MapType):
        value = _below(given.value, marks[2:], segments, change)
        return None if value is None else replace(given, value=value)
    return None if marks else _within(given, segments, change)
