"""The planner of one edge: every pair of object types that its documents meet, each planned once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.conversion.metadata.edge import Decl, Edge
from migrations_app.domain.conversion.metadata.findings import EdgeFinding, FindingLevel
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.planning.between import Named, simplified
from migrations_app.domain.conversion.planning.lineage import Lineages
from migrations_app.domain.conversion.steps import Carry, ConversionStep
from migrations_app.domain.conversion.values import (
    SAME,
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
)
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ObjectType, ReferenceType, RefType, Type
from migrations_app.kernel.json import Json, canonical
from migrations_app.kernel.messages import message

PlanPair = Callable[["Planner", ObjectPlan, Named, Named, tuple[Decl, ...]], None]


class References(Protocol):
    """Finds how the names in a field that refers to resources become those of the other version."""

    def __call__(self, old: Type, new: Type) -> Conv | None:
        """Plan a reference of one field to one field."""
        ...

    def part(self, old: ReferenceType, new: ReferenceType, variants: list[Json]) -> Conv:
        """Plan how names of the old types become names of the new ones alone.

        Raises: Invalid (`E-ARGS`, `E-NAMES`).
        """
        ...


@dataclass(frozen=True, slots=True)
class Assessed:
    """How one field came to be dealt with: by a matching rule or an op."""

    side: str
    path: str
    by: str


@dataclass(frozen=True, slots=True)
class Open:
    """The places of a pair of types that nothing speaks for: fields, and paths inside objects taken apart."""

    source_type: str
    target_type: str
    types: tuple[ObjectType, ObjectType]
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkedFields:
    """A field of each side that are the same one, in a pair of types, by a matching rule or an op."""

    source_type: str
    target_type: str
    old: Field
    new: Field
    by: str


class Planner:
    """Plans the object types of one edge; findings collect, so that one run shows all of them."""

    def __init__(
        self,
        edge: Edge,
        schemas: tuple[Schema, Schema],
        lineages: Lineages,
        references: References,
        plan_pair: PlanPair,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self.edge = edge
        self.old, self.new = schemas
        self._plan_pair = plan_pair
        self.hooks = hooks
        self.lineages = lineages
        self.references = references
        self.findings: list[EdgeFinding] = []
        self.assessed: list[Assessed] = []
        self.open: list[Open] = []
        self.links: list[LinkedFields] = []
        self.used: set[str] = set()
        self._plans: dict[tuple[str, str, bytes], ObjectPlan] = {}
        self.renames = dict(edge.type_renames)
        for decls in edge.types.values():
            for decl in decls:
                if decl.op == "typeRename":
                    self.renames.update({key: str(value) for key, value in decl.args.items()})

    @property
    def open_pairs(self) -> tuple[Open, ...]:
        """List what is open, each pair of types once: as it was planned last."""
        return tuple({(each.source_type, each.target_type): each for each in self.open}.values())

    def report(self, finding: EdgeFinding) -> None:
        """Keep a finding, once."""
        if finding not in self.findings:
            self.findings.append(finding)

    @property
    def place(self) -> str:
        """The edge, as overrides name it."""
        return f"{self.edge.service} {self.edge.source}-{self.edge.target}"

    def old_type(self, given: Type) -> Type:
        """Follow named types of the old version."""
        return self.old.resolve(given) if isinstance(given, RefType) else given

    def new_type(self, given: Type) -> Type:
        """Follow named types of the new version."""
        return self.new.resolve(given) if isinstance(given, RefType) else given

    def reference(self, old: Type, new: Type) -> Conv | None:
        """Plan a reference to another resource."""
        return self.references(old, new)

    def pair(self, old: Named, new: Named, extra: tuple[Decl, ...] = ()) -> ObjectPlan:
        """Plan a pair of object types, with ops that hold only where it is used here."""
        key = (old[0], new[0], canonical([[each.op, each.args] for each in extra]))
        found = self._plans.get(key)
        if found is None:
            found = ObjectPlan((self.old.version, old[0]), (self.new.version, new[0]))
            self._plans[key] = found
            if not any(fork.whole in (old[0], new[0]) for fork in self.edge.forks):
                self._check_names(old, new, extra)
            self.used |= {old[0], new[0]}
            self._plan_pair(self, found, old, new, extra)
        return found

    def _check_names(self, old: Named, new: Named, extra: tuple[Decl, ...]) -> None:
        if old[0] != new[0] and self.renames.get(old[0]) != new[0]:
            self.renames.setdefault(old[0], new[0])
            if old[0].rpartition(".")[2] == new[0].rpartition(".")[2]:
                return  # the same type in another package, or with the version before its name
            words = message(
                "{old} is taken for {new}, because the same field holds them.", old=old[0], new=new[0]
            )
            self.report(
                EdgeFinding(
                    "W-TYPE",
                    words,
                    self.edge.place(),
                    message("Say so: typeRename: {example}.", example=f"{{{old[0]}: {new[0]}}}"),
                    FindingLevel.WARNING,
                )
            )

    def finish(self) -> None:
        """Find the pairs that change nothing, and what the file declares for unused types."""
        identities = set(self._plans.values())
        changed = True
        while changed:
            busy = {plan for plan in identities if not _changes_nothing(plan, identities)}
            changed = bool(busy)
            identities -= busy
        for plan in self._plans.values():
            plan.is_identity = plan.inverse.is_identity = plan in identities
        for plan in self._plans.values():
            plan.fill(tuple(map(_simple, plan.steps)), plan.source_keys, plan.target_keys)
        for name, decls in self.edge.types.items():
            if name not in self.used and name not in self.old.resources and name not in self.new.resources:
                place = decls[0].place if decls else self.edge.place()
                words = message("No resource type holds {name}, so its ops are never used.", name=name)
                self.report(
                    EdgeFinding("E-UNUSED", words, place, message("Remove them, or correct the type's name."))
                )


def _changes_nothing(plan: ObjectPlan, identities: set[ObjectPlan]) -> bool:
    carried = {step.source.keys[0] for step in plan.steps if isinstance(step, Carry)}
    return plan.source_keys == plan.target_keys == carried and all(
        isinstance(step, Carry) and step.source.keys == step.target.keys and _is_same(step.conv, identities)
        for step in plan.steps
    )


def _is_same(conv: Conv, identities: set[ObjectPlan]) -> bool:
    if isinstance(conv, Inner):
        return conv.plan in identities
    if isinstance(conv, ListConversion | EachValue):
        return _is_same(conv.item, identities)
    if isinstance(conv, ConversionChain):
        return all(_is_same(link, identities) for link in conv.links)
    return conv is SAME


def _simple(step: ConversionStep) -> ConversionStep:
    if isinstance(step, Carry):
        return Carry(step.source, step.target, simplified(step.conv), step.op)
    return step
