"""Resource types that split into several, or merge into one, by the value of a field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from migrations_app.domain.conversion.metadata.edge import Decl, Edge, Fork
from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding
from migrations_app.domain.conversion.naming.name_maps import NameMap, NoImage, Variant
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import EnumType
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message


class OtherPart(NoImage):
    """The document belongs to another part of its type."""


@dataclass(frozen=True, slots=True)
class PartCondition:
    """Tells by a field whether a document of the whole type belongs to one part of it."""

    key: str
    part_of: Mapping[str, str]
    other: str
    part: str

    def holds(self, body: JsonObject) -> bool:
        """Look the field's value up; one that no part claims belongs to the declared other part."""
        value = body.get(self.key)
        claimed = self.part_of.get(value) if isinstance(value, str) else None
        return (claimed or self.other) == self.part

    @property
    def values(self) -> tuple[str, ...]:
        """The values that belong to the part."""
        return tuple(value for value, part in self.part_of.items() if part == self.part)

    @property
    def only(self) -> str | None:
        """The one value that all documents of the part have, if there is one."""
        return self.values[0] if len(self.values) == 1 and self.other != self.part else None


def guard_of(fork: Fork, part: str, schema: Schema) -> PartCondition:
    """Make the guard of a part; the schema is that of the whole type."""
    field = schema.document_type(fork.whole).field(fork.by)
    claimed = {value: name for name, values in fork.parts.items() for value in values}
    return PartCondition(field.key if field else fork.by, claimed, fork.other, part)


def part_declaration(fork: Fork, part: str) -> Decl:
    """Declare what the part's type need not say: the value of the field that tells the parts apart."""
    op = "removed" if fork.is_split else "added"
    return Decl(op, {"path": fork.by, "as": {"const": fork.parts[part][0]}}, fork.place)


def problems(fork: Fork, whole: Schema, parts: Schema) -> Iterator[EdgeFinding]:
    """Find what is wrong with a fork by itself."""
    for name, schema in [(fork.whole, whole), *((part, parts) for part in fork.parts)]:
        if name not in schema.resources:
            words = message("{version} has no resource type {name}.", version=schema.version, name=name)
            yield EdgeFinding(
                "E-FORK",
                words,
                fork.place,
                message("It has {resources}.", resources=", ".join(schema.resources)),
            )
            return
    field = whole.document_type(fork.whole).field(fork.by)
    if field is None:
        words = message(
            "{whole} has no field {by} that could tell its parts apart.", whole=fork.whole, by=repr(fork.by)
        )
        yield EdgeFinding("E-FORK", words, fork.place, message("Write by: <a field of it>."))
        return
    held = whole.resolve(field.type)
    claimed = [value for values in fork.parts.values() for value in values]
    for value in sorted({value for value in claimed if claimed.count(value) > 1}):
        yield EdgeFinding(
            "E-FORK",
            message("Two parts of {whole} claim {value}.", whole=fork.whole, value=value),
            fork.place,
            message("One part each."),
        )
    unclaimed = (
        [each.name for each in held.values if each.name not in claimed] if isinstance(held, EnumType) else []
    )
    if unclaimed and not fork.other:
        words = message(
            "No part of {whole} claims {unclaimed}.", whole=fork.whole, unclaimed=", ".join(unclaimed)
        )
        yield EdgeFinding(
            "E-FORK", words, fork.place, message("Add them to a part, or write else: <a part>.")
        )


def contradictions(edge: Edge) -> Iterator[EdgeFinding]:
    """Find resource types that an edge sends two ways, or that it makes of two: of which, no document could tell."""
    left: dict[str, list[tuple[WordedMessage, EdgeFileLine]]] = {}
    right: dict[str, list[tuple[WordedMessage, EdgeFileLine]]] = {}
    for name in edge.removed:
        left.setdefault(name, []).append((message("It is removed."), edge.place()))
    for name in edge.added:
        right.setdefault(name, []).append((message("It is added."), edge.place()))
    for change in edge.resources:
        renamed = message("{source} is renamed to {target}.", source=change.source, target=change.target)
        left.setdefault(change.source, []).append((renamed, change.place))
        right.setdefault(change.target, []).append((renamed, change.place))
    for fork in edge.forks:
        whole, parts = (left, right) if fork.is_split else (right, left)
        whole.setdefault(fork.whole, []).append((_use_of_whole(fork), fork.place))
        for part in fork.parts:
            parts.setdefault(part, []).append((_use_of_part(fork, part), fork.place))
    for version, claims in ((edge.source, left), (edge.target, right)):
        for name, claimed in claims.items():
            if len(claimed) > 1:
                words = message(
                    "Resources of {name} of {version} would have two routes.", name=name, version=version
                )
                for use, _ in claimed:
                    words += use
                # The lists `removed` and `added` have no line of their own.
                yield EdgeFinding("E-FORK", words, claimed[-1][1], message("Leave one of them."))


def _use_of_whole(fork: Fork) -> WordedMessage:
    if fork.is_split:
        return message("It is split by {field}.", field=str(fork.by))
    return message("Other types are merged into it.")


def _use_of_part(fork: Fork, part: str) -> WordedMessage:
    if fork.is_split:
        return message("{part} is a part of {whole}.", part=part, whole=fork.whole)
    return message("{part} is merged into {whole}.", part=part, whole=fork.whole)


def collisions(fork: Fork, maps: Mapping[str, NameMap]) -> Iterator[EdgeFinding]:
    """Find parts whose resources could share a name of the whole type."""
    for left, right in combinations([part for part in fork.parts if part in maps], 2):
        if any(
            _may_meet(one, two, is_split=fork.is_split)
            for one in maps[left].variants
            for two in maps[right].variants
        ):
            yield EdgeFinding(
                "E-BIJECTION",
                message(
                    "A {left} and a {right} could have one name as {whole}.",
                    left=left,
                    right=right,
                    whole=fork.whole,
                ),
                fork.place,
                message(
                    "Give their ids patterns that begin differently, or set a segment to another const "
                    "for each."
                ),
            )


def _may_meet(left: Variant, right: Variant, *, is_split: bool) -> bool:
    mine, theirs = ((each.source, each.target)[not is_split] for each in (left, right))
    if not mine.may_overlap(theirs):
        return False
    rules = tuple(each.unsets if is_split else each.sets for each in (left, right))
    for variable in mine.variables:
        fixed = [rule[variable].const if variable in rule else "" for rule in rules]
        if all(fixed) and fixed[0] != fixed[1]:
            return False
    parts = tuple(each.target if is_split else each.source for each in (left, right))
    return not any(_begin_apart(parts, variable) for variable in mine.variables)


def _begin_apart(patterns: tuple[Pattern, ...], variable: str) -> bool:
    heads = [_head(dict(pattern.ids).get(variable, "")) for pattern in patterns]
    size = min(map(len, heads))
    return size > 0 and heads[0][:size] != heads[1][:size]


def _head(body: str) -> str:
    """Tell the text that every id of a pattern begins with."""
    if "|" in body:
        return ""
    found = re.match(r"[A-Za-z0-9_-]*(?![?*{+])", body.removeprefix("^"))
    return found[0] if found else ""
