"""Shadow reads: answers given to live reads, handed over to be compared with what the next version would say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from migrations_app.domain.access import Actor
from migrations_app.domain.schema.ir import Method
from migrations_app.kernel.json import JsonObject

WHOLE = ""
"""The path under which reads are counted, whatever of them differs."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The whole resources, as they are stored, that a read of a version was answered with."""

    region: str
    service: str
    version: str
    type: str
    documents: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """What a call of a method that reads was answered with, by the version that is stored."""

    region: str
    service: str
    version: str
    method: Method
    name: str
    message: JsonObject
    actor: Actor
    document: JsonObject


class ShadowReads(Protocol):
    """Takes answers to compare a sample of them. They may be lost; the read they answer never waits for them."""

    def note(self, answered: Answered | AnsweredCall) -> None:
        """Take an answer, at once."""
        ...


class Unshadowed:
    """Compares nothing."""

    def note(self, answered: Answered | AnsweredCall) -> None:
        """Forget it."""


@dataclass(slots=True)
class ShadowReadSums:
    """How many answers were compared and how many differed; `name` is one that did."""

    compared: int = 0
    differing: int = 0
    name: str = ""


@dataclass(slots=True)
class ShadowReadComparison:
    """What came of comparing, by the schema of the namespace that was read, the resource type and the field path."""

    sums: dict[tuple[str, str, str], ShadowReadSums] = field(default_factory=dict)

    def note(self, place: tuple[str, str], name: str, paths: tuple[str, ...]) -> None:
        """Count an answer that differs at these paths; at none when it is the same."""
        whole = self.sums.setdefault((*place, WHOLE), ShadowReadSums())
        whole.compared += 1
        for path in (WHOLE, *paths) if paths else ():
            found = self.sums.setdefault((*place, path), ShadowReadSums())
            found.differing += 1
            found.name = found.name or name


class ShadowReadCounts(Protocol):
    """Keeps how many answers were compared with a namespace and how many differed, for all processes."""

    def add(self, found: ShadowReadComparison) -> None:
        """Add sums to those that are kept. Once: all of them or none."""
        ...

    def totals(self, place: str) -> tuple[int, int]:
        """Tell how many reads were compared with the namespace of this schema, and how many differed."""
        ...

    def differences(self, place: str, limit: int = 3) -> Sequence[tuple[str, int, str]]:
        """List where reads differed most: `Type.path`, how often, and the name of one resource."""
        ...
