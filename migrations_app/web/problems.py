"""The one map from errors to HTTP: problem+json as RFC 9457 has it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DatabaseError, OperationalError
from django.http import Http404
from rest_framework import exceptions as rest
from rest_framework.response import Response
from rest_framework.views import set_rollback

from migrations_app.domain.access import PERMISSIONS
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    Gone,
    Halted,
    Invalid,
    InvariantBroken,
    Missing,
    Refused,
    Stale,
    SwitchyardError,
    Violation,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message, verbatim
from migrations_app.kernel.wordings import wording_as_json

CONTENT_TYPE = "application/problem+json"

# Order matters: the first class that fits decides.
STATUSES: tuple[tuple[type[SwitchyardError], int], ...] = (
    (Invalid, 400),
    (Denied, 403),
    (Gone, 410),
    (Missing, 404),
    (Conflict, 409),
    (Refused, 400),
    (Busy, 503),
    (Stale, 412),
    (Halted, 409),
    (InvariantBroken, 500),
)
BY_CODE: Mapping[str, int] = {
    "unauthenticated": 401,
    "precondition-required": 428,
    "idempotency-key-reused": 422,
    "too-many-requests": 429,
    "method-not-allowed": 405,
    "not-acceptable": 406,
    "unsupported-media-type": 415,
    "body-too-large": 413,
    "method-not-served": 501,
    "handler-failed": 502,
    "handler-response": 502,
    "hook-failed": 502,
    "hook-answer": 502,
    "hook-limit": 502,
    "hook-read-only": 502,
    "deadline-exceeded": 504,
    "hook-deadline-exceeded": 504,
}
TITLES: Mapping[int, WordedMessage] = {
    400: message("The request is wrong"),
    401: message("Sign in first"),
    403: message("Not allowed"),
    404: message("There is no such thing"),
    405: message("Not allowed at this address"),
    406: message("Not in this form"),
    409: message("The present state forbids it"),
    410: message("It was deleted"),
    412: message("It was changed meanwhile"),
    413: message("The request is too large"),
    415: message("Not in this form"),
    422: message("The key was used for another request"),
    428: message("Send the revision that you read"),
    429: message("Too many requests"),
    500: message("Internal error"),
    501: message("Not served here"),
    502: message("The service's code failed"),
    503: message("Not available now"),
    504: message("It took too long"),
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as HTTP answers it."""

    status: int
    body: JsonObject
    headers: Mapping[str, str] = field(default_factory=dict)


def status_of(error: SwitchyardError) -> int:
    """Tell the HTTP status of an error."""
    if error.code in BY_CODE:
        return BY_CODE[error.code]
    return next((status for kind, status in STATUSES if isinstance(error, kind)), 500)


def problem_of(error: SwitchyardError, *, instance: str = "", request_id: str = "") -> Problem:
    """Put an error into the words of HTTP."""
    status = status_of(error)
    body: JsonObject = {
        "type": f"urn:switchyard:problem:{error.code}",
        "title": str(TITLES.get(status, message("Refused"))),
        "status": status,
        "detail": str(error),
        "instance": instance,
        "code": error.code,
        "remedy": error.remedy,
        "request_id": request_id,
        "errors": [_violation(each) for each in error.violations],
        **wording_as_json(error.phrases, error.remedy_phrases),
    }
    headers: dict[str, str] = {}
    if isinstance(error, Denied):
        body["who_can"] = list(error.who_can)
        if (action := error.nouns.get("action")) in PERMISSIONS:
            body["permission"] = str(action)
    elif isinstance(named := error.nouns.get("who_can"), tuple) and named:
        body["who_can"] = list(named)
    if isinstance(running := error.nouns.get("upgrade_id"), str) and running:
        body["upgrade_id"] = running
    if isinstance(error, Gone):
        body["link"] = f"/activity?{urlencode({'target': str(error.nouns.get('target', ''))})}"
    if isinstance(error, Conflict) and error.nouns.get("upgrade_id"):
        body["upgrade_id"] = str(error.nouns["upgrade_id"])
    if isinstance(error, Busy):
        body["retry_after"] = error.retry_after_seconds
        headers["Retry-After"] = str(max(1, ceil(error.retry_after_seconds)))
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="switchyard"'
    if isinstance(error, Stale):
        for name in ("current", "changed"):
            if name in error.nouns:
                body[name] = error.nouns[name]  # type: ignore[assignment]
    return Problem(status, body, headers)


