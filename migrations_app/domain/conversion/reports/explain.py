"""What happens to one document, step by step, for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.conversion.bag import BAG, entries
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.domain.conversion.states import ABSENT, State, read
from migrations_app.domain.conversion.steps import (
    Appear,
    Carry,
    ConversionStep,
    Dissolve,
    Drop,
    Gather,
    OptionalObject,
    Reform,
    Slot,
)
from migrations_app.domain.conversion.values import Conv, ConversionChain, EachValue, Inner, ListConversion
from migrations_app.kernel.json import JsonObject


@dataclass(frozen=True, slots=True)
class Explained:
    """One step: the op, where from and to, the values, and what the bag got or gave."""

    hop: str
    op: str
    source: str
    target: str
    before: State
    after: State
    bag: str = ""


def explain(converter: TypeConverter, name: str, body: JsonObject) -> Iterator[Explained]:
    """Walk the hops and steps that a resource passes; steps that find nothing are left out."""
    for hop in converter.hops:
        yield from _explain_object(hop.plan, body, "")
        after_name, after = hop.run(name, body)
        if after_name != name:
            yield Explained(hop.plan.name, "resourceName", "name", "name", name, after_name)
        name, body = after_name, after


def _explain_object(plan: ObjectPlan, source: JsonObject, prefix: str) -> Iterator[Explained]:
    bag = entries(source)
    target: JsonObject = {}
    for step in plan.steps:
        before = dict(bag)
        step.run(source, target, bag)
        froms, tos = _ends(step)
        states = [read(source, slot.keys) for slot in froms]
        made = [read(target, slot.keys) for slot in tos]
        gained, used = sorted(bag.keys() - before.keys()), sorted(before.keys() - bag.keys())
        note = ", ".join(
            [f"into the bag: {key}" for key in gained] + [f"from the bag: {key}" for key in used]
        )
        if note or any(state is not ABSENT for state in (*states, *made)):
            yield Explained(
                plan.name,
                _op(step),
                _places(prefix, froms),
                _places(prefix, tos),
                _one(states),
                _one(made),
                note,
            )
        yield from _inside(step, source, prefix)
    for key in sorted(source.keys() - plan.source_keys - {BAG}):
        yield Explained(
            plan.name, "unknown key", f"{prefix}{key}", f"{prefix}{key}", source[key], source[key]
        )


def _inside(step: ConversionStep, source: JsonObject, prefix: str) -> Iterator[Explained]:
    if not isinstance(step, Carry):
        return
    for inner, place, value in _objects(
        step.conv, read(source, step.source.keys), f"{prefix}{step.source.path}"
    ):
        yield from _explain_object(inner, value, f"{place}.")


def _objects(conv: Conv, state: State, place: str) -> Iterator[tuple[ObjectPlan, str, JsonObject]]:
    if isinstance(conv, Inner) and isinstance(conv.plan, ObjectPlan) and isinstance(state, dict):
        yield conv.plan, place, state
    elif isinstance(conv, ListConversion) and isinstance(state, list):
        for index, value in enumerate(state):
            yield from _objects(conv.item, value, f"{place}[{index}]")
    elif isinstance(conv, EachValue) and isinstance(state, dict):
        for key, value in state.items():
            yield from _objects(conv.item, value, f'{place}{{"{key}"}}')
    elif isinstance(conv, ConversionChain):
        for link in conv.links:
            yield from _objects(link, state, place)


def _ends(step: ConversionStep) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    match step:
        case Carry():
            return (step.source,), (step.target,)
        case Drop() | Dissolve():
            return (step.slot,), ()
        case Appear() | Reform():
            return (), (step.slot,)
        case Gather():
            return step.sources, step.targets
        case OptionalObject():
            return (step.source,), (step.target,)
        case _:
            return (), ()


def _op(step: ConversionStep) -> str:
    return step.op if isinstance(step, Carry | Drop | Appear | Gather) else type(step).__name__.lower()


def _places(prefix: str, slots: tuple[Slot, ...]) -> str:
    return ", ".join(f"{prefix}{slot.path}" for slot in slots)


def _one(states: list[State]) -> State:
    present = [state for state in states if state is not ABSENT]
    if not present:
        return ABSENT
    return present[0] if len(present) == 1 else present
