"""The options of a request: which there are, in either spelling, in the query or the body; no other is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict
from rest_framework.request import Request

from migrations_app.domain.registry.documents import camel, tidy
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.web.preconditions import DRY_RUN_WORDS

REPEATED = frozenset({"names"})
NESTED = frozenset({"cas", "responseMask"})
"""Options that are messages: in the query their fields are written after a dot."""
VIEWS_BY_NUMBER = ("UNSPECIFIED", "NAME", "BASIC", "DETAIL", "FULL")
TYPES_BY_NUMBER = ("STATEFUL", "STATELESS")
_NUMBERED = {"view": VIEWS_BY_NUMBER, "type": TYPES_BY_NUMBER}


def read_options(request: Request, names: Iterable[str], *, changes: bool) -> dict[str, Any]:
    """Read the query; `changes` tells whether a rehearsal may be asked for.

    Raises: Invalid (`parameter`) for one that the method does not have, and for two spellings that differ.
    """
    allowed = frozenset(names)
    found: dict[str, Any] = {}
    for sent in request.query_params:
        values = request.query_params.getlist(sent)
        if changes and sent in DRY_RUN_WORDS:
            continue
        key, *inner = _path(sent)
        if key not in allowed or bool(inner) != (key in NESTED):
            raise unknown(sent, allowed, changes=changes)
        value: Any = values if key in REPEATED else values[-1]
        if key not in REPEATED and len({*values}) > 1:
            raise twice(sent)
        _put(found, (key, *inner), value, sent)
    return numbered(found)


def with_body(options: Mapping[str, Any], sent: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Add the options that the body holds.

    Raises: Invalid (`message-shape`) for one that the method does not have, (`parameter`) when the query differs.
    """
    allowed = frozenset(names)
    for key, value in sent.items():
        if key not in allowed:
            raise Invalid(
                message("{key}: there is no such field.", key=key),
                code="message-shape",
                remedy=message(
                    "The request has {allowed}.", allowed=", ".join(sorted(allowed)) or "no fields"
                ),
                violations=(Violation(key, message("There is no such field."), code="message-shape"),),
            )
        if key in options and str(options[key]) != str(value):
            raise twice(key)
    return {**options, **numbered(dict(sent))}


def body_of(request: Request) -> JsonObject:
    """Read the body of a request that may have none.

    Raises: Invalid (`message-shape`).
    """
    data: Any = request.data
    body = {} if data is None or (isinstance(data, QueryDict) and not data) else tidy(data)
    if not isinstance(body, dict):
        raise Invalid(message("The body must be a JSON object."), code="message-shape")
    return body


def numbered(options: dict[str, Any]) -> dict[str, Any]:
    """Write enums that were sent by number as their names."""
    for key, words in _NUMBERED.items():
        text = str(options.get(key, ""))
        # Long digits first: `int` refuses them with an error of its own.
        if len(text) <= 3 and text.isascii() and text.isdigit() and int(text) < len(words):
            options[key] = words[int(text)]
    return options


def unknown(name: str, allowed: frozenset[str], *, changes: bool) -> Invalid:
    """Refuse an option, and name those that there are."""
    there = sorted(allowed | ({"dryRun"} if changes else frozenset()))
    remedy = (
        message("The parameters are {names}.", names=", ".join(there))
        if there
        else message("This method has no parameters.")
    )
    return Invalid(
        message("There is no parameter {name} here.", name=repr(name[:80])),
        code="parameter",
        remedy=remedy,
        violations=(Violation(name[:80], message("There is no such parameter."), remedy, "parameter"),),
    )


def twice(name: str) -> Invalid:
    """Refuse an option that occurs twice with different values."""
    return Invalid(
        message("{name} occurs twice, with different values.", name=name[:80]),
        code="parameter",
        remedy=message("Send it once; snake_case and camelCase are the same parameter."),
        violations=(Violation(name[:80], message("Occurs twice."), code="parameter"),),
    )


def _path(name: str) -> tuple[str, ...]:
    keys = name.split(".")
    maps = ("labels", "annotations", "shards")
    return tuple(key if at and camel(keys[at - 1]) in maps else camel(key) for at, key in enumerate(keys))


def _put(found: dict[str, Any], path: tuple[str, ...], value: Any, sent: str) -> None:
    for key in path[:-1]:
        inner = found.setdefault(key, {})
        if not isinstance(inner, dict):
            raise twice(sent)
        found = inner
    if path[-1] in found and found[path[-1]] != value:
        raise twice(sent)
    found[path[-1]] = value
