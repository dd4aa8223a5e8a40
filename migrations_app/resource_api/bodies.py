"""Bodies of requests read strictly: size, depth, duplicate keys, numbers that are none."""

from __future__ import annotations

import json

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

MOST_BYTES = 4 * 1024 * 1024


def read_body(data: bytes) -> Json:
    """Read a JSON body.

    Raises: Invalid (`json-syntax`, `json-duplicate-key`, `body-too-large`, `text-nul`).
    """
    if len(data) > MOST_BYTES:
        raise too_large()
    if b"\\u0000" in data:
        raise Invalid(message("A text holds the character U+0000, which cannot be stored."), code="text-nul")
    try:
        found: Json = json.loads(data, object_pairs_hook=_object, parse_constant=_constant)
        if b"\\u" in data or b"\0" in data or not data.isascii():
            # Half a character may be written as an escape, or in bytes that are no UTF-8, or two to a letter.
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise Invalid(message("The body is nested too deeply."), code="json-syntax") from error
    except UnicodeError as error:
        raise Invalid(
            message("The body is not UTF-8, or contains half of a surrogate pair."), code="json-syntax"
        ) from error
    except ValueError as error:
        raise Invalid(message("This is not JSON: {error}.", error=str(error)), code="json-syntax") from error
    return found


def check_media_type(media_type: str, body: bytes) -> None:
    """See that a body is JSON by its media type, where it has one.

    Raises: Invalid (`unsupported-media-type`).
    """
    kind = media_type.partition(";")[0].strip().lower()
    if body and kind and kind != "application/json" and not kind.endswith("+json"):
        raise Invalid(
            message("A body of the type {kind} is not read.", kind=repr(kind[:80])),
            code="unsupported-media-type",
            remedy=message("Send JSON, with Content-Type: application/json."),
        )


def too_large() -> Invalid:
    """Say that a body is larger than what is taken."""
    return Invalid(
        message("The body is larger than {most_bytes} bytes.", most_bytes=MOST_BYTES),
        code="body-too-large",
        remedy=message("Send it in parts, or shorten its texts."),
    )


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Invalid(
            message("The key {key} occurs twice in one object.", key=repr(twice[:80])),
            code="json-duplicate-key",
            violations=(Violation(twice, message("occurs twice")),),
        )
    return found


def _constant(text: str) -> Json:
    raise ValueError(f"{text} is no JSON number")
