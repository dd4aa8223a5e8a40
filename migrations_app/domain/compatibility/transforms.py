"""The op that makes a difference good: as an edge declares it, or as it could be written in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import yaml

from migrations_app.domain.compatibility.report import CompatibilityRule, VersionDifference
from migrations_app.domain.conversion.metadata.edge import SHORTHAND, Decl, Edge, Fork
from migrations_app.domain.conversion.proposals.evidence import MatchScorer
from migrations_app.domain.conversion.proposals.fields import renamed_fields
from migrations_app.domain.schema.scalars import INT_RANGES
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListType,
    ObjectType,
    ScalarKind,
    ScalarType,
    Type,
)
from migrations_app.kernel.json import Json

OPEN = "…"
"""Stands in a suggested line where only a person knows what belongs there."""

_OF_NAMES = (
    CompatibilityRule.PATTERN_ADDED,
    CompatibilityRule.PATTERN_REMOVED,
    CompatibilityRule.ID_PATTERN_CHANGED,
)
_PATHS = (
    "path",
    "from",
    "to",
    "fields",
    "under",
    "map",
    "key",
    "value",
    "name",
    "members",
    "reads",
    "writes",
)


def declared(edges: Iterable[Edge], found: VersionDifference) -> str:
    """Write the ops that edges declare for the place of a finding, each with its file and line; none: empty."""
    return "\n".join(line for edge in edges for line in _declared(edge, found))


def _declared(edge: Edge, found: VersionDifference) -> Iterator[str]:
    for kind, names in (("added", edge.added), ("removed", edge.removed)):
        if found.path in names:
            yield f"resources: {{{kind}: [{found.path}]}}  # {edge.file}"
    for change in edge.resources:
        if found.path in (change.source, change.target):
            yield f"resources: {{renamed: {{{change.source}: {change.target}}}}}  # {change.place}"
    for fork in edge.forks:
        if found.path in (fork.whole, *fork.parts):
            yield f"resources: {_forked(fork)}  # {fork.place}"
    for name, decls in edge.types.items():
        if found.path == name or found.path.startswith(f"{name}."):
            rest = found.path[len(name) + 1 :]
            for decl in decls:
                if decl.op == "resourceName" if found.rule in _OF_NAMES else _speaks_for(decl, rest):
                    yield f"{_line(decl.op, decl.args)}  # {decl.place}"


def _forked(fork: Fork) -> str:
    kind, way = ("split", "into") if fork.is_split else ("merge", "from")
    given: dict[str, Json] = {"by": fork.by, way: {part: list(of) for part, of in fork.parts.items()}}
    return _flow({kind: {fork.whole: {**given, "else": fork.other} if fork.other else given}})


def _speaks_for(decl: Decl, rest: str) -> bool:
    given = (path for key in _PATHS for path in decl.texts(key))
    return bool(rest) and any(_within(_folded(path), _folded(rest)) for path in given)


def _within(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def _folded(path: str) -> str:
    """Let field names and JSON keys be one."""
    return path.replace("[]", "").replace("{}", "").replace("_", "").casefold()


def _line(op: str, args: Mapping[str, Json]) -> str:
    given: Json = [args[SHORTHAND[op]]] if op in SHORTHAND and set(args) == {SHORTHAND[op]} else dict(args)
    return f"- {op}: {_flow(given)}"


def _flow(given: Json) -> str:
    text = yaml.safe_dump(given, default_flow_style=True, width=10_000, sort_keys=False, allow_unicode=True)
    return text.strip()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field before and after, and where it is on both sides what its types are."""

    before: Field | None
    after: Field | None
    types: tuple[Type, Type] | None

    @property
    def name(self) -> str:
        """What the field is called, on the new side if it is there."""
        field = self.after or self.before
        assert field is not None
        return field.name


def renames(
    judge: MatchScorer, path: str, types: tuple[ObjectType, ObjectType], within: str
) -> dict[str, str]:
    """Propose, by field name of either side, the line that takes two fields for one under another name."""
    return {
        name: f"{_line('rename', {'from': within + old, 'to': within + new})}  # {'; '.join(map(str, reasons[:3]))}"
        for old, new, reasons in renamed_fields(judge, (path, path), types)
        for name in (old, new)
    }


def of_resource(rule: CompatibilityRule, path: str, before: str, after: str) -> str:
    """Write the lines that would handle a difference of a resource type or its names in a new version."""
    match rule:
        case CompatibilityRule.RESOURCE_ADDED:
            return f"resources: {{added: [{path}]}}"
        case CompatibilityRule.RESOURCE_REMOVED:
            return f"resources: {{removed: [{path}]}}"
        case CompatibilityRule.METHOD_REMOVED:
            return f"methods: {{discontinued: [{path}]}}"
        case CompatibilityRule.PATTERN_ADDED | CompatibilityRule.PATTERN_REMOVED:
            return _line("resourceName", {"variants": [{"from": before or OPEN, "to": after or OPEN}]})
        case _:
            return ""


def suggested(rule: CompatibilityRule, change: FieldChange, within: str = "") -> str:
    """Write the op that would handle a difference of a field in a new version; empty where none is needed.

    `within` is the path from the named type to the object that has the field, such as `spec.`.
    """
    path: dict[str, Json] = {"path": within + change.name}
    match rule:
        case CompatibilityRule.KEY_ADDED:
            return _line("added", path)
        case CompatibilityRule.KEY_ADDED_REQUIRED:
            return _line("added", {**path, "as": {"default": OPEN}})
        case CompatibilityRule.KEY_REMOVED:
            return _line("removed", path)
        case CompatibilityRule.KEY_STATUS if (
            change.before and change.after and change.before.required != change.after.required
        ):
            return _line("require" if change.after.required else "relax", {**path, "fill": OPEN})
        case CompatibilityRule.DEFAULT_CHANGED if change.before and change.after:
            return _line(
                "default", {**path, "old": change.before.default.value, "new": change.after.default.value}
            )
        case CompatibilityRule.SYMBOL_REMOVED:
            return _line("enum", {**path, "map": {}, "rest": "bag"})
        case CompatibilityRule.UNIT_CHANGED:
            return _line("unit", {**path, "factor": OPEN})
        case CompatibilityRule.TYPE_NARROWED | CompatibilityRule.TYPE_REPLACED if change.types:
            return _of_types(path, *change.types)
        case _:
            return ""


def _of_types(path: dict[str, Json], old: Type, new: Type) -> str:
    match old, new:
        case EnumType(), EnumType():
            kept = {value.name for value in new.values}
            gone: Json = {value.name: OPEN for value in old.values if value.name not in kept}
            return _line("enum", {**path, "map": gone}) if gone else ""
        case ListType(), ListType():
            return ""
        case ListType(), _:
            return _line("head", path)
        case _, ListType():
            return _line("wrap", path)
        case ScalarType(), ScalarType() if old.kind is new.kind:
            return ""
        case ScalarType(), ScalarType(kind=ScalarKind.STRING) if old.kind in INT_RANGES:
            return _line("numToString", path)
        case _:
            return _line("convert", {**path, "codec": OPEN})
