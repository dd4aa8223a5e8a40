"""Following a path of the source version through a plan: where it leads, and through what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.steps import Carry, Drop, Gather
from migrations_app.domain.conversion.values import (
    SAME,
    Conv,
    ConversionChain,
    EachValue,
    Inner,
    ListConversion,
)

Segments = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class PathConversion:
    """Where a path leads in the target version, and the conversion of the value at its end."""

    path: Segments
    conv: Conv = SAME


def follow(plan: ObjectPlan, path: Segments) -> PathConversion | None:
    """Follow a path; None when its value is not in one place there, or is made of several."""
    if plan.is_identity:
        return PathConversion(path)
    for step in plan.steps:
        keys: tuple[str, ...] = step.source.keys if isinstance(step, Carry) else ()
        if isinstance(step, Carry) and path[: len(keys)] == keys:
            inner = _through(step.conv, path[len(keys) :])
            return None if inner is None else PathConversion((*step.target.keys, *inner.path), inner.conv)
    return None


def _through(conv: Conv, rest: Segments) -> PathConversion | None:
    if conv is SAME:
        return PathConversion(rest)
    if isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan):
        return follow(conv.plan, rest) if rest else PathConversion((), conv)
    if isinstance(conv, ListConversion):
        place = rest[:1] if rest and isinstance(rest[0], int) else ()
        return _below(conv.item, conv, place, rest[len(place) :])
    if isinstance(conv, EachValue):
        return _below(conv.item, conv, rest[:1], rest[1:]) if rest else PathConversion((), conv)
    if isinstance(conv, ConversionChain) or rest:
        return None if rest else PathConversion((), conv)
    return PathConversion((), conv)


def _below(item: Conv, whole: Conv, place: Segments, rest: Segments) -> PathConversion | None:
    if not rest and not place:
        return PathConversion((), whole)
    inner = _through(item, rest)
    return None if inner is None else PathConversion((*place, *inner.path), inner.conv)


def images(plan: ObjectPlan, path: Segments) -> Iterator[Segments]:
    """List every place in the target version that a part of the value at a path goes to."""
    if plan.is_identity:
        yield path
        return
    for step in plan.steps:
        if isinstance(step, Carry):
            keys = step.source.keys
            if path[: len(keys)] == keys:
                yield from _inner_images(step, path[len(keys) :])
            elif keys[: len(path)] == path:
                yield step.target.keys
        elif isinstance(step, Gather) and any(_meet(slot.keys, path) for slot in step.sources):
            yield from (slot.keys for slot in step.targets)
        elif isinstance(step, Drop):
            continue


def _inner_images(step: Carry, rest: Segments) -> Iterator[Segments]:
    head: Segments = step.target.keys
    conv = step.conv
    while isinstance(conv, ListConversion):
        conv = conv.item
    if isinstance(conv, EachValue):
        head, rest, conv = (*head, *rest[:1]), rest[1:], conv.item
    if not rest:
        yield head
    elif isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan):
        yield from ((*head, *below) for below in images(conv.plan, rest))
    elif conv is SAME:
        yield (*head, *rest)
    else:
        yield head


def _meet(left: Segments, right: Segments) -> bool:
    size = min(len(left), len(right))
    return left[:size] == right[:size]
