"""Says what is wrong with how a run ended, from what its clients were told and what is there; knows no database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Told = Sequence[int | None]
"""What one resource was acknowledged to be, in order: its values, and None where it was deleted."""


@dataclass(frozen=True, slots=True)
class Row:
    """A resource in the version that is served."""

    name: str
    uid: str
    value: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended. `acknowledged` by name in the version that is served; `fences` are (mode, version)."""

    acknowledged: Mapping[str, Told]
    rows: Sequence[Row]
    fences: Sequence[tuple[str, str]]
    serves: str
    # Each move as (event, from, to).
    moves: Sequence[tuple[str, str, str]] = ()
    # Revisions on both sides by what both call a resource, if they are to be level.
    sides: tuple[Mapping[str, int], Mapping[str, int]] | None = None
    unreached: Sequence[str] = field(default=())


def faults(ending: Ending) -> list[str]:
    """List everything that must not be, in words; nothing when all is well."""
    return [*_rows(ending), *_absent(ending), *_fences(ending), *_story(ending), *_level(ending)]


def _rows(ending: Ending) -> Iterator[str]:
    for what, seen in (("name", Counter(row.name for row in ending.rows)), ("uid", _uids(ending))):
        yield from (f"duplicated: {what} {key} is there {n} times" for key, n in seen.items() if n > 1)
    for row in ending.rows:
        told = ending.acknowledged.get(row.name, ())
        if not told:
            yield f"invented: {row.name} is {row.value}, and nobody wrote it"
        elif told[-1] is None:
            yield f"resurrected: {row.name} is {row.value}, and was deleted"
        elif row.value != told[-1]:
            word = "stale" if row.value in told else "invented"
            yield f"{word}: {row.name} is {row.value}, acknowledged is {told[-1]}"


def _uids(ending: Ending) -> Counter[str]:
    return Counter(row.uid for row in ending.rows)


def _absent(ending: Ending) -> Iterator[str]:
    there = {row.name for row in ending.rows}
    for name, told in ending.acknowledged.items():
        if told and told[-1] is not None and name not in there:
            yield f"lost: {name} is not there, acknowledged is {told[-1]}"


def _fences(ending: Ending) -> Iterator[str]:
    opened = [version for mode, version in ending.fences if mode == "OPEN"]
    if len(opened) != 1:
        yield f"{len(opened)} fences are open: {list(ending.fences)}"
    elif opened != [ending.serves]:
        yield f"{opened[0]} is open, {ending.serves} is to be served"
    yield from (f"the fence of {version} stays FROZEN" for mode, version in ending.fences if mode == "FROZEN")


def _story(ending: Ending) -> Iterator[str]:
    for (_, _, reached), (event, began, _) in pairwise(ending.moves):
        if reached != began:
            yield f"the story breaks: {event} from {began} after {reached}"
    if ending.unreached:
        yield f"it did not finish: {', '.join(ending.unreached)} was never reached"


def _level(ending: Ending) -> Iterator[str]:
    if ending.sides is None:
        return
    one, other = ending.sides
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name):
            yield f"not level: {name} is at {one.get(name)} and at {other.get(name)}"
