"""What hooks answer, checked: of the right type, of a bounded size, and valid in their version."""

from __future__ import annotations

from migrations_app.engine.serving.presentation import ResourcePresenter
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid, InvariantBroken, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message, verbatim

MOST_BYTES = 4 * 1024 * 1024
WRITE_REMEDY = message("Fix the hook; nothing was written.")
SHOWN_REMEDY = message("Fix the hook; what the request wrote is written.")


def checked_document(
    what: str, presenter: ResourcePresenter, name: str, answer: object, before: JsonObject
) -> JsonObject:
    """See that what a hook gives to be written is the resource it was called with, valid in its version.

    Raises: InvariantBroken (`hook-answer`) with the places.
    """
    document = json_object(what, answer)
    view = {key: value for key, value in document.items() if key != presenter.metadata_key}
    if view.pop(presenter.name_key, name) != name:
        raise wrong_answer(
            message(
                "The answer of {hook} names {document} instead of {name}.",
                hook=named(what),
                document=f"{document[presenter.name_key]!r:.120}",
                name=name,
            )
        )
    try:
        return presenter.check(name, presenter.keep_output(view, before, output=True), before)
    except Invalid as error:
        first = error.violations[0] if error.violations else Violation("", error.words)
        raise wrong_answer(
            _no_resource(what, presenter.type, first),
            error.violations,
        ) from error


def checked_shown(
    what: str, presenter: ResourcePresenter, answer: object, shown: JsonObject, *, masked: bool
) -> JsonObject:
    """See that what a hook gives to be shown is that resource, valid in its version; its metadata stay.

    Raises: InvariantBroken (`hook-answer`).
    """
    document = json_object(what, answer, SHOWN_REMEDY)
    name = str(shown.get(presenter.name_key, ""))
    if document.get(presenter.name_key, name) != name:
        raise wrong_answer(
            message(
                "The answer of {hook} names {document} instead of {name}.",
                hook=named(what),
                document=f"{document[presenter.name_key]!r:.120}",
                name=name,
            ),
            remedy=SHOWN_REMEDY,
        )
    own = (presenter.name_key, presenter.metadata_key)
    before = {key: value for key, value in shown.items() if key not in own}
    view = {key: value for key, value in document.items() if key not in own}
    if masked:
        view = {key: value for key, value in view.items() if key in before}
    try:
        checked = presenter.check(name, view, before)
    except Invalid as error:
        first = error.violations[0] if error.violations else Violation("", error.words)
        raise wrong_answer(
            _no_resource(what, presenter.type, first), error.violations, SHOWN_REMEDY
        ) from error
    return {**{key: shown[key] for key in own if key in shown}, **checked}


def json_object(what: str, answer: object, remedy: WordedMessage = WRITE_REMEDY) -> JsonObject:
    """See that an answer is a JSON object of a bounded size.

    Raises: InvariantBroken (`hook-answer`).
    """
    if not isinstance(answer, dict):
        raise wrong_answer(
            message(
                "The answer of {hook} is no JSON object but {kind}.",
                hook=named(what),
                kind=type(answer).__name__,
            ),
            remedy=remedy,
        )
    try:
        size = len(json.encode(answer))
    except (TypeError, ValueError) as error:
        raise wrong_answer(
            message("The answer of {hook} is no JSON object: {error}.", hook=named(what), error=str(error)),
            remedy=remedy,
        ) from error
    if size > MOST_BYTES:
        raise wrong_answer(
            message(
                "The answer of {hook} is larger than {most_bytes} bytes.",
                hook=named(what),
                most_bytes=MOST_BYTES,
            ),
            remedy=remedy,
        )
    return answer


def _no_resource(what: str, type_: str, first: Violation) -> WordedMessage:
    words = message("The answer of {hook} is no {type}:", hook=named(what), type=type_)
    return words + verbatim(first.path) + first.words


def named(what: str) -> str:
    """Write the name of a hook as it stands inside a sentence."""
    return f"{what[0].lower()}{what[1:]}"


def wrong_answer(
    words: WordedMessage, violations: tuple[Violation, ...] = (), remedy: WordedMessage = WRITE_REMEDY
) -> InvariantBroken:
    """Make the error that says what is wrong with the answer of a hook."""
    return InvariantBroken(
        words,
        code="hook-answer",
        remedy=remedy,
        violations=violations,
    )
