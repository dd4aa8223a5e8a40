"""What the messages of clients say: which keys they carry and in which state, never a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field, ListType, MapType, ObjectType, RefType, Type, UnionType
from migrations_app.kernel.json import Json

DEEPEST = 24
"""How deep a message is looked into: types may contain themselves."""


WHOLE = "*"
"""The path of resources that are returned whole without being looked at."""


class KeyState(StrEnum):
    """How a key stands in a message; `shown` that the answer returned it."""

    ABSENT = "absent"
    NULL = "null"
    EMPTY = "empty"
    VALUE = "value"
    SHOWN = "shown"

    @property
    def is_sent(self) -> bool:
        """Whether the client sent the key or asked for it."""
        return self not in (KeyState.ABSENT, KeyState.SHOWN)


def state_of(value: Json) -> KeyState:
    """Tell the state of a key that is there."""
    if value is None:
        return KeyState.NULL
    return KeyState.EMPTY if value in ("", [], {}) else KeyState.VALUE


def key_states(schema: Schema, resource_type: str, message: Json) -> frozenset[tuple[str, KeyState]]:
    """List every key of a message by its canonical path, with how it stands there; once, however often.

    `spec.ports[].name` is a key of the elements of a list, `labels{}` one of a map's entries. Known keys that
    are not there are absent where the object that would hold them is there; unknown ones are listed too.
    """
    return frozenset(_object(schema, schema.document_type(resource_type), message, "", 0))


def without_marks(path: str) -> str:
    """Write a canonical path as masks, filters and orders name it: without the marks of lists and maps."""
    return path.replace("[]", "").replace("{}", "")


def returned_keys(schema: Schema, resource_type: str, resources: Iterable[Json]) -> frozenset[str]:
    """List the keys with a value that returned resources have, by their canonical paths."""
    unset = (KeyState.ABSENT, KeyState.NULL)
    return frozenset(
        path
        for each in resources
        for path, state in key_states(schema, resource_type, each)
        if state not in unset and path != WHOLE
    )


def message_states(schema: Schema, type_: str, message: Json) -> frozenset[tuple[str, KeyState]]:
    """List every key of a message of a named type, as `key_states` does of a resource."""
    given = schema.resolve(schema.type(type_))
    return frozenset(_object(schema, given, message, "", 0)) if isinstance(given, ObjectType) else frozenset()


def _object(
    schema: Schema, given: ObjectType, value: Json, at: str, depth: int
) -> Iterator[tuple[str, KeyState]]:
    if not isinstance(value, dict) or depth > DEEPEST:
        return
    known: dict[str, Field] = {each.key: each for each in given.fields}
    for key, field in known.items():
        path = f"{at}.{key}" if at else key
        if key not in value:
            yield path, KeyState.ABSENT
            continue
        yield path, state_of(value[key])
        yield from _below(schema, field.type, value[key], path, depth + 1)
    for key in value:
        if key not in known:
            yield f"{at}.{key}" if at else key, state_of(value[key])


def _below(schema: Schema, given: Type, value: Json, at: str, depth: int) -> Iterable[tuple[str, KeyState]]:
    match given:
        case RefType():
            return _below(schema, schema.resolve(given), value, at, depth)
        case ObjectType():
            return _object(schema, given, value, at, depth)
        case ListType() if isinstance(value, list):
            return [
                found for each in value for found in _below(schema, given.item, each, f"{at}[]", depth + 1)
            ]
        case MapType() if isinstance(value, dict):
            entries = value.values()
            return [
                found
                for each in entries
                for found in _below(schema, given.value, each, f"{at}{{}}", depth + 1)
            ]
        case UnionType():
            return [
                found for branch in given.branches for found in _below(schema, branch, value, at, depth + 1)
            ]
        case _:
            return ()
