"""The steps a conversion of one object is made of; each runs one way and can be turned round.

A step that loses something stashes it: independent data under its lineage, restored always; derived data
under lineage and version with a witness, restored only while its visible image is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from migrations_app.domain.conversion.bag import entry, is_current, value_of
from migrations_app.domain.conversion.references import SplitReference
from migrations_app.domain.conversion.states import ABSENT, Keys, State, read, remove, same, write
from migrations_app.domain.conversion.templates import Template
from migrations_app.domain.conversion.values import Conv
from migrations_app.kernel.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a document: its keys, the lineage that bags know it by, and the path people read."""

    keys: Keys
    lineage: str
    version: str
    path: str = ""
    sensitive: bool = False

    @property
    def derived(self) -> str:
        """The bag key of a state of this place that only this version can hold."""
        return f"{self.lineage}@{self.version}"


class ConversionStep(Protocol):
    """A part of the conversion of one object."""

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Read the source, write the target, take from and add to the bag."""
        ...

    def turned(self) -> ConversionStep:
        """The same part of the inverse."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Carry:
    """One value from one place to another."""

    source: Slot
    target: Slot
    conv: Conv
    op: str = "match"

    @property
    def is_free(self) -> bool:
        """Whether neither way ever stashes anything."""
        return self.conv.exact and self.conv.inverse.exact

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Convert the value; restore what the other side stashed if its image is unchanged."""
        state = read(source, self.source.keys)
        made = self.conv(state)
        if not self.is_free:
            found = bag.pop(self.target.derived, ABSENT)
            if found is not ABSENT and is_current(found, state):
                made = value_of(found)
            elif not self.conv.exact and not same(self.conv.inverse(made), state):
                bag[self.source.derived] = entry(state, made, derived=True)
        write(target, self.target.keys, made)

    def turned(self) -> ConversionStep:
        """The value back."""
        return Carry(self.target, self.source, self.conv.inverse, self.op)


@dataclass(frozen=True, slots=True, eq=False)
class Drop:
    """A value that the target cannot show: into the bag."""

    slot: Slot
    fill: State = ABSENT
    op: str = "removed"

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Stash the value, unless it is the one that the inverse fills in."""
        state = read(source, self.slot.keys)
        if not same(state, self.fill) and not self.slot.sensitive:
            bag[self.slot.lineage] = entry(state)

    def turned(self) -> ConversionStep:
        """The value from the bag."""
        return Appear(self.slot, self.fill, self.op)


@dataclass(frozen=True, slots=True, eq=False)
class Appear:
    """A value that the source cannot show: from the bag, else the declared fill."""

    slot: Slot
    fill: State = ABSENT
    op: str = "added"

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Restore the value."""
        found = bag.pop(self.slot.lineage, ABSENT)
        write(target, self.slot.keys, self.fill if found is ABSENT else value_of(found))

    def turned(self) -> ConversionStep:
        """The value into the bag."""
        return Drop(self.slot, self.fill, self.op)


Bundle: TypeAlias = tuple[State, ...]
Mapper: TypeAlias = Callable[[Bundle], Bundle]


@dataclass(frozen=True, slots=True, eq=False)
class Gather:
    """Several values from several places to several others, by a pair of functions."""

    sources: tuple[Slot, ...]
    targets: tuple[Slot, ...]
    there: Mapper
    back: Mapper
    op: str
    parts: Mapping[str, str] | None = None  # for explain: what the functions do
    template: Template | None = (
        None  # whose two functions these are: each gives nothing, or what loses nothing
    )
    references: SplitReference | None = None  # whose two functions these are

    @property
    def keys(self) -> tuple[str, str]:
        """The bag keys of what the target cannot show, and of what the source could not."""
        return self._key(self.sources), self._key(self.targets)

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Convert the bundle; stash what the inverse would not find again."""
        states = tuple(read(source, slot.keys) for slot in self.sources)
        mine, theirs = self.keys
        found = bag.pop(theirs, ABSENT)
        if found is not ABSENT and is_current(found, bundled(states)):
            made = unbundled(value_of(found), len(self.targets))
        else:
            made = self.there(states)
            if not all(map(same, self.back(made), states)):
                bag[mine] = entry(bundled(states), bundled(made), derived=True)
        for slot, state in zip(self.targets, made, strict=True):
            write(target, slot.keys, state)

    @staticmethod
    def _key(slots: tuple[Slot, ...]) -> str:
        return "+".join([slot.lineage for slot in slots]) + f"@{slots[0].version}"

    def turned(self) -> ConversionStep:
        """The bundle back."""
        return replace(self, sources=self.targets, targets=self.sources, there=self.back, back=self.there)


