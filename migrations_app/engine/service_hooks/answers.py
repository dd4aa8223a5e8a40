"""What hooks answer, checked: of the right type, of a bounded size, and valid in their version."""

from __future__ import annotations

from migrations_app.engine.serving.face import Face
from migrations_app.kernel import json
from migrations_app.kernel.errors import Broken, Invalid, Violation
from migrations_app.kernel.json import JsonObject

MOST_BYTES = 4 * 1024 * 1024


def checked_document(what: str, face: Face, name: str, answer: object, before: JsonObject) -> JsonObject:
    """See that what a hook gives to be written is the resource it was called with, valid in its version.

    Raises: Broken (`hook-answer`) with the places.
    """
    document = json_object(what, answer)
    view = {key: value for key, value in document.items() if key != face.metadata_key}
    if view.pop(face.name_key, name) != name:
        raise wrong_answer(what, f"names {document[face.name_key]!r:.120} instead of {name}")
    try:
        return face.check(name, face.keep_output(view, before, output=True), before)
    except Invalid as error:
        first = error.violations[0] if error.violations else Violation("", error.message)
        raise wrong_answer(
            what, f"is no {face.type}: {first.path} {first.message}", error.violations
        ) from error


def json_object(what: str, answer: object) -> JsonObject:
    """See that an answer is a JSON object of a bounded size.

    Raises: Broken (`hook-answer`).
    """
    if not isinstance(answer, dict):
        raise wrong_answer(what, f"is no JSON object but {type(answer).__name__}")
    try:
        size = len(json.encode(answer))
    except (TypeError, ValueError) as error:
        raise wrong_answer(what, f"is no JSON object: {error}") from error
    if size > MOST_BYTES:
        raise wrong_answer(what, f"is larger than {MOST_BYTES} bytes")
    return answer


def wrong_answer(what: str, why: str, violations: tuple[Violation, ...] = ()) -> Broken:
    """Make the error that says what is wrong with the answer of a hook."""
    return Broken(
        f"The answer of {what[0].lower()}{what[1:]} {why}.",
        code="hook-answer",
        remedy="Nothing was written. Mend the hook.",
        violations=violations,
    )
