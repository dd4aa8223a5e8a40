"""The states a value may be in: absent, or a JSON value (of which null is one)."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal, TypeAlias

from migrations_app.kernel.json import Json, JsonObject, canonical, encode


class Absent(Enum):
    """The type of the one value that stands for a key that is not there."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> Literal[False]:
        return False


ABSENT: Final = Absent.ABSENT
State: TypeAlias = Json | Literal[Absent.ABSENT]
Keys: TypeAlias = tuple[str, ...]


def same(left: State, right: State) -> bool:
    """Tell whether two states are the same JSON, so that `1`, `1.0` and `true` stay three values."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, str):
        return left == right
    if left is ABSENT or right is ABSENT:
        return False
    if left != right:
        return False
    return encode(left) == encode(right) or canonical(left) == canonical(right)


def read(document: JsonObject, keys: Keys) -> State:
    """Find the value at a path of keys; absent when any parent is missing or no object."""
    value: State = document
    for key in keys:
        if not isinstance(value, dict):
            return ABSENT
        value = value.get(key, ABSENT)
    return value


def write(document: JsonObject, keys: Keys, value: State) -> None:
    """Put a value at a path of keys, making the parents that are missing; absent writes nothing."""
    if value is ABSENT:
        return
    at = document
    for key in keys[:-1]:
        below = at.get(key)
        if not isinstance(below, dict):
            below = at[key] = {}
        at = below
    at[keys[-1]] = value


def remove(document: JsonObject, keys: Keys) -> None:
    """Take a key away; its parents stay."""
    parent = read(document, keys[:-1])
    if isinstance(parent, dict):
        parent.pop(keys[-1], None)
