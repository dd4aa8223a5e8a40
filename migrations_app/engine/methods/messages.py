"""Requests and responses of custom methods checked against their types."""

from __future__ import annotations

from functools import lru_cache

from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.methods import address_key
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid, InvariantBroken, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, verbatim
from migrations_app.kernel.messages import message as worded

MOST_BYTES = 16 * 1024 * 1024


def checked_request(schema: Schema, method: Method, name: str, message: JsonObject) -> JsonObject:
    """See that a request is valid, with the name of its address in the field for it.

    Raises: Invalid (`document`, `name`).
    """
    if not method.request:
        return message
    key = address_key(schema, method)
    if key:
        sent = message.get(key, name)
        if sent != name:
            raise Invalid(
                worded(
                    "The request names {sent}, the address {name}.", sent=repr(str(sent)[:120]), name=name
                ),
                code="name",
                violations=(Violation(key, worded("differs from the address")),),
            )
        message = {**message, key: name}
    checked = _checker(_Key(schema, method.request)).check(message)
    found = checked.or_refuse()
    assert isinstance(found, dict)
    return found


def checked_response(schema: Schema, method: Method, response: object) -> JsonObject:
    """See that what a handler answers is what its definition says.

    Raises: InvariantBroken (`handler-response`) with the place.
    """
    if not isinstance(response, dict):
        raise _wrong(
            worded(
                "The answer of the handler of {method} is no JSON object but {kind}.",
                method=method.name,
                kind=type(response).__name__,
            ),
            (),
        )
    if len(json.encode(response)) > MOST_BYTES:
        raise _wrong(
            worded(
                "The answer of the handler of {method} is larger than {most_bytes} bytes.",
                method=method.name,
                most_bytes=MOST_BYTES,
            ),
            (),
        )
    if not method.response:
        return response
    about = response.get("metadata") if _is_resource(schema, method.response) else None
    body = response if about is None else {key: each for key, each in response.items() if key != "metadata"}
    checked = _checker(_Key(schema, method.response)).check(body)
    if not checked.valid:
        first = checked.violations[0]
        raise _wrong(
            worded(
                "The answer of the handler of {method} is no {type}:",
                method=method.name,
                type=method.response,
            )
            + verbatim(first.path)
            + first.words,
            checked.violations,
        )
    found = checked.document
    assert isinstance(found, dict)
    return found if about is None else {**found, "metadata": about}


def _wrong(words: WordedMessage, violations: tuple[Violation, ...]) -> InvariantBroken:
    return InvariantBroken(
        words,
        code="handler-response",
        remedy=worded("Fix the handler. What it wrote before it answered stays written."),
        violations=violations,
    )


def _is_resource(schema: Schema, message: str) -> bool:
    return any(each.message == message for each in schema.resources.values())


class _Key:
    def __init__(self, schema: Schema, type_: str) -> None:
        self.schema, self.type = schema, type_

    def __hash__(self) -> int:
        return hash((id(self.schema), self.type))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.schema is self.schema and other.type == self.type


@lru_cache(maxsize=1024)
def _checker(key: _Key) -> DocumentChecker:
    return DocumentChecker(key.schema, key.type)
