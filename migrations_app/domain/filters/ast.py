"""The filter AST: what a filter says, whatever dialect it was written in.

Its nodes are structs, which are made many times faster than frozen dataclasses: parsing is mostly making nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from migrations_app.kernel.json import Json


class ComparisonOperator(StrEnum):
    """How an operand is compared with a constant."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="


class Quantifier(StrEnum):
    """How many of the constants a list must contain; `HAS` also takes a single value for a list of one."""

    VALUE = "VALUE"
    ANY = "ANY"
    ALL = "ALL"
    HAS = ":"


class ValueKind(StrEnum):
    """How the values of a path are compared: by JSON type until a schema says more."""

    JSON = "json"
    TEXT = "text"
    NUMBER = "number"
    DECIMAL = "decimal"
    BOOL = "bool"
    ENUM = "enum"
    TIMESTAMP = "timestamp"
    DURATION = "duration"
    BYTES = "bytes"


class Path(Struct, frozen=True):
    """A path into a document: keys of objects and maps, and places in lists as numbers.

    A key that meets a list looks into every element: the path then has several values.
    """

    segments: tuple[str | int, ...]

    def __str__(self) -> str:
        text = ""
        for segment in self.segments:
            if isinstance(segment, int):
                text += f"[{segment}]"
            else:
                text += ("." if text else "") + _segment(segment)
        return text

    def below(self, *segments: str | int) -> Path:
        """Go further down."""
        return Path((*self.segments, *segments))


RESERVED = frozenset({"OR", "AND", "NOT", "IN", "CONTAINS", "HAS", "LIKE", "IS", "EXISTS"})
"""The words that cannot begin a path unless they are quoted."""

_BARE = re.compile(r"[^\W\d][\w$/-]*")


def _segment(text: str) -> str:
    if _BARE.fullmatch(text) and text.upper() not in RESERVED:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class MapValue(Struct, frozen=True):
    """A map constant, hashable."""

    items: tuple[tuple[str, Constant], ...]

    def plain(self) -> dict[str, Json]:
        """Give the map as JSON."""
        return {key: each.plain() if isinstance(each, MapValue) else each for key, each in self.items}


Constant: TypeAlias = "bool | int | float | str | MapValue | None"


class Everything(Struct, frozen=True):
    """Holds for every document."""


class Nothing(Struct, frozen=True):
    """Holds for no document."""


class And(Struct, frozen=True):
    """Holds when all parts hold."""

    parts: tuple[Filter, ...]


class Or(Struct, frozen=True):
    """Holds when some part holds."""

    parts: tuple[Filter, ...]


class Not(Struct, frozen=True):
    """Holds when the inner filter does not; there is no third value."""

    inner: Filter


class Compare(Struct, frozen=True):
    """Compares a value with a constant; false for an absent or null value, also for `!=`."""

    path: Path
    op: ComparisonOperator
    value: Constant
    kind: ValueKind = ValueKind.JSON


class In(Struct, frozen=True):
    """Holds when the value equals one of the constants; `NOT IN` is the `Not` of this."""

    path: Path
    values: tuple[Constant, ...]
    kind: ValueKind = ValueKind.JSON


class IsNull(Struct, frozen=True):
    """Holds when the value is absent or null."""

    path: Path


class IsNaN(Struct, frozen=True):
    """Holds when the value is the number NaN."""

    path: Path


class Contains(Struct, frozen=True):
    """Holds when a list has the constants as elements, or a map has them as keys."""

    path: Path
    quantifier: Quantifier
    values: tuple[Constant, ...]
    kind: ValueKind = ValueKind.JSON


class Like(Struct, frozen=True):
    """Holds when text matches a pattern: `%` is any text, `_` any character, a backslash takes them literally."""

    path: Path
    pattern: str


class Exists(Struct, frozen=True):
    """Holds when one element of a list fulfils a filter, whose paths start at the element."""

    path: Path
    inner: Filter


Atom: TypeAlias = "Compare | In | IsNull | IsNaN | Contains | Like | Exists"
Filter: TypeAlias = "Everything | Nothing | And | Or | Not | Atom"


def all_of(parts: list[Filter]) -> Filter:
    """Join filters by AND, without needless nesting."""
    flat: list[Filter] = []
    for part in parts:
        if isinstance(part, Nothing):
            return part
        if isinstance(part, And):
            flat += part.parts
        elif not isinstance(part, Everything):
            flat.append(part)
    if not flat:
        return Everything()
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def any_of(parts: list[Filter]) -> Filter:
    """Join filters by OR, without needless nesting."""
    flat: list[Filter] = []
    for part in parts:
        if isinstance(part, Everything):
            return part
        if isinstance(part, Or):
            flat += part.parts
        elif not isinstance(part, Nothing):
            flat.append(part)
    if not flat:
        return Nothing()
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def negation(inner: Filter) -> Filter:
    """Negate a filter, taking a double negation away."""
    match inner:
        case Not():
            return inner.inner
        case Everything():
            return Nothing()
        case Nothing():
            return Everything()
        case _:
            return Not(inner)


def map_atoms(given: Filter, change: Callable[[Atom], Filter]) -> Filter:
    """Rebuild a filter with every atom changed; the inner filter of an `Exists` is left to `change`."""
    match given:
        case And():
            return all_of([map_atoms(part, change) for part in given.parts])
        case Or():
            return any_of([map_atoms(part, change) for part in given.parts])
        case Not():
            return negation(map_atoms(given.inner, change))
        case Everything() | Nothing():
            return given
        case _:
            return change(given)


def paths_of(given: Filter) -> frozenset[Path]:
    """List the paths that a filter reads; those inside an `Exists` from the document's top."""
    match given:
        case And() | Or():
            return frozenset().union(*map(paths_of, given.parts))
        case Not():
            return paths_of(given.inner)
        case Everything() | Nothing():
            return frozenset()
        case Exists():
            below = {given.path.below(*inner.segments) for inner in paths_of(given.inner)}
            return frozenset({given.path, *below})
        case _:
            return frozenset({given.path})