def bundled(states: Bundle) -> Json:
    """Write several states as one JSON value: one list of at most one value each."""
    return [[] if state is ABSENT else [state] for state in states]


def unbundled(value: State, count: int) -> Bundle:
    """Read several states back."""
    if not isinstance(value, list) or len(value) != count:
        return (ABSENT,) * count
    return tuple(each[0] if isinstance(each, list) and each else ABSENT for each in value)


Tree: TypeAlias = "Mapping[str, Tree | None]"


@dataclass(frozen=True, slots=True, eq=False)
class Dissolve:
    """An object whose leaves move elsewhere: the rest of it, and an empty or null one, goes to the bag."""

    slot: Slot
    leaves: Tree

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Stash the remainder."""
        state = read(source, self.slot.keys)
        if state is ABSENT:
            return
        rest = remainder(state, self.leaves)
        if rest is not ABSENT:
            bag[self.slot.lineage] = entry(rest)

    def turned(self) -> ConversionStep:
        """The object put together again."""
        return Reform(self.slot, self.leaves)


@dataclass(frozen=True, slots=True, eq=False)
class Reform:
    """An object put together from leaves that moved and the remainder in the bag."""

    slot: Slot
    leaves: Tree

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Lay the leaves, which have been written already, over the remainder."""
        found = bag.pop(self.slot.lineage, ABSENT)
        if found is ABSENT:
            return
        rest, now = value_of(found), read(target, self.slot.keys)
        write(target, self.slot.keys, rest if now is ABSENT else overlaid(rest, now))

    def turned(self) -> ConversionStep:
        """The object taken apart again."""
        return Dissolve(self.slot, self.leaves)


def remainder(state: Json, leaves: Tree) -> State:
    """Take the leaves out of an object; absent when there was nothing else in it."""
    if not isinstance(state, dict):
        return state
    rest: JsonObject = {}
    took = False
    for key, value in state.items():
        if key not in leaves:
            rest[key] = value
            continue
        below = leaves[key]
        left: State = ABSENT if below is None else remainder(value, below)
        if left is ABSENT:
            took = True
        else:
            rest[key] = left
    return ABSENT if took and not rest else rest


def overlaid(rest: State, leaves: State) -> State:
    """Lay leaves over a remainder, object by object."""
    if isinstance(rest, dict) and isinstance(leaves, dict):
        return {
            **rest,
            **{key: _kept(overlaid(rest.get(key, ABSENT), value)) for key, value in leaves.items()},
        }
    return leaves


def _kept(state: State) -> Json:
    return None if state is ABSENT else state


@dataclass(frozen=True, slots=True, eq=False)
class OptionalObject:
    """An object of both sides that some leaves leave or enter: remembers when it was not there itself.

    Only leaves that enter make an object (`notes`); only where leaves leave was one made before (`undoes`).
    """

    source: Slot
    target: Slot
    undoes: bool
    notes: bool

    @property
    def keys(self) -> tuple[str, str]:
        """The bag keys by which each side remembers what was there instead of the object."""
        first, second = self.source, self.target
        return f"{first.lineage}?@{first.version}", f"{second.lineage}?@{second.version}"

    def run(self, source: JsonObject, target: JsonObject, bag: JsonObject) -> None:
        """Undo an object that only the way here made; note one that this way made."""
        mine, theirs = self.keys
        found = bag.pop(theirs, ABSENT) if self.undoes else ABSENT
        before, after = read(source, self.source.keys), read(target, self.target.keys)
        if found is not ABSENT and after == {} and before:
            remove(target, self.target.keys)
            after = value_of(found)
            write(target, self.target.keys, after)
        if self.notes and not isinstance(before, dict) and isinstance(after, dict):
            bag[mine] = entry(before)

    def turned(self) -> ConversionStep:
        """The same from the other side."""
        return OptionalObject(self.target, self.source, undoes=self.notes, notes=self.undoes)
