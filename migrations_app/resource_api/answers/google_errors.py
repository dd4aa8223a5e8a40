"""Errors as the clients of Google's APIs read them: `{"error": {…}}`, made of the problem that says the same.

Source: AIP-193, and "HTTP mapping" of google.rpc.Code.
"""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.kernel.json import Json, JsonObject

RPC = "type.googleapis.com/google.rpc."
_STATUSES: Mapping[int, str] = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "UNIMPLEMENTED",
    409: "FAILED_PRECONDITION",
    410: "NOT_FOUND",
    412: "ABORTED",
    413: "INVALID_ARGUMENT",
    415: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    502: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_BY_CODE: Mapping[str, str] = {"already-exists": "ALREADY_EXISTS", "state-moved": "ABORTED"}


def google_error(status: int, problem: JsonObject) -> JsonObject:
    """Write a problem as an error of google.rpc."""
    code = str(problem.get("code", ""))
    remedy = str(problem.get("remedy") or "")
    detail = str(problem.get("detail") or problem.get("title") or "")
    return {
        "error": {
            "code": status,
            "message": detail if remedy in detail else f"{detail} {remedy}",
            "status": _BY_CODE.get(code) or _STATUSES.get(status, "UNKNOWN"),
            "details": _details(code, remedy, problem),
        }
    }


def _details(code: str, remedy: str, problem: JsonObject) -> list[Json]:
    metadata: JsonObject = {"remedy": remedy} if remedy else {}
    found: list[Json] = [
        {"@type": f"{RPC}ErrorInfo", "reason": code, "domain": "switchyard", "metadata": metadata}
    ]
    errors = problem.get("errors")
    violations: list[Json] = [
        {"field": each.get("path", ""), "description": each.get("message", "")}
        for each in (errors if isinstance(errors, list) else [])
        if isinstance(each, dict)
    ]
    if violations:
        found.append({"@type": f"{RPC}BadRequest", "fieldViolations": violations})
    if isinstance(seconds := problem.get("retry_after"), int | float):
        found.append({"@type": f"{RPC}RetryInfo", "retryDelay": f"{seconds:g}s"})
    if request_id := problem.get("request_id"):
        found.append({"@type": f"{RPC}RequestInfo", "requestId": request_id})
    return found
