"""Constants of filters taken as values of a field's type, or refused."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.filters.ast import Constant, MapValue, Path, ValueKind
from migrations_app.domain.filters.values import instant, nanoseconds
from migrations_app.domain.schema.scalars import INT_RANGES, scalar_check
from migrations_app.domain.schema.types import (
    EnumType,
    FieldMaskType,
    FilterType,
    ReferenceType,
    ScalarKind,
    ScalarType,
    Type,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

_KINDS: Mapping[ScalarKind, ValueKind] = {
    ScalarKind.BOOL: ValueKind.BOOL,
    **dict.fromkeys((*INT_RANGES, ScalarKind.F32, ScalarKind.F64), ValueKind.NUMBER),
    ScalarKind.DECIMAL: ValueKind.DECIMAL,
    ScalarKind.STRING: ValueKind.TEXT,
    ScalarKind.DATE: ValueKind.TEXT,
    ScalarKind.QUANTITY: ValueKind.JSON,
    ScalarKind.BYTES: ValueKind.BYTES,
    ScalarKind.TIMESTAMP: ValueKind.TIMESTAMP,
    ScalarKind.DURATION: ValueKind.DURATION,
    ScalarKind.ANY: ValueKind.JSON,
}


def kind_of(found: Type) -> ValueKind:
    """Say how values of a type are compared."""
    match found:
        case ScalarType():
            return _KINDS[found.kind]
        case EnumType():
            return ValueKind.ENUM
        case ReferenceType() | FieldMaskType() | FilterType():
            return ValueKind.TEXT
        case _:
            return ValueKind.JSON


def bound_constant(value: Constant, found: Type, path: Path) -> Constant:
    """Take a constant as a value of a type.

    Raises: Invalid (`filter-type`) naming the path.
    """
    match kind_of(found):
        case ValueKind.TEXT:
            taken = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
            return taken if isinstance(taken, str) else _wrong(path, value, "text")
        case ValueKind.ENUM if isinstance(found, EnumType):
            return _symbol(value, found, path)
        case ValueKind.BOOL:
            return value if isinstance(value, bool) else _wrong(path, value, "TRUE or FALSE")
        case ValueKind.NUMBER if isinstance(found, ScalarType):
            return _number(value, found, path)
        case ValueKind.DECIMAL:
            wrong = isinstance(value, MapValue) or bool(scalar_check(ScalarType(ScalarKind.DECIMAL))(value))
            return _wrong(path, value, "a number") if wrong else value
        case ValueKind.TIMESTAMP:
            right = isinstance(value, str) and instant(value) is not None
            return value if right else _wrong(path, value, 'a time such as "2026-01-31T12:00:00Z"')
        case ValueKind.DURATION:
            right = isinstance(value, str) and nanoseconds(value) is not None
            return value if right else _wrong(path, value, 'a duration such as "1.5s"')
        case ValueKind.BYTES:
            return value if isinstance(value, str) else _wrong(path, value, "base64 text")
        case _:
            return value


def _number(value: Constant, found: ScalarType, path: Path) -> Constant:
    """Take any number: one out of the type's range is compared all the same, it just equals nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return _wrong(path, value, "a number")
    if not isinstance(value, str):
        return value
    if scalar_check(found)(value):
        return _wrong(path, value, "a number")
    return int(value) if found.kind in INT_RANGES else value


def _symbol(value: Constant, found: EnumType, path: Path) -> Constant:
    if isinstance(value, int) and not isinstance(value, bool):
        named = next((each.name for each in found.values if each.number == value), None)
        return named if named is not None else _wrong(path, value, "one of its values")
    if isinstance(value, str) and (found.open or found.value(value) is not None):
        return value
    return _wrong(path, value, f"one of {', '.join(each.name for each in found.values[:10])}")


def _wrong(path: Path, value: Constant, wanted: str) -> Constant:
    shown = value.plain() if isinstance(value, MapValue) else value
    raise Invalid(
        message(
            "The field {path} is compared with {shown}, it needs {requested}.",
            path=str(path),
            shown=repr(shown),
            requested=wanted,
        ),
        code="filter-type",
        path=str(path),
    )
