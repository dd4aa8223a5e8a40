"""Errors as the Meta API answers them: google.rpc.Status in JSON; problem+json for who asks for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.response import Response

from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    Halted,
    Invalid,
    InvariantBroken,
    Missing,
    Stale,
    SwitchyardError,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.web.problems import CONTENT_TYPE as PROBLEM
from migrations_app.web.problems import answer as problem_answer
from migrations_app.web.problems import problem_of, translate

DOMAIN = "switchyard"
RPC = "type.googleapis.com/google.rpc."

CODES: Mapping[str, int] = {
    "UNKNOWN": 2,
    "INVALID_ARGUMENT": 3,
    "NOT_FOUND": 5,
    "ALREADY_EXISTS": 6,
    "PERMISSION_DENIED": 7,
    "RESOURCE_EXHAUSTED": 8,
    "FAILED_PRECONDITION": 9,
    "ABORTED": 10,
    "UNIMPLEMENTED": 12,
    "INTERNAL": 13,
    "UNAVAILABLE": 14,
    "UNAUTHENTICATED": 16,
}
"""The numbers of google.rpc.Code. Source: googleapis, google/rpc/code.proto."""

_NAMES: tuple[tuple[type[SwitchyardError], str], ...] = (
    (Invalid, "INVALID_ARGUMENT"),
    (Denied, "PERMISSION_DENIED"),
    (Missing, "NOT_FOUND"),
    (Conflict, "FAILED_PRECONDITION"),
    (Halted, "FAILED_PRECONDITION"),
    (Busy, "UNAVAILABLE"),
    (Stale, "ABORTED"),
    (InvariantBroken, "INTERNAL"),
)
_BY_CODE = {
    "unauthenticated": "UNAUTHENTICATED",
    "already-exists": "ALREADY_EXISTS",
    "too-many-requests": "RESOURCE_EXHAUSTED",
    "method-not-allowed": "UNIMPLEMENTED",
}
# google.rpc's own mapping has 409 for a compare-and-set that failed; a failed If-Match is HTTP's own 412.
_HTTP = {"compare-and-set": 409}


def status_name(error: SwitchyardError) -> str:
    """Tell the google.rpc status name of an error."""
    if error.code in _BY_CODE:
        return _BY_CODE[error.code]
    return next((name for kind, name in _NAMES if isinstance(error, kind)), "UNKNOWN")


def rpc_status(error: SwitchyardError, request_id: str) -> JsonObject:
    """Write an error as a google.rpc.Status."""
    return {
        "code": CODES[status_name(error)],
        "message": f"{error.message} {error.remedy}".strip(),
        "details": _details(error, request_id),
    }


def _details(error: SwitchyardError, request_id: str) -> list[Json]:
    metadata = {key: value for key, value in error.nouns.items() if isinstance(value, str) and value}
    if error.remedy:
        metadata["remedy"] = error.remedy
    who = error.who_can if isinstance(error, Denied) else error.nouns.get("who_can")
    if isinstance(who, tuple) and who:
        metadata["who_can"] = ", ".join(map(str, who))
    found: list[Json] = [
        {"@type": f"{RPC}ErrorInfo", "reason": error.code, "domain": DOMAIN, "metadata": {**metadata}}
    ]
    if error.violations and isinstance(error, Conflict):
        found.append(
            {
                "@type": f"{RPC}PreconditionFailure",
                "violations": [
                    {"type": each.code, "subject": each.path, "description": each.message}
                    for each in error.violations
                ],
            }
        )
    elif error.violations:
        found.append(
            {
                "@type": f"{RPC}BadRequest",
                "fieldViolations": [
                    {"field": each.path, "description": f"{each.message} {each.remedy}".strip()}
                    for each in error.violations
                ],
            }
        )
    if isinstance(error, Busy):
        delay = f"{error.retry_after_seconds:.3f}".rstrip("0").rstrip(".")
        found.append({"@type": f"{RPC}RetryInfo", "retryDelay": f"{delay}s"})
    if request_id:
        found.append({"@type": f"{RPC}RequestInfo", "requestId": request_id})
    return found


def answer(error: Exception, context: Mapping[str, Any]) -> Response:
    """Answer any error of a Meta API view."""
    response = problem_answer(error, context)
    request = context.get("request")
    if request is not None and PROBLEM in request.headers.get("Accept", ""):
        return response
    known = translate(error)
    status = _HTTP.get(known.code, problem_of(known).status)
    return Response(
        rpc_status(known, str(getattr(request, "request_id", ""))),
        status=status,
        headers={key: value for key, value in response.headers.items() if key.lower() != "content-type"},
        content_type="application/json",
    )
