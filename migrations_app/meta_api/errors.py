"""Errors as the Meta API answers them: google.rpc status names beside problem+json's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.response import Response

from migrations_app.kernel.errors import (
    Broken,
    Busy,
    Conflict,
    Denied,
    Halted,
    Invalid,
    Missing,
    Stale,
    SwitchyardError,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.web.problems import answer as problem_answer
from migrations_app.web.problems import problem_of, translate

DOMAIN = "switchyard"
ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"
FAILED = "type.googleapis.com/google.rpc.PreconditionFailure"

_NAMES: tuple[tuple[type[SwitchyardError], str], ...] = (
    (Invalid, "INVALID_ARGUMENT"),
    (Denied, "PERMISSION_DENIED"),
    (Missing, "NOT_FOUND"),
    (Conflict, "FAILED_PRECONDITION"),
    (Halted, "FAILED_PRECONDITION"),
    (Busy, "UNAVAILABLE"),
    (Stale, "ABORTED"),
    (Broken, "INTERNAL"),
)
_BY_CODE = {
    "unauthenticated": "UNAUTHENTICATED",
    "already-exists": "ALREADY_EXISTS",
    "too-many-requests": "RESOURCE_EXHAUSTED",
    "method-not-allowed": "UNIMPLEMENTED",
}
# google.rpc's own mapping has 409 for a compare-and-set that failed, where the console's API says 412.
_HTTP = {"ABORTED": 409}


def status_name(error: SwitchyardError) -> str:
    """Tell the google.rpc status name of an error."""
    if error.code in _BY_CODE:
        return _BY_CODE[error.code]
    return next((name for kind, name in _NAMES if isinstance(error, kind)), "UNKNOWN")


def body_of(error: SwitchyardError, instance: str, request_id: str) -> tuple[int, JsonObject]:
    """Write an error's HTTP status and body."""
    problem = problem_of(error, instance=instance, request_id=request_id)
    name = status_name(error)
    status = _HTTP.get(name, problem.status)
    beside = {key: value for key, value in problem.body.items() if key not in ("code", "status")}
    return status, {
        "code": status,
        "message": str(error),
        "status": name,
        "details": _details(error),
        "reason": error.code,
        **beside,
    }


def _details(error: SwitchyardError) -> list[Json]:
    info: JsonObject = {
        "@type": ERROR_INFO,
        "reason": error.code,
        "domain": DOMAIN,
        "metadata": {key: str(value) for key, value in error.nouns.items() if isinstance(value, str)},
    }
    found: list[Json] = [info]
    if error.violations and isinstance(error, Conflict):
        found.append(
            {
                "@type": FAILED,
                "violations": [
                    {"type": each.code, "subject": each.path, "description": each.message}
                    for each in error.violations
                ],
            }
        )
    elif error.violations:
        found.append(
            {
                "@type": BAD_REQUEST,
                "fieldViolations": [
                    {"field": each.path, "description": each.message} for each in error.violations
                ],
            }
        )
    return found


def answer(error: Exception, context: Mapping[str, Any]) -> Response:
    """Answer any error of a Meta API view."""
    response = problem_answer(error, context)
    request = context.get("request")
    status, body = body_of(
        translate(error),
        request.get_full_path() if request is not None else "",
        str(getattr(request, "request_id", "")),
    )
    return Response(
        body,
        status=status,
        headers={key: value for key, value in response.headers.items() if key.lower() != "content-type"},
        content_type="application/problem+json",
    )
