"""What is wrong with the body of a request: every violation, each with its place and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from difflib import get_close_matches
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from uuid import UUID

import msgspec
from msgspec import Meta, UnsetType

from migrations_app.kernel.errors import Violation
from migrations_app.kernel.messages import WordedMessage, counted, message

NOT_EXPECTED: Mapping[object, WordedMessage] = {
    str: message("It is not a text."),
    int: message("It is not a whole number."),
    float: message("It is not a number."),
    bool: message("It is not true or false."),
    datetime: message("It is not a time with its zone, as 2026-01-31T09:30:00Z is."),
    date: message("It is not a day, as 2026-01-31 is."),
    time: message("It is not a time of day, as 09:30 is."),
    UUID: message("It is not a UUID."),
    list: message("It is not a list."),
}

_HALF = re.compile("[\ud800-\udfff]")
"""No encoding has it: neither the database nor an answer can hold it."""


class Reason(StrEnum):
    """Why a field of a request is refused: the code of its violation."""

    UNKNOWN = "unknown"
    REQUIRED = "required"
    NULL = "null"
    BLANK = "blank"
    EMPTY = "empty"
    SHORT = "min_length"
    LONG = "max_length"
    SMALL = "min_value"
    LARGE = "max_value"
    CHOICE = "invalid_choice"
    MALFORMED = "malformed"
    INVALID = "invalid"


def violations_in(
    declared: Any, value: object, place: str = "", *, strict: bool = True
) -> Iterator[Violation]:
    """List everything that is wrong with a value by its declaration; what is in it is told with its place."""
    core, metas = _core(declared)
    kind, arguments = get_origin(core) or core, get_args(core)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
        yield from _in_fields(kind, value, place, strict)
    elif kind is list and isinstance(value, list):
        yield from _own(list[Any], metas, value, place)
        for position, each in enumerate(value):
            yield from violations_in(arguments[0], each, _joined(place, position), strict=strict)
    elif kind is dict and isinstance(value, Mapping):
        yield from _own(dict[str, Any], metas, value, place)
        for name, each in value.items():
            yield from violations_in(arguments[1], each, _joined(place, name), strict=strict)
    else:
        yield from _own(declared, metas, value, place, strict)


def nuls_in(value: object, place: str = "") -> Iterator[Violation]:
    """List the texts with a character that the database cannot hold."""
    if isinstance(value, str):
        if "\0" in value:
            yield Violation(
                place,
                message("A text contains the character NUL, which is not allowed."),
                code=Reason.MALFORMED.value,
            )
        if _HALF.search(value):
            yield Violation(
                place, message("Text may not hold half of a surrogate pair."), code=Reason.MALFORMED.value
            )
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from nuls_in(name, place)
            yield from nuls_in(each, _joined(place, name))
    elif isinstance(value, list):
        for position, each in enumerate(value):
            yield from nuls_in(each, _joined(place, position))


def _in_fields(
    struct: type[msgspec.Struct], value: Mapping[Any, Any], place: str, strict: bool
) -> Iterator[Violation]:
    fields = {each.encode_name: each for each in msgspec.structs.fields(struct)}
    for name in value:
        if name not in fields:
            close = get_close_matches(str(name), fields, n=1)
            remedy = (
                message("Did you mean {name}?", name=close[0])
                if close
                else message("There are: {names}.", names=", ".join(fields))
            )
            yield Violation(
                _joined(place, name), message("There is no such field."), remedy, code=Reason.UNKNOWN.value
            )
    for name, field in fields.items():
        if name in value:
            yield from violations_in(field.type, value[name], _joined(place, name), strict=strict)
        elif field.required:
            yield Violation(
                _joined(place, name), message("This field is required."), code=Reason.REQUIRED.value
            )


def _own(
    declared: Any, metas: tuple[Meta, ...], value: object, place: str, strict: bool = True
) -> Iterator[Violation]:
    """Check a value by itself, without what is in it."""
    checked = declared
    if get_origin(declared) in (list, dict):
        for meta in metas:
            checked = Annotated[checked, meta]
    try:
        msgspec.convert(value, checked, strict=strict)
    except msgspec.ValidationError:
        core, _ = _core(declared)
        kind = get_origin(core) or core
        words, reason = _words(kind, metas, value if strict else _number_of(kind, value))
        yield Violation(place, words, code=reason.value)


def _number_of(kind: Any, value: object) -> object:
    """Give the number that a text of a query is, where one is asked for."""
    if kind not in (int, float) or not isinstance(value, str):
        return value
    try:
        number: float = msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        return value
    return number


def _words(kind: Any, metas: tuple[Meta, ...], value: object) -> tuple[WordedMessage, Reason]:
    """Say why a value is refused, with the code of the reason."""
    if value is None:
        return message("This field may not be null."), Reason.NULL
    known = [each for meta in metas for each in (meta.extra_json_schema or {}).get("enum", ())]
    if known:
        return message("It is none of {names}.", names=", ".join(filter(None, known))), Reason.CHOICE
    if isinstance(value, str | list | dict) and isinstance(value, kind):
        found = [words for meta in metas if (words := _length_words(meta, value))]
    elif isinstance(value, int | float) and not isinstance(value, bool) and kind in (int, float):
        found = [words for meta in metas if (words := _size_words(meta, value))]
    else:
        found = []
    return found[0] if found else (NOT_EXPECTED.get(kind, message("It is not an object.")), Reason.INVALID)


def _length_words(meta: Meta, value: str | list[Any] | dict[str, Any]) -> tuple[WordedMessage, Reason] | None:
    is_text = isinstance(value, str)
    if meta.min_length and not value:
        return message("This field may not be empty."), Reason.BLANK if is_text else Reason.EMPTY
    if meta.min_length is not None and len(value) < meta.min_length:
        return _fewer(meta.min_length, is_text), Reason.SHORT
    if meta.max_length is not None and len(value) > meta.max_length:
        return _more(meta.max_length, is_text), Reason.LONG
    if meta.pattern:
        return message("It is not in the form that is asked for."), Reason.INVALID
    return None


def _fewer(count: int, is_text: bool) -> WordedMessage:
    if is_text:
        return counted(count, "It has less than {count} character.", "It has less than {count} characters.")
    return counted(count, "It has less than {count} entry.", "It has less than {count} entries.")


def _more(count: int, is_text: bool) -> WordedMessage:
    if is_text:
        return counted(count, "It has more than {count} character.", "It has more than {count} characters.")
    return counted(count, "It has more than {count} entry.", "It has more than {count} entries.")


def _size_words(meta: Meta, value: float) -> tuple[WordedMessage, Reason] | None:
    if meta.ge is not None and value < meta.ge:
        return message("It is less than {bound}.", bound=str(meta.ge)), Reason.SMALL
    if meta.gt is not None and value <= meta.gt:
        return message("It is not more than {bound}.", bound=str(meta.gt)), Reason.SMALL
    if meta.le is not None and value > meta.le:
        return message("It is more than {bound}.", bound=str(meta.le)), Reason.LARGE
    return None


def _core(declared: Any) -> tuple[Any, tuple[Meta, ...]]:
    """Give a declared type without null and without what tells that it may be left out, and its restrictions."""
    origin = get_origin(declared)
    if origin is Annotated:
        core, metas = _core(declared.__origin__)
        return core, (*metas, *(each for each in declared.__metadata__ if isinstance(each, Meta)))
    if origin in (Union, UnionType):
        arms = [each for each in get_args(declared) if each not in (NoneType, UnsetType)]
        return _core(arms[0]) if len(arms) == 1 else (declared, ())
    return declared, ()


def _joined(place: str, name: object) -> str:
    return f"{place}.{name}" if place else str(name)