def answer(error: Exception, context: Mapping[str, Any]) -> Response:
    """Answer any error of a REST view; this is DRF's exception handler."""
    request = context.get("request")
    set_rollback()
    known = translate(error)
    if isinstance(known, InvariantBroken):
        log.error("%s: %s", known.code, known.message, exc_info=error)
    problem = problem_of(
        known,
        instance=request.get_full_path() if request is not None else "",
        request_id=str(getattr(request, "request_id", "")),
    )
    return Response(
        problem.body, status=problem.status, headers=dict(problem.headers), content_type=CONTENT_TYPE
    )


def translate(error: Exception) -> SwitchyardError:
    """Find the error of ours that says the same."""
    if isinstance(error, SwitchyardError):
        return error
    if isinstance(error, rest.APIException):
        return _of_rest(error)
    if isinstance(error, Http404):
        return Missing(message("There is nothing at this address."), code="missing")
    if isinstance(error, PermissionDenied):
        return Denied(verbatim(str(error)) or message("You may not do this."))
    if isinstance(error, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return Invalid(
            message("The body is larger than {most} bytes.", most=most),
            code="body-too-large",
            remedy=message("Send it in parts, or shorten its texts."),
        )
    if isinstance(error, SuspiciousOperation):
        return Invalid(message("The request is malformed."), code="malformed")
    if isinstance(error, OperationalError):
        log.warning("the database does not answer: %s", error)
        return Busy(
            message("The database does not answer now."),
            code="database-unavailable",
            retry_after_seconds=2.0,
        )
    if isinstance(error, RecursionError):
        return Invalid(message("The request is nested too deeply."), code="json-syntax")
    if isinstance(error, UnicodeError):
        return Invalid(
            message("A text contains half of a surrogate pair, which is no character."), code="malformed"
        )
    if isinstance(error, ValueError | DatabaseError) and "NUL" in str(error).upper().replace("\\X00", "NUL"):
        return Invalid(message("A text contains the character NUL, which is not allowed."), code="malformed")
    return InvariantBroken(
        message("Switchyard failed; the error is in the server's log."),
        remedy=message("Give the request id to your operator."),
    )


def _of_rest(error: rest.APIException) -> SwitchyardError:
    detail = str(error.detail)
    if isinstance(error, rest.Throttled):
        wait = float(getattr(error, "wait", None) or 1.0)
        return Busy(message("Too many requests."), code="too-many-requests", retry_after_seconds=wait)
    named: tuple[tuple[type[rest.APIException], type[Refused], str], ...] = (
        (rest.NotAuthenticated, Denied, "unauthenticated"),
        (rest.AuthenticationFailed, Denied, "unauthenticated"),
        (rest.PermissionDenied, Denied, "denied"),
        (rest.ParseError, Invalid, "json-syntax"),
        (rest.NotFound, Missing, "missing"),
        (rest.MethodNotAllowed, Invalid, "method-not-allowed"),
        (rest.NotAcceptable, Invalid, "not-acceptable"),
        (rest.UnsupportedMediaType, Invalid, "unsupported-media-type"),
    )
    for kind, ours, code in named:
        if isinstance(error, kind):
            return ours(verbatim(detail), code=code)
    return InvariantBroken(verbatim(detail))


def _violation(violation: Violation) -> JsonObject:
    return {
        "path": violation.path,
        "message": violation.message,
        "remedy": violation.remedy,
        "code": violation.code,
        **wording_as_json(violation.phrases, violation.remedy_phrases),
    }
