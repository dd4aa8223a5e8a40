"""Constants of filters taken as values of a field's type, or refused."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.filters.ast import Constant, Kind, MapValue, Path
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

_KINDS: Mapping[ScalarKind, Kind] = {
    ScalarKind.BOOL: Kind.BOOL,
    **dict.fromkeys((*INT_RANGES, ScalarKind.F32, ScalarKind.F64), Kind.NUMBER),
    ScalarKind.DECIMAL: Kind.DECIMAL,
    ScalarKind.STRING: Kind.TEXT,
    ScalarKind.DATE: Kind.TEXT,
    ScalarKind.QUANTITY: Kind.JSON,
    ScalarKind.BYTES: Kind.BYTES,
    ScalarKind.TIMESTAMP: Kind.TIMESTAMP,
    ScalarKind.DURATION: Kind.DURATION,
    ScalarKind.ANY: Kind.JSON,
}


def kind_of(found: Type) -> Kind:
    """Say how values of a type are compared."""
    match found:
        case ScalarType():
            return _KINDS[found.kind]
        case EnumType():
            return Kind.ENUM
        case ReferenceType() | FieldMaskType() | FilterType():
            return Kind.TEXT
        case _:
            return Kind.JSON


def bound_constant(value: Constant, found: Type, path: Path) -> Constant:
    """Take a constant as a value of a type.

    Raises: Invalid (`filter-type`) naming the path.
    """
    match kind_of(found):
        case Kind.TEXT:
            taken = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
            return taken if isinstance(taken, str) else _wrong(path, value, "text")
        case Kind.ENUM if isinstance(found, EnumType):
            return _symbol(value, found, path)
        case Kind.BOOL:
            return value if isinstance(value, bool) else _wrong(path, value, "TRUE or FALSE")
        case Kind.NUMBER if isinstance(found, ScalarType):
            return _number(value, found, path)
        case Kind.DECIMAL:
            wrong = isinstance(value, MapValue) or bool(scalar_check(ScalarType(ScalarKind.DECIMAL))(value))
            return _wrong(path, value, "a number") if wrong else value
        case Kind.TIMESTAMP:
            right = isinstance(value, str) and instant(value) is not None
            return value if right else _wrong(path, value, 'a time such as "2026-01-31T12:00:00Z"')
        case Kind.DURATION:
            right = isinstance(value, str) and nanoseconds(value) is not None
            return value if right else _wrong(path, value, 'a duration such as "1.5s"')
        case Kind.BYTES:
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
        f"The field {path} is compared with {shown!r}, it needs {wanted}.", code="filter-type", path=str(path)
    )
