"""The declarations of the REST API: each request and each answer is one Struct, read and described from it.

A body is decoded by its Struct: what is unknown, missing or of another type is refused with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, time
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, inspect

from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.web.violations import nuls_in, violations_in

VERBATIM = {"verbatim": True}
"""Marks a text whose spaces at both ends count, as those of a password do."""
Instant = Annotated[datetime, Meta(tz=True)]
TimeOfDay = Annotated[time, Meta(tz=False)]
Email = Annotated[str, Meta(pattern=r"^(?:[^@\s]+@[^@\s]+\.[^@\s]+)?$")]
"""An address of mail, or nothing."""

T = TypeVar("T", bound="RequestBody")
_MINUTE = re.compile(r"^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(?=Z|[+-]\d\d:\d\d$)")
_CLOCK = re.compile(r"^(\d?\d):(\d\d)$")


class ResponseBody(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered."""


class RequestBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked; a field that is unknown is refused, so that a misspelt one is not silently ignored."""


def one_of(values: Iterable[object], *, description: str | None = None) -> Meta:
    """Restrict a text to these values, which the description of the API lists."""
    known = [str(getattr(each, "value", each)) for each in values]
    pattern = "^(?:" + "|".join(map(re.escape, known)) + r")\Z"
    return Meta(pattern=pattern, description=description, extra_json_schema={"enum": known}, extra=VERBATIM)


def read(body: type[T], given: object, *, from_text: bool = False) -> T:
    """Read what was asked by its declaration.

    `from_text` reads numbers and truth values from the texts of a query.
    Raises: Invalid (`invalid`), with a violation for every field that is wrong.
    """
    if not isinstance(given, Mapping):
        raise Invalid(
            message("The body is not a JSON object."),
            code="invalid",
            remedy=message("Send a JSON object."),
        )
    prepared, strict = _prepared(body, dict(given)), not from_text
    wrong = tuple(nuls_in(given))
    try:
        value = msgspec.convert(prepared, body, strict=strict)
    except msgspec.ValidationError as error:
        wrong += tuple(violations_in(body, prepared, strict=strict))
        raise Invalid(message("The request is wrong."), code="invalid", violations=wrong) from error
    if wrong:
        raise Invalid(message("The request is wrong."), code="invalid", violations=wrong)
    return value


def given_in(body: RequestBody) -> dict[str, Any]:
    """Give the fields of a request that were not left out, by name."""
    return {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}


Prepare = Callable[[Any], Any]


@cache
def _preparers(body: type) -> Mapping[str, Prepare]:
    info = inspect.type_info(body)
    assert isinstance(info, inspect.StructType)
    found = ((each.encode_name, _preparer(each.type)) for each in info.fields)
    return {name: prepare for name, prepare in found if prepare}


def _preparer(of: inspect.Type) -> Prepare | None:
    """Give what takes spaces off the ends of texts, and reads times without seconds, before decoding."""
    if isinstance(of, inspect.Metadata):
        return None if (of.extra or {}).get("verbatim") else _preparer(of.type)
    if isinstance(of, inspect.StrType):
        return lambda value: value.strip() if isinstance(value, str) else value
    if isinstance(of, inspect.DateTimeType):
        return _in_utc
    if isinstance(of, inspect.TimeType):
        return _with_seconds
    if isinstance(of, inspect.UnionType):
        inner = [prepare for each in of.types if (prepare := _preparer(each))]
        return inner[0] if inner else None
    if isinstance(of, inspect.ListType) and (item := _preparer(of.item_type)):
        return lambda value: [item(each) for each in value] if isinstance(value, list) else value
    if isinstance(of, inspect.DictType) and (entry := _preparer(of.value_type)):
        return lambda value: (
            {key: entry(each) for key, each in value.items()} if isinstance(value, dict) else value
        )
    if isinstance(of, inspect.StructType):
        return lambda value: _prepared(of.cls, value)
    return None


def _prepared(body: type, value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    preparers = _preparers(body)
    return {name: preparers[name](each) if name in preparers else each for name, each in value.items()}


def _in_utc(value: Any) -> Any:
    """Give an instant in the one zone that everything is kept in; leave what is none to the decoder."""
    given = _MINUTE.sub(r"\1:00", value) if isinstance(value, str) else value
    try:
        return msgspec.convert(given, Instant).astimezone(UTC)
    except (msgspec.ValidationError, OverflowError):
        return value


def _with_seconds(value: Any) -> Any:
    found = _CLOCK.match(value) if isinstance(value, str) else None
    return f"{found[1]:0>2}:{found[2]}:00" if found else value
