"""What a newer version does not have: methods, enum symbols and name patterns that nothing of it takes the place of.

That an edge says so makes nothing good: clients of the older version have nothing to move to. Each is a finding that
a person accepts. Symbols and patterns are judged by the conversions, not by the two definitions alone: what a
conversion maps has a place.
"""

from __future__ import annotations

from migrations_app.domain.compatibility.report import CompatibilityRule, VersionDifference, Weight
from migrations_app.domain.conversion.edges import CompiledEdge
from migrations_app.domain.conversion.naming.name_maps import HookedNameMap
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.shapes import DropEmpty, DropNull
from migrations_app.domain.conversion.states import Keys
from migrations_app.domain.conversion.steps import Carry
from migrations_app.domain.conversion.values import (
    SAME,
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
    SymbolTable,
)
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import EnumType, ListType, MapType, ObjectType, RefType, Type

REMOVALS = frozenset(
    {
        CompatibilityRule.RESOURCE_REMOVED,
        CompatibilityRule.METHOD_REMOVED,
        CompatibilityRule.PATTERN_REMOVED,
        CompatibilityRule.SYMBOL_REMOVED,
    }
)
"""The rules of what a person accepts before a switch."""


def removed_symbols(edge: CompiledEdge, old: Schema, new: Schema) -> tuple[VersionDifference, ...]:
    """List the fields whose values may be symbols that the newer version does not have, one finding for each field.

    A symbol that the edge maps is none of them, nor one of a field that goes into the bag.
    """
    walk = _Walk(old, new)
    for plan in edge.plans:
        label = old.resources[plan.source_type].message
        ends = old.document_type(plan.source_type), new.document_type(plan.target_type)
        walk.object(plan.plan, ends, label)
    return tuple(
        removal(CompatibilityRule.SYMBOL_REMOVED, path, ", ".join(symbols))
        for path, symbols in sorted(walk.found.items())
        if symbols
    )


def removed_patterns(edge: CompiledEdge) -> tuple[VersionDifference, ...]:
    """List the resource types with name patterns that the edge maps to nothing, one finding for each type."""
    left: dict[str, list[str]] = {}
    for plan in edge.plans:
        hooked = isinstance(plan.names, HookedNameMap)
        unmapped = [] if hooked else [each.text for each in plan.names.unmapped]
        before = left.get(plan.source_type)
        # What one part of a split type cannot name, another part may.
        left[plan.source_type] = unmapped if before is None else [each for each in before if each in unmapped]
    return tuple(
        removal(CompatibilityRule.PATTERN_REMOVED, type_, ", ".join(patterns))
        for type_, patterns in left.items()
        if patterns
    )


def removal(rule: CompatibilityRule, path: str, what: str) -> VersionDifference:
    """Write the finding of something that goes and has no counterpart."""
    return VersionDifference(rule, Weight.BREAK, path, what, "", "", "client first")


class _Walk:
    """Walks documents of both versions side by side, along the conversion, and collects symbols by field."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[str, str]] = set()
        self.found: dict[str, list[str]] = {}

    def object(self, plan: ObjectPlan, ends: tuple[ObjectType, ObjectType], label: str) -> None:
        """Look at the values that a plan carries from one object to another."""
        for step in plan.steps:
            if not isinstance(step, Carry):
                continue
            before = _type_at(self._old, ends[0], step.source.keys)
            after = _type_at(self._new, ends[1], step.target.keys)
            if before is not None and after is not None:
                self._value(step.conv, before, after, f"{label}.{'.'.join(step.source.keys)}")

    def _value(self, conv: Conv, before: Type, after: Type, path: str) -> None:
        match self._old.resolve(before), self._new.resolve(after):
            case EnumType() as mine, EnumType() as theirs:
                self._symbols(conv, mine, theirs, path)
            case ListType() as mine, ListType() as theirs:
                inside = isinstance(self._old.resolve(mine.item), ObjectType)
                self._value(_item(conv), mine.item, theirs.item, f"{path}[]" if inside else path)
            case MapType() as mine, MapType() as theirs:
                self._value(_item(conv), mine.value, theirs.value, f"{path}{{}}")
            case ObjectType() as mine, ObjectType() as theirs:
                if isinstance(before, RefType) and isinstance(after, RefType):
                    if (before.name, after.name) in self._seen:
                        return
                    self._seen.add((before.name, after.name))
                    path = before.name
                self._inner(conv, (mine, theirs), path)
            case _:
                return

    def _inner(self, conv: Conv, ends: tuple[ObjectType, ObjectType], path: str) -> None:
        plan = conv.plan if isinstance(conv, Inner) else None
        if isinstance(plan, ObjectPlan):
            self.object(plan, ends, path)
        elif conv is SAME:
            for field in ends[0].fields:
                other = ends[1].by_key(field.key)
                if other is not None:
                    self._value(SAME, field.type, other.type, f"{path}.{field.key}")

    def _symbols(self, conv: Conv, mine: EnumType, theirs: EnumType, path: str) -> None:
        images = {each.name: _image(conv, each.name) for each in mine.values}
        known = {each.name for each in theirs.values}
        gone = [name for name, image in images.items() if image is not None and image not in known]
        kept = self.found.setdefault(path, [])
        kept += [name for name in gone if name not in kept]


def _type_at(schema: Schema, given: Type, keys: Keys) -> Type | None:
    for key in keys:
        resolved = schema.resolve(given)
        field = resolved.by_key(key) if isinstance(resolved, ObjectType) else None
        if field is None:
            return None
        given = field.type
    return given


def _item(conv: Conv) -> Conv:
    if isinstance(conv, ListConversion | EachValue):
        return conv.item
    if isinstance(conv, ConversionChain):
        return next((each.item for each in conv.links if isinstance(each, ListConversion | EachValue)), SAME)
    return SAME


def _image(conv: Conv, symbol: str) -> str | None:
    """Tell what becomes of a symbol; None where code decides."""
    if conv is SAME or isinstance(conv, DropNull | DropEmpty):
        return symbol
    if isinstance(conv, SymbolTable):
        return conv.there.get(symbol, symbol)
    if isinstance(conv, ConversionChain):
        made: str | None = symbol
        for link in conv.links:
            made = None if made is None else _image(link, made)
        return made
    return None
