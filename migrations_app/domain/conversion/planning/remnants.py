"""The steps that remember what is left of objects whose leaves moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from migrations_app.domain.conversion.planning.ground import Ground
from migrations_app.domain.conversion.steps import ConversionStep, Dissolve, OptionalObject, Reform, Slot
from migrations_app.domain.schema.types import Field

SlotOf = Callable[[Ground, str], Slot]


def hollows(
    pairs: list[tuple[Field, Field]], old: Ground, new: Ground, slot: SlotOf
) -> Iterator[ConversionStep]:
    """Watch the objects of both sides that leaves leave or enter."""
    for mine, theirs in pairs:
        left, entered = mine.name in old.holes, theirs.name in new.holes
        if left or entered:
            yield OptionalObject(slot(old, mine.name), slot(new, theirs.name), undoes=left, notes=entered)


def dissolved(old: Ground, new: Ground, slot: SlotOf) -> Iterator[ConversionStep]:
    """Keep the remainder of objects that only one side has."""
    for name in old.leaves:
        yield Dissolve(slot(old, name), old.tree(name))
    for name in new.leaves:
        yield Reform(slot(new, name), new.tree(name))
