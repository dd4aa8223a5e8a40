"""Reports on an edge: how every field was assessed, and what each way cannot show or may lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.conversion.edges import CompiledEdge
from migrations_app.domain.conversion.naming.name_maps import Back
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.steps import Carry, Drop, Gather
from migrations_app.domain.conversion.values import (
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
    PartialSymbols,
)


@dataclass(frozen=True, slots=True)
class Loss:
    """One place where a way keeps less than everything in sight."""

    way: str
    path: str
    op: str
    kept: str  # "bag": nothing is lost; "witness": until a client edits the image; "no": given up; "hidden"


def losses(edge: CompiledEdge) -> list[Loss]:
    """List the fields that each way of an edge hides, and how well they are kept."""
    found: dict[Loss, None] = {}
    for plan in edge.plans:
        for way in (plan, plan.inverse):
            title = f"{way.plan.source_version} → {way.plan.target_version}"
            if any(each.unsets and each.there is Back.HIDDEN for each in way.names.variants):
                found[Loss(title, f"{way.source_type} names", "resourceName", "hidden")] = None
            found.update(dict.fromkeys(_object_losses(way.plan, title, set())))
    return list(found)


def _object_losses(plan: ObjectPlan, way: str, seen: set[ObjectPlan]) -> Iterator[Loss]:
    if plan in seen:
        return
    seen.add(plan)
    for step in plan.steps:
        if isinstance(step, Drop):
            kept = "no" if step.slot.sensitive else "bag"
            yield Loss(way, f"{plan.source_type}.{step.slot.path}", step.op, kept)
        elif isinstance(step, Gather):
            paths = ", ".join(slot.path for slot in step.sources)
            yield Loss(way, f"{plan.source_type}.{paths}", step.op, "witness")
        elif isinstance(step, Carry):
            if (symbols := _partial(step.conv)) is not None and symbols.refuses:
                yield Loss(way, f"{plan.source_type}.{step.source.path} symbols", step.op, "hidden")
            if not step.conv.exact and (symbols is None or not symbols.refuses or symbols.table.clashes):
                yield Loss(way, f"{plan.source_type}.{step.source.path}", step.op, "witness")
            for inner in _plans(step.conv):
                yield from _object_losses(inner, way, seen)


def _partial(conv: Conv) -> PartialSymbols | None:
    """Find symbols of which some have no counterpart, also as elements."""
    while isinstance(conv, ListConversion | EachValue):
        conv = conv.item
    if isinstance(conv, ConversionChain):
        return next((found for link in conv.links if (found := _partial(link)) is not None), None)
    return conv if isinstance(conv, PartialSymbols) else None


def _plans(conv: Conv) -> Iterator[ObjectPlan]:
    if isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan):
        yield conv.plan
    elif isinstance(conv, ListConversion | EachValue):
        yield from _plans(conv.item)
    elif isinstance(conv, ConversionChain):
        for link in conv.links:
            yield from _plans(link)


def coverage(edge: CompiledEdge) -> dict[str, int]:
    """Count the fields of both sides by what assessed them, the commonest first."""
    seen = {(each.side, each.path): each.by for each in edge.assessed}
    return dict(Counter(seen.values()).most_common())
