"""Paths to parts of a document: `a.b`, `a[]`, `a[k=v]`, `a{}`, `a{"x.y"}`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ListType, MapType, ObjectType, StructType, Type
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import NOTHING, message


@dataclass(frozen=True, slots=True)
class Name:
    """A field of an object, by its name."""

    name: str

    def __str__(self) -> str:
        return self.name if _BARE.fullmatch(self.name) else _quoted(self.name)


@dataclass(frozen=True, slots=True)
class ListElements:
    """Every element of a list."""

    def __str__(self) -> str:
        return "[]"


@dataclass(frozen=True, slots=True)
class Element:
    """The element of a keyed list whose field `key` equals `value`."""

    key: str
    value: str

    def __str__(self) -> str:
        return f"[{self.key}={self.value if _BARE.fullmatch(self.value) else _quoted(self.value)}]"


@dataclass(frozen=True, slots=True)
class Values:
    """Every value of a map."""

    def __str__(self) -> str:
        return "{}"


@dataclass(frozen=True, slots=True)
class MapEntry:
    """The value of a map under one key."""

    key: str

    def __str__(self) -> str:
        return "{" + _quoted(self.key) + "}"


Step: TypeAlias = "Name | ListElements | Element | Values | MapEntry"

_BARE = re.compile(r"[^\W\d][\w-]*|[0-9]+")
_INNER = r'(?:[^"\\]|\\["\\])*'
_STEP = re.compile(
    rf"(?P<dot>\.)?(?P<name>[^\W\d][\w$-]*|\$[\w]+)|(?P<qdot>\.)?\"(?P<quoted>{_INNER})\""
    rf"|(?P<each>\[\])|\[(?P<key>[\w-]+)=(?:\"(?P<qvalue>{_INNER})\"|(?P<value>[^\]\"\s]+))\]"
    rf"|(?P<values>\{{\}})|\{{\"(?P<entry>{_INNER})\"\}}"
)


@dataclass(frozen=True, slots=True)
class SchemaPath:
    """A path as its steps; written the same way it is read."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        text = ""
        for step in self.steps:
            text += f".{step}" if isinstance(step, Name) and text else str(step)
        return text

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields along the path, lists and maps left out."""
        return tuple(step.name for step in self.steps if isinstance(step, Name))

    def startswith(self, other: SchemaPath) -> bool:
        """Tell whether the path lies at or below another one."""
        return self.steps[: len(other.steps)] == other.steps

    def parent(self) -> SchemaPath:
        """Drop the last step."""
        return SchemaPath(self.steps[:-1])


@lru_cache(maxsize=8192)
def parse_path(text: str) -> SchemaPath:
    """Read a path.

    Raises: Invalid (`E-PATH`); a dot inside a name is written in quotes, `\\.` is refused.
    """
    steps: list[Step] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (match["dot"] or match["qdot"] or "") != (
            "." if _needs_dot(match, steps) else ""
        ):
            raise Invalid(
                message("{text} is not a path (at {at}).", text=repr(text), at=at),
                code="E-PATH",
                remedy=message(
                    "Write a.b, a[], a[k=v], a{form} or a{form_2}; a dot inside a name goes in quotes.",
                    form="{}",
                    form_2='{"x.y"}',
                ),
            )
        steps.append(_step(match))
        at = match.end()
    if not steps:
        raise Invalid(message("A path cannot be empty."), code="E-PATH")
    return SchemaPath(tuple(steps))


def _needs_dot(match: re.Match[str], steps: list[Step]) -> bool:
    return bool(steps) and (match["name"] is not None or match["quoted"] is not None)


def _step(match: re.Match[str]) -> Step:
    if match["name"] is not None:
        return Name(match["name"])
    if match["quoted"] is not None:
        return Name(_unquoted(match["quoted"]))
    if match["each"]:
        return ListElements()
    if match["key"] is not None:
        return Element(match["key"], match["value"] or _unquoted(match["qvalue"] or ""))
    if match["values"]:
        return Values()
    return MapEntry(_unquoted(match["entry"] or ""))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


@dataclass(frozen=True, slots=True)
class SchemaLocation:
    """What a path leads to in a schema: the type there, and the field when the last step names one."""

    type: Type
    field: Field | None = None


def find_place(schema: Schema, start: Type, path: SchemaPath) -> SchemaLocation:
    """Follow a path through the types of a schema.

    Below a struct everything is a struct. Raises: Invalid (`E-PATH`) naming the step that leads nowhere.
    """
    place = SchemaLocation(start)
    for count, step in enumerate(path.steps):
        place = _next_place(schema, place, step, SchemaPath(path.steps[: count + 1]))
    return place


def _next_place(schema: Schema, place: SchemaLocation, step: Step, so_far: SchemaPath) -> SchemaLocation:
    here = schema.resolve(place.type)
    match here, step:
        case StructType(), _:
            return SchemaLocation(here)
        case ObjectType(), Name():
            field = here.field(step.name)
            if field is not None:
                return SchemaLocation(field.type, field)
        case ListType(), ListElements() | Element():
            return SchemaLocation(here.item)
        case MapType(), Values() | MapEntry():
            return SchemaLocation(here.value)
        case MapType(), Name():
            return SchemaLocation(here.value)
    names = ", ".join(each.name for each in here)[:200] if isinstance(here, ObjectType) else ""
    known = message("It has {fields}.", fields=names) if isinstance(here, ObjectType) else NOTHING
    raise Invalid(
        message("There is nothing at the path {path}.", path=str(so_far)) + known,
        code="E-PATH",
        path=str(so_far),
    )
