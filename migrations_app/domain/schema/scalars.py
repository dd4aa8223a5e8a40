"""What JSON values each scalar kind and constraint admits."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from migrations_app.domain.schema.types import ScalarKind, ScalarType
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, canonical
from migrations_app.kernel.linear_regex import compile_linear
from migrations_app.kernel.messages import WordedMessage, message

Check: TypeAlias = "Callable[[Json], WordedMessage | None]"
"""Says what is wrong with a value; None when nothing is."""

INT_RANGES: Mapping[ScalarKind, tuple[int, int]] = {
    ScalarKind.I32: (-(2**31), 2**31 - 1),
    ScalarKind.U32: (0, 2**32 - 1),
    ScalarKind.I64: (-(2**63), 2**63 - 1),
    ScalarKind.U64: (0, 2**64 - 1),
}

_INT_TEXT = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)")
_DURATION = re.compile(r"-?\d{1,12}(?:\.\d{1,9})?s")
_QUANTITY = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?")
_DECIMAL = re.compile(r"-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?")
_FLOAT_WORDS = ("NaN", "Infinity", "-Infinity")


def scalar_check(scalar: ScalarType, *, text_taken: bool = False) -> Check:
    """Build the check of a scalar kind; `text_taken`: whole numbers of 32 bits may be text, as protobuf's JSON has it."""
    if scalar.kind in INT_RANGES:
        return _integer(scalar, text_taken=text_taken)
    return _CHECKS[scalar.kind]


def scalar_form(scalar: ScalarType) -> Callable[[Json], Json] | None:
    """Build what turns the spellings of a valid value into one; None when there is only one spelling."""
    if scalar.kind not in INT_RANGES:
        return None
    as_text = scalar.json_encoding == "string"

    def _form(value: Json) -> Json:
        whole = int(value) if isinstance(value, int | float | str) else value
        return str(whole) if as_text else whole

    return _form


def _integer(scalar: ScalarType, *, text_taken: bool) -> Check:
    low, high = INT_RANGES[scalar.kind]
    is_wide = scalar.kind in (ScalarKind.I64, ScalarKind.U64)
    text_taken = text_taken or is_wide or scalar.json_encoding == "string"

    def _check(value: Json) -> WordedMessage | None:
        if (isinstance(value, str) and text_taken and _INT_TEXT.fullmatch(value)) or (
            isinstance(value, float) and value.is_integer()
        ):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return message("must be a whole number")
        return (
            None if low <= value <= high else message("must be between {low} and {high}", low=low, high=high)
        )

    return _check


def _float(value: Json) -> WordedMessage | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None if value in _FLOAT_WORDS else message("must be a number")
    return None if isinstance(value, int) or math.isfinite(value) else message("must be a finite number")


def _f32(value: Json) -> WordedMessage | None:
    wrong = _float(value)
    if wrong or not isinstance(value, int | float):
        return wrong
    return None if abs(value) <= 3.4028235677973366e38 else message("must fit 32 bits")


def _decimal(value: Json) -> WordedMessage | None:
    if isinstance(value, str):
        return None if _DECIMAL.fullmatch(value) else message("must be a decimal number")
    return _float(value)


def _text(value: Json) -> WordedMessage | None:
    if not isinstance(value, str):
        return message("must be text")
    return message("must be valid Unicode") if not value.isascii() and _has_surrogate(value) else None


def _has_surrogate(value: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in value)


def _bytes(value: Json) -> WordedMessage | None:
    if not isinstance(value, str):
        return message("must be base64 text")
    padded = value + "=" * (-len(value) % 4)
    try:
        base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return message("must be base64 text")
    return None


def _timestamp(value: Json) -> WordedMessage | None:
    match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return message("must be a time such as 2026-01-31T12:00:00Z")
    try:
        datetime.fromisoformat(match[1])
    except ValueError:
        return message("must be a time that exists")
    return None


def _date(value: Json) -> WordedMessage | None:
    try:
        if isinstance(value, str) and len(value) == 10:
            date.fromisoformat(value)
            return None
    except ValueError:
        pass
    return message("must be a date such as 2026-01-31")


def _pattern_text(pattern: re.Pattern[str], problem: WordedMessage) -> Check:
    return lambda value: None if isinstance(value, str) and pattern.fullmatch(value) else problem


