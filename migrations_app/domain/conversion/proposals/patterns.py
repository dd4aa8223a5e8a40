"""What `resourceName` could say where a pattern of the old version has no fellow: which new pattern, and its segments."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.conversion.edges import resource_pairs
from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.proposals.names.words import words
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.shapes import Shapes
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.ir import ResourceDefinition
from migrations_app.domain.schema.types import ObjectType, ReferenceType, ScalarKind, ScalarType
from migrations_app.kernel.json import Json, JsonObject

_UNKNOWN: JsonObject = {"const": "…"}


def pattern_suggestions(edge: Edge, shapes: Shapes) -> Iterator[Suggestion]:
    """Pair the patterns of resource types whose names no rule pairs; near certain where only collections changed."""
    pairs, _ = resource_pairs(edge, shapes.old, shapes.new)
    for mine, theirs in pairs:
        left, right = shapes.old.resources[mine], shapes.new.resources[theirs]
        if _is_declared(edge, left, right) or not _lacks_fellow(left, right):
            continue
        fellows = {text: _fellow(text, left, right) for text in left.patterns}
        variants: list[Json] = [
            _variant(Pattern.parse(old), Pattern.parse(new), shapes.old.object(left.message))
            for old, new in fellows.items()
        ]
        sure = len(set(fellows.values())) == len(fellows) and all(
            _has_same_segments(Pattern.parse(old), Pattern.parse(new)) for old, new in fellows.items()
        )
        reason = MatchReason.SEGMENTS_EQUAL if sure else MatchReason.SEGMENTS_DIFFER
        yield Suggestion(
            Section.OPS,
            left.message,
            "resourceName",
            {"variants": variants},
            0.95 if sure else 0.5,
            (reason.words_with(),),
            sure,
            target=right.message,
        )


def _is_declared(edge: Edge, left: ResourceDefinition, right: ResourceDefinition) -> bool:
    names = (left.type, left.message, right.type)
    return any(decl.op == "resourceName" for name in names for decl in edge.types.get(name, ()))


def _lacks_fellow(left: ResourceDefinition, right: ResourceDefinition) -> bool:
    """Tell whether an old pattern has no new one of the same collections and number of segments."""
    known = {_bare(text) for text in right.patterns}
    return bool(right.patterns) and any(_bare(text) not in known for text in left.patterns)


def _bare(pattern: str) -> tuple[str, ...]:
    return tuple("{}" if "{" in part else part for part in pattern.split("/"))


def _fellow(text: str, left: ResourceDefinition, right: ResourceDefinition) -> str:
    """Find the new pattern that has most of an old one's variables and collections."""
    mine = Pattern.parse(text)
    parts = set(_bare(text))

    def _alike(other: str) -> tuple[bool, int, int, int]:
        theirs = Pattern.parse(other)
        common = len(set(mine.variables) & set(theirs.variables))
        apart = abs(len(mine.variables) - len(theirs.variables))
        return _bare(other) == _bare(text), common - apart, len(parts & set(_bare(other))), -len(other)

    return max(right.patterns, key=_alike)


def _has_same_segments(old: Pattern, new: Pattern) -> bool:
    """Tell whether two patterns have the same segments in the same order, but for what the last one is called."""
    return len(old.variables) == len(new.variables) and old.variables[:-1] == new.variables[:-1]


def _variant(old: Pattern, new: Pattern, document: ObjectType) -> JsonObject:
    """Write how one pattern becomes the other; segments that nothing tells are left blank."""
    gone = [each for each in old.variables if each not in new.variables]
    come = [each for each in new.variables if each not in old.variables]
    made: JsonObject = {"from": old.text, "to": new.text}
    if _has_same_segments(old, new):
        if come:
            made["set"] = {there: {"same": here} for here, there in zip(gone, come, strict=True)}
            made["back"] = {"set": {here: {"same": there} for here, there in zip(gone, come, strict=True)}}
        return made
    if come:
        made["set"] = {each: _source_of(each, document) for each in come}
        made["back"] = "hidden"
    if gone:
        made["drop"] = "bag"
    return made


def _source_of(segment: str, document: ObjectType) -> JsonObject:
    """Take a segment from the field of its name, where the document has one."""
    for field in document.fields:
        is_text = isinstance(field.type, ScalarType) and field.type.kind is ScalarKind.STRING
        if words(field.name) == words(segment) and (is_text or isinstance(field.type, ReferenceType)):
            return {"field": field.name}
    return _UNKNOWN
