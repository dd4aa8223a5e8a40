"""JSON as plain Python values, its strict reading and its one canonical form."""

from __future__ import annotations

import hashlib
from json import dumps
from typing import TypeAlias

import msgspec

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = "dict[str, Json]"

_canonical = msgspec.json.Encoder(order="deterministic")
_plain = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


def decode(data: bytes | str) -> Json:
    """Read JSON text.

    Raises: Invalid (`json-syntax`) with the place of the first error.
    """
    try:
        value: Json = _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(message("This is not JSON: {error}.", error=str(error)), code="json-syntax") from error
    return value


def encode(value: object) -> bytes:
    """Write a value as compact JSON, keys in the order they have; half a character as an escape."""
    try:
        return _plain.encode(value)
    except UnicodeEncodeError:
        return dumps(msgspec.to_builtins(value), separators=(",", ":")).encode()


def indented(data: bytes) -> bytes:
    """Write JSON with an indent of two spaces, and a line end behind it."""
    return msgspec.json.format(data, indent=2) + b"\n"


def canonical(value: object) -> bytes:
    """Write a value in its one canonical form: keys sorted, no spaces."""
    return _canonical.encode(value)


def digest(value: object) -> str:
    """Name a value by the SHA-256 of its canonical form, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def equal_json(one: Json, other: Json) -> bool:
    """Tell whether two values are the same JSON, as PostgreSQL's jsonb compares: 1 is 1.0, and true is not 1."""
    if one != other:
        return False
    try:
        if canonical(one) == canonical(other):
            return True
    except UnicodeEncodeError:
        # Half a character has no canonical form.
        pass
    return _have_equal_kinds(one, other)


def _have_equal_kinds(one: Json, other: Json) -> bool:
    """Tell whether booleans stand at the same places of two values that Python holds to be equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(_have_equal_kinds(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return all(_have_equal_kinds(*pair) for pair in zip(one, other, strict=True))
    return isinstance(one, bool) == isinstance(other, bool)
