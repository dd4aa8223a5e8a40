"""Values made comparable: numbers by value, times as instants, text by code point."""

from __future__ import annotations

import base64
import binascii
import math
import re
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TypeAlias

from migrations_app.domain.filters.ast import Constant, MapValue, ValueKind
from migrations_app.kernel.json import Json, canonical

Ordered: TypeAlias = "bool | int | float | str | bytes | Decimal"
"""A value in a form whose order, within one family, is the order of its meaning."""

_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", re.ASCII)
_DURATION = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,9}))?s", re.ASCII)
_INT_TEXT = re.compile(r"-?\d{1,20}", re.ASCII)


def comparable(value: Json, kind: ValueKind) -> Ordered | None:
    """Make a document's value comparable; None when it has no meaning of that kind."""
    if value is None:
        return None
    match kind:
        case ValueKind.JSON:
            return _by_json_type(value)
        case ValueKind.TEXT | ValueKind.ENUM:
            return value if isinstance(value, str) else None
        case ValueKind.NUMBER:
            return _number(value)
        case ValueKind.DECIMAL:
            return _decimal(value)
        case ValueKind.BOOL:
            return value if isinstance(value, bool) else None
        case ValueKind.TIMESTAMP:
            return instant(value) if isinstance(value, str) else None
        case ValueKind.DURATION:
            return nanoseconds(value) if isinstance(value, str) else None
        case ValueKind.BYTES:
            return _bytes(value) if isinstance(value, str) else None


def comparable_constant(value: Constant, kind: ValueKind) -> Ordered | None:
    """Make a filter's constant comparable in the same way."""
    return comparable(value.plain() if isinstance(value, MapValue) else value, kind)


def _by_json_type(value: Json) -> Ordered | None:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return _number(value)
    return canonical(value)


def same_family(left: Ordered, right: Ordered) -> bool:
    """Tell whether two values can be ordered: numbers with numbers, else like with like."""
    return _family(left) is _family(right)


def _family(value: Ordered) -> type:
    kind = type(value)
    return float if kind is int or kind is Decimal else kind


def _number(value: Json) -> int | float | None:
    """Take a number; the protobuf mapping writes 64-bit integers and infinities as text."""
    if isinstance(value, str):
        if _INT_TEXT.fullmatch(value):
            return int(value)
        return {"Infinity": math.inf, "-Infinity": -math.inf}.get(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return value


def _decimal(value: Json) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(value if isinstance(value, str) else repr(value))
    except InvalidOperation:
        return None
    return None if number.is_nan() else number


@lru_cache(maxsize=4096)
def instant(text: str) -> int | None:
    """Read RFC 3339 text as nanoseconds since 1970; None when it is no time."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return None
    try:
        whole = datetime.fromisoformat(match[1] + match[3].replace("Z", "+00:00"))
    except ValueError:
        return None
    seconds = round((whole - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    return seconds * 1_000_000_000 + int((match[2] or "").ljust(9, "0"))


def nanoseconds(text: str) -> int | None:
    """Read a duration such as `1.5s` as nanoseconds; None when it is none."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return None
    whole = int(match[2]) * 1_000_000_000 + int((match[3] or "").ljust(9, "0"))
    return -whole if match[1] else whole


def _bytes(text: str) -> bytes | None:
    try:
        return base64.b64decode(
            text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True
        )
    except (binascii.Error, ValueError):
        return None
