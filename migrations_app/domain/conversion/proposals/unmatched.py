"""The open fields of one version, and how the name of one of them differs from that of another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.proposals.names.common_names import FILLERS
from migrations_app.domain.conversion.proposals.names.words import words
from migrations_app.domain.schema.types import Field

Habit = tuple[frozenset[str], frozenset[str]]  # words that go, words that come
Split = tuple[
    str, str
]  # a name, and the object and field that are named by its words; or the other way round


def habit_of(old: tuple[str, ...], new: tuple[str, ...]) -> Habit:
    """Tell by which words two names differ."""
    return frozenset(old) - frozenset(new), frozenset(new) - frozenset(old)


@lru_cache(maxsize=100_000)
def split_of(old: str, new: str) -> Split | None:
    """Tell whether the last name of one path became the object and field at the end of the other.

    Words that say no more of an object than that it is one, as `config`, do not count.
    """
    for short, long, turned in ((old, new, False), (new, old, True)):
        last, names = short.rpartition(".")[2], long.split(".")
        for size in range(2, len(names) + 1):
            tail = ".".join(names[-size:])
            inner = tuple(word for name in names[-size:-1] for word in words(name) if word not in FILLERS)
            if inner and squeezed((*inner, *words(names[-1]))) == words(last):
                return (tail, last) if turned else (last, tail)
    return None


def path_words(path: str) -> tuple[str, ...]:
    """Split all names of a path into words."""
    return tuple(word for name in path.split(".") for word in words(name))


@dataclass(frozen=True, slots=True, eq=False)
class UnmatchedField:
    """A field that nothing speaks for, by its path from the type whose ops could move it."""

    path: FieldPath
    field: Field
    owner: str
    order: int = 0
    is_fresh: bool = True  # the object that holds it is the one looked at, or has no counterpart either

    @property
    def text(self) -> str:
        """The path as edges write it."""
        return str(self.path)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the whole path."""
        return tuple(word for name in self.path.names for word in words(name))

    @property
    def parent(self) -> str:
        """The path of the object that holds the field."""
        return str(FieldPath(self.path.segments[:-1]))


def squeezed(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out words that stand twice in a row."""
    return tuple(part for index, part in enumerate(parts) if index == 0 or parts[index - 1] != part)