_CHECKS: Mapping[ScalarKind, Check] = {
    ScalarKind.BOOL: lambda value: None if isinstance(value, bool) else message("must be true or false"),
    ScalarKind.F32: _f32,
    ScalarKind.F64: _float,
    ScalarKind.DECIMAL: _decimal,
    ScalarKind.STRING: _text,
    ScalarKind.BYTES: _bytes,
    ScalarKind.TIMESTAMP: _timestamp,
    ScalarKind.DURATION: _pattern_text(_DURATION, message("must be seconds such as 1.5s")),
    ScalarKind.DATE: _date,
    ScalarKind.QUANTITY: lambda value: (
        None
        if (isinstance(value, str) and _QUANTITY.fullmatch(value))
        or (isinstance(value, int | float) and not isinstance(value, bool))
        else message("must be a quantity such as 500m or 2Gi")
    ),
    ScalarKind.ANY: lambda value: None,
}


def constraint_checks(constraints: Mapping[str, Json]) -> tuple[Check, ...]:
    """Build the checks of a field's constraints; a constraint that is not known admits everything."""
    return tuple(
        make(bound) for name, make in _CONSTRAINTS.items() if (bound := constraints.get(name)) is not None
    )


def _number(value: Json) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None


def _compared(
    holds: Callable[[Decimal, Decimal], bool], words: Callable[[str], WordedMessage]
) -> Callable[[Json], Check]:
    def _make(bound: Json) -> Check:
        limit = _number(bound)

        def _check(value: Json) -> WordedMessage | None:
            number = _number(value)
            if limit is None or number is None or not number.is_finite():
                return None
            return None if holds(number, limit) else words(str(bound))

        return _check

    return _make


def _sized(
    kind: type[str] | type[list[Json]] | type[dict[str, Json]],
    most: bool,
    words: Callable[[int], WordedMessage],
) -> Callable[[Json], Check]:
    def _make(bound: Json) -> Check:
        limit = bound if isinstance(bound, int) else 0

        def _check(value: Json) -> WordedMessage | None:
            if not isinstance(value, kind):
                return None
            right = len(value) <= limit if most else len(value) >= limit
            return None if right else words(limit)

        return _check

    return _make


def _patterned(bound: Json) -> Check:
    try:
        pattern = compile_linear(str(bound))
    except Invalid:
        # Said when the definition is applied (W-PATTERN).
        return lambda value: None

    def _check(value: Json) -> WordedMessage | None:
        if not isinstance(value, str):
            return None
        if pattern.is_too_long(value):
            return message(
                "must have at most {most} bytes, because it has a pattern", most=pattern.longest_bytes
            )
        return None if pattern.search(value) else message("must match {pattern}", pattern=str(bound))

    return _check


def _unique(bound: Json) -> Check:
    def _check(value: Json) -> WordedMessage | None:
        if bound is not True or not isinstance(value, list):
            return None
        return (
            None
            if len({canonical(each) for each in value}) == len(value)
            else message("must not repeat an element")
        )

    return _check


_CONSTRAINTS: Mapping[str, Callable[[Json], Check]] = {
    "min": _compared(
        lambda number, limit: number >= limit, lambda bound: message("must be at least {bound}", bound=bound)
    ),
    "max": _compared(
        lambda number, limit: number <= limit, lambda bound: message("must be at most {bound}", bound=bound)
    ),
    "exclusiveMin": _compared(
        lambda number, limit: number > limit, lambda bound: message("must be above {bound}", bound=bound)
    ),
    "exclusiveMax": _compared(
        lambda number, limit: number < limit, lambda bound: message("must be below {bound}", bound=bound)
    ),
    "multipleOf": _compared(
        lambda number, limit: not limit or number % limit == 0,
        lambda bound: message("must be a multiple of {bound}", bound=bound),
    ),
    "minLength": _sized(
        str, False, lambda limit: message("must have at least {limit} characters", limit=limit)
    ),
    "maxLength": _sized(
        str, True, lambda limit: message("must have at most {limit} characters", limit=limit)
    ),
    "minItems": _sized(
        list, False, lambda limit: message("must have at least {limit} elements", limit=limit)
    ),
    "maxItems": _sized(list, True, lambda limit: message("must have at most {limit} elements", limit=limit)),
    "minProperties": _sized(
        dict, False, lambda limit: message("must have at least {limit} keys", limit=limit)
    ),
    "maxProperties": _sized(dict, True, lambda limit: message("must have at most {limit} keys", limit=limit)),
    "pattern": _patterned,
    "uniqueItems": _unique,
    "const": lambda bound: (
        lambda value: (
            None if canonical(value) == canonical(bound) else message("must be {bound}", bound=str(bound))
        )
    ),
}

KNOWN_CONSTRAINTS = frozenset(_CONSTRAINTS)
