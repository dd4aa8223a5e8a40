"""How the OpenAPI document tells of authentication, errors, and what every request may carry."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from migrations_app.kernel.messages import WordedMessage
from migrations_app.web.methods import LONGEST_KEY
from migrations_app.web.openapi.structs import StructDescription
from migrations_app.web.problems import TITLES

__all__ = ["BearerScheme", "SenderScheme", "SessionScheme", "StructDescription", "add_problems"]


class BearerScheme(OpenApiAuthenticationExtension):
    """Tokens, in the document."""

    target_class = "migrations_app.control.access.sign_in.authentication.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Describe the scheme."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "swy_…"}


class SenderScheme(OpenApiAuthenticationExtension):
    """Tokens of accounts and of deployments of other installations, in the document: the Meta API takes both."""

    target_class = "migrations_app.control.access.sign_in.senders.SenderToken"
    name = "meta-token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Describe the scheme."""
        description = (
            "A token of an account; or a service token (JWT) of a deployment that is admitted, for one call."
        )
        return {"type": "http", "scheme": "bearer", "description": description}


class SessionScheme(OpenApiAuthenticationExtension):
    """The browser's session, in the document."""

    target_class = "migrations_app.control.access.sign_in.authentication.BrowserSession"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Describe the scheme."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}


def add_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Say of every operation that its errors are problems."""
    for path, operations in result["paths"].items():
        # The Meta API speaks of errors in google.rpc's words beside the problem's.
        name = "MetaError" if path.startswith("/meta/") else "Problem"
        problem = {"application/problem+json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"]["default"] = {"description": "A problem.", "content": problem}
    components = result["components"]
    components.setdefault("schemas", {}).update(Problem=_problem(), MetaError=_meta_error())
    components["responses"] = {
        f"Refused{status}": _refused(status, title) for status, title in _TITLES.items()
    }
    components["parameters"] = _parameters()
    components["headers"] = _headers()
    return result


def _refused(status: int, title: WordedMessage) -> dict[str, Any]:
    names = {"X-Request-ID": "RequestId"} | ({"Retry-After": "RetryAfter"} if status in _LATER else {})
    headers = {name: {"$ref": f"#/components/headers/{component}"} for name, component in names.items()}
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": f"{title}.", "headers": headers, "content": problem}


def _parameters() -> dict[str, Any]:
    def header(name: str, most: int, description: str) -> dict[str, Any]:
        schema = {"type": "string", "minLength": 1, "maxLength": most}
        return {"in": "header", "name": name, "schema": schema, "description": description}

    return {
        "IdempotencyKey": header(
            "Idempotency-Key",
            LONGEST_KEY,
            "Makes a repeat safe, such as with a UUID: for a day the same request with the same key is answered as"
            " the first time, and done once. Another request with the same key is refused (422), and so is a repeat"
            " while the first one runs (409).",
        ),
        "RequestId": header(
            "X-Request-ID",
            64,
            "Names the request in its answer, the log and the audit log; made up if left out.",
        ),
    }


def _headers() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "RequestId": {
            "schema": text,
            "description": "The id of the request, as in the log and the audit log.",
        },
        "Replayed": {
            "schema": {"type": "string", "enum": ["true"]},
            "description": "Only where this is the answer that was given to the first request with the key.",
        },
        "RetryAfter": {
            "schema": {"type": "integer"},
            "description": "The same request may succeed in so many seconds.",
        },
    }


_LATER = (429, 503)
_TITLES = {status: title for status, title in TITLES.items() if 400 <= status < 500 or status in _LATER}


def _problem() -> dict[str, Any]:
    text = {"type": "string"}
    phrases = {"type": "array", "items": {"$ref": "#/components/schemas/Phrase"}}
    worded = {"phrases": phrases, "remedy_phrases": phrases}
    violation = {
        "type": "object",
        "required": ["path", "message"],
        "properties": {"path": text, "message": text, "remedy": text, "code": text, **worded},
    }
    return {
        "type": "object",
        "required": ["type", "title", "status", "detail", "code", "request_id"],
        "properties": {
            "type": text,
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "instance": text,
            "code": text,
            "remedy": text,
            "request_id": text,
            **worded,
            "errors": {"type": "array", "items": violation},
            "who_can": {"type": "array", "items": text},
            "permission": {"type": "string", "description": "On 403, the permission that is missing."},
            "retry_after": {"type": "number"},
            "upgrade_id": {"type": "string", "description": "On 409, the upgrade that holds the deployment."},
            "failed_request": {
                "type": "integer",
                "description": "Of several requests that are sent as one, the place of the one that is refused.",
            },
            "link": {"type": "string", "description": "On 410, the page that tells what became of it."},
            "current": {"description": "On 412, the current representation."},
            "changed": {
                "type": "object",
                "nullable": True,
                "description": "On 412, who changed it last, when, and what they did; empty where Switchyard did.",
                "properties": {
                    "who": {"type": "string"},
                    "at": {"type": "string", "format": "date-time"},
                    "what": {"type": "string"},
                    "what_phrases": phrases,
                },
                "required": ["who", "at", "what"],
            },
        },
    }


def _meta_error() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "required": ["code", "message", "status", "details", "reason", "type", "title", "detail"],
        "properties": {
            "code": {"type": "integer", "description": "The HTTP status."},
            "message": text,
            "status": {"type": "string", "description": "The google.rpc status name."},
            "details": {"type": "array", "items": {"type": "object"}},
            "reason": {"type": "string", "description": "The stable code."},
            "type": text,
            "title": text,
            "detail": text,
            "instance": text,
            "remedy": text,
            "request_id": text,
        },
    }
