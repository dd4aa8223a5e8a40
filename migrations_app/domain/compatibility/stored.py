"""What is asked of stored documents before a definition changes beneath them, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from migrations_app.domain.compatibility.places import EACH, ENTRIES, FieldOccurrence, holders
from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ObjectType, UnknownKeys
from migrations_app.kernel import json
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message

_ASKED = "$asked"


class StoredKind(StrEnum):
    """Resources whose document holds a field, lacks it where it could stand, or holds what its new type is not.

    SYMBOL: whose document holds one of some symbols.
    """

    HOLDING = "holding"
    LACKING = "lacking"
    MISFIT = "misfit"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class CountRequest:
    """One question about the stored resources of a type."""

    kind: StoredKind
    at: FieldOccurrence
    fits: Callable[[Json], bool] | None = field(default=None, compare=False)
    symbols: tuple[str, ...] = ()

    def applies(self, document: JsonObject) -> bool:
        """Tell whether a document is counted."""
        inside = holders(document, self.at.segments)
        key = self.at.key
        match self.kind:
            case StoredKind.HOLDING:
                return any(key in each for each in inside)
            case StoredKind.LACKING:
                return any(each.get(key) is None for each in inside)
            case StoredKind.MISFIT:
                fits = self.fits
                return fits is not None and any(key in each and not fits(each[key]) for each in inside)
            case StoredKind.SYMBOL:
                return any(value in self.symbols for value in _values(document, self.at.segments))

    @property
    def json_path(self) -> str:
        """The same as a JSON path of PostgreSQL; empty where that cannot tell."""
        if self.kind is StoredKind.SYMBOL:
            # Lists are entered by the path itself: it is lax.
            equal = " || ".join(f"@ == {json.encode(each).decode()}" for each in self.symbols)
            return f"{''.join(('$', *map(_step, self.at.segments)))} ? ({equal})"
        head = "$"
        for segment in self.at.segments[:-1]:
            head += _step(segment)
        key = json.encode(self.at.key).decode()
        match self.kind:
            case StoredKind.HOLDING:
                return f"{head}.{key}"
            case StoredKind.LACKING:
                return f'{head} ? (@.type() == "object" && !exists(@.{key} ? (@ != null)))'
            case _:
                return ""


def _step(segment: str) -> str:
    return {EACH: "[*]", ENTRIES: ".*"}.get(segment) or f".{json.encode(segment).decode()}"


def _values(given: Json, segments: tuple[str, ...]) -> Iterator[Json]:
    """List the values at a place, those of a list one by one."""
    if isinstance(given, list):
        rest = segments[1:] if segments[:1] == (EACH,) else segments
        for each in given:
            yield from _values(each, rest)
    elif not segments:
        yield given
    elif isinstance(given, dict):
        inner = [*given.values()] if segments[0] == ENTRIES else [given.get(segments[0])]
        for each in inner:
            yield from _values(each, segments[1:])


@dataclass(frozen=True, slots=True)
class StoredCount:
    """How many resources are counted of how many; of a sample, how many of those `looked` at."""

    hits: int = 0
    resources: int = 0
    looked: int = 0

    @property
    def is_sample(self) -> bool:
        """Whether not every resource was looked at."""
        return self.looked < self.resources

    @property
    def estimate(self) -> int:
        """How many resources that are, as far as the sample tells."""
        return round(self.hits / self.looked * self.resources) if self.looked else self.hits

    @property
    def bound(self) -> int:
        """At most how many there are with a confidence of 95 % where a sample had none: the rule of three."""
        if not self.is_sample:
            return self.hits
        return min(self.resources, -(-3 * self.resources // max(1, self.looked)))

    @property
    def words(self) -> WordedMessage:
        """Say how many of the stored resources that are."""
        if not self.is_sample:
            return message("Stored: {hits} of {resources}.", hits=self.hits, resources=self.resources)
        if not self.hits:
            return message(
                "Stored: none in a sample of {looked} of {resources}, so at most {bound} (95 %).",
                looked=self.looked,
                resources=self.resources,
                bound=self.bound,
            )
        return message(
            "Stored: about {estimate} of {resources}, by a sample of {looked}.",
            estimate=self.estimate,
            resources=self.resources,
            looked=self.looked,
        )

    def plus(self, other: StoredCount) -> StoredCount:
        """Add what another place of data told."""
        # A sample that is added to a count is weighed up first.
        if self.is_sample == other.is_sample:
            return StoredCount(
                self.hits + other.hits, self.resources + other.resources, self.looked + other.looked
            )
        return StoredCount(
            self.estimate + other.estimate, self.resources + other.resources, self.looked + other.looked
        )

    def __str__(self) -> str:
        if not self.is_sample:
            return f"{self.hits} of {self.resources}"
        seen = f"a sample of {self.looked} of {self.resources}"
        if not self.hits:
            return f"none in {seen}, so at most {self.bound} (95 %)"
        return f"about {self.estimate} of {self.resources}, by {seen}"


def tally(
    asked: Iterable[CountRequest], documents: Iterable[JsonObject], resources: int
) -> dict[CountRequest, StoredCount]:
    """Answer questions by looking at documents."""
    questions = tuple(asked)
    hits, looked = dict.fromkeys(questions, 0), 0
    for document in documents:
        looked += 1
        for each in questions:
            hits[each] += each.applies(document)
    return {each: StoredCount(hits[each], max(resources, looked), looked) for each in questions}


def fitting(schema: Schema, given: Field) -> Callable[[Json], bool]:
    """Give what tells whether a stored value is one of a field's new type; absent is left to other questions."""
    alone = ObjectType((replace(given, required=False),))
    types = {**schema.types, _ASKED: alone}
    checker = DocumentChecker(
        replace(schema, types=types), _ASKED, unknown=UnknownKeys.PASS, partial=True, bag=True
    )
    return lambda value: checker.check({given.key: value}).valid
