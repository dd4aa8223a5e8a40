"""What a codec is: a name, its domain, and how its two functions are made from parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from migrations_app.domain.conversion.values import Ratio
from migrations_app.kernel.json import Json

Pair: TypeAlias = tuple[Callable[[Json], Json], Callable[[Json], Json]]


class NothingThere(Exception):
    """The other side has nothing for this value; the bag keeps it."""


@dataclass(frozen=True, slots=True)
class CodecSpec:
    """A codec: the functions raise ValueError or TypeError for what is outside their domain."""

    name: str
    summary: str
    make: Callable[[Mapping[str, Json]], Pair]
    monotone: int = 0
    ratios: Callable[[Mapping[str, Json]], tuple[Ratio, Ratio] | None] = lambda parameters: None


def fixed(
    encode: Callable[[Json], Json], decode: Callable[[Json], Json]
) -> Callable[[Mapping[str, Json]], Pair]:
    """Make the functions of a codec without parameters."""
    return lambda parameters: (encode, decode)


def text(value: Json) -> str:
    """Take a value that must be text."""
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def integer(value: Json) -> int:
    """Take a value that must be a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("not a whole number")
    return value


def number(value: Json) -> int | float:
    """Take a value that must be a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("not a number")
    return value
