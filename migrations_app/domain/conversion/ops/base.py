"""What an op is to the planner: its arguments, where it reads and writes, and the conversion it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from migrations_app.domain.conversion.hooks import Hook
from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding, FindingLevel
from migrations_app.domain.conversion.references import SplitReference
from migrations_app.domain.conversion.steps import Gather, Mapper, Slot
from migrations_app.domain.conversion.templates import Template
from migrations_app.domain.conversion.values import Conv
from migrations_app.domain.schema.types import Field, ObjectType, ReferenceType, Type
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import NOTHING, WordedMessage, message


class OpKind(StrEnum):
    """How an op touches the two sides."""

    PAIR = "pair"  # one place of each side
    SOURCE = "source"  # one place of the old side
    TARGET = "target"  # one place of the new side
    GATHER = "gather"  # several places to several places
    SUGAR = "sugar"  # stands for other ops
    NAME = "name"  # the names of a resource type


class OpClass(StrEnum):
    """What an op keeps."""

    BIJECTIVE = "bijective"
    INJECTIVE = "injective"
    LOSSY = "lossy"
    HOOK = "hook"


class PlanningContext(Protocol):
    """Where an op is planned: what it may ask for."""

    @property
    def source(self) -> ObjectType:
        """The old object type."""
        ...

    @property
    def target(self) -> ObjectType:
        """The new object type."""
        ...

    def between(self, source: Type, target: Type, decl: Decl) -> Conv:
        """Plan the conversion between two types."""
        ...

    def resolve(self, given: Type, *, old: bool) -> Type:
        """Follow named types of the old or the new schema."""
        ...

    def reference_part(self, old: ReferenceType, new: ReferenceType, variants: list[Json]) -> Conv:
        """Plan how names of the old types become names of the new ones alone, by `variants` where there are some.

        Raises: Invalid (`E-ARGS`, `E-NAMES`).
        """
        ...

    def report(self, finding: EdgeFinding) -> None:
        """Say that something is wrong."""
        ...

    def hook(self, name: str) -> Hook:
        """Find registered code.

        Raises: Missing (`E-HOOK`).
        """
        ...


@dataclass(frozen=True, slots=True)
class Leaf:
    """One place of each side that a pair op connects; the types are those of the elements after `[]`."""

    site: PlanningContext
    decl: Decl
    source: Field
    target: Field
    source_type: Type
    target_type: Type

    def between(self) -> Conv:
        """Plan the conversion between the two types."""
        return self.site.between(self.source_type, self.target_type, self.decl)

    def wrong(
        self,
        code: str,
        words: WordedMessage,
        remedy: WordedMessage = NOTHING,
        level: FindingLevel = FindingLevel.ERROR,
    ) -> None:
        """Report a finding at the op's line."""
        self.site.report(EdgeFinding(code, words, self.decl.place, remedy, level))


PairConv = Callable[[Leaf], Conv]


@dataclass(frozen=True, slots=True)
class Functions:
    """The two functions of a gathering op and what they are called."""

    there: Mapper
    back: Mapper
    parts: Mapping[str, str] = field(default_factory=dict)
    template: Template | None = None
    references: SplitReference | None = None

    def step(self, sources: tuple[Slot, ...], targets: tuple[Slot, ...], op: str) -> Gather:
        """Make the step of the op between these places."""
        return Gather(sources, targets, self.there, self.back, op, self.parts, self.template, self.references)


@dataclass(frozen=True, slots=True)
class OpForm:
    """An op as the edge format knows it; `arguments` says of each key what it means, `!` marks needed ones."""

    name: str
    kind: OpKind
    keeps: OpClass
    summary: str
    arguments: Mapping[str, str]
    example: str
    conv: PairConv | None = None
    expand: Callable[[Decl, ObjectType, ObjectType], list[Decl]] | None = None
    places: Callable[[Decl], tuple[tuple[str, ...], tuple[str, ...]]] | None = None
    mapping: Callable[[PlanningContext, Decl], Functions] | None = None
    instead: Callable[[Decl], Decl | None] = lambda decl: None
    backward: str = ""
    filters: str = ""
    masks: str = ""

    def problems(self, decl: Decl) -> list[EdgeFinding]:
        """Check that the needed arguments are there and no unknown ones."""
        found = [
            EdgeFinding(
                "E-ARGS",
                message("`{name}` needs `{key}`.", name=self.name, key=key),
                decl.place,
                message("Example: {example}", example=self.example),
            )
            for key, what in self.arguments.items()
            if what.startswith("!") and key not in decl.args
        ]
        found += [
            EdgeFinding(
                "E-ARGS",
                message("`{name}` knows no `{key}`.", name=self.name, key=key),
                decl.place,
                message("It takes: {arguments}.", arguments=", ".join(self.arguments)),
            )
            for key in decl.args
            if key not in self.arguments and not self.arguments.get("…")
        ]
        return found


PLACES = {"path": "the field, under one name on both sides", "from": "the old field", "to": "the new field"}
