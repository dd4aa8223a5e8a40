"""How the OpenAPI document tells of authentication and errors."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from migrations_app.web.openapi.structs import StructDescription

__all__ = ["BearerScheme", "SessionScheme", "StructDescription", "add_problems"]


class BearerScheme(OpenApiAuthenticationExtension):
    """Tokens, in the document."""

    target_class = "migrations_app.control.access.sign_in.authentication.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Describe the scheme."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "swy_…"}


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
    result["components"].setdefault("schemas", {})["Problem"] = _problem()
    result["components"]["schemas"]["MetaError"] = _meta_error()
    return result


def _problem() -> dict[str, Any]:
    text = {"type": "string"}
    violation = {
        "type": "object",
        "required": ["path", "message"],
        "properties": {"path": text, "message": text, "remedy": text, "code": text},
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
            "errors": {"type": "array", "items": violation},
            "who_can": {"type": "array", "items": text},
            "retry_after": {"type": "number"},
            "link": {"type": "string", "description": "On 410, the page that tells what became of it."},
            "current": {"description": "On 412, the current representation."},
            "changed": {
                "type": "object",
                "nullable": True,
                "description": "On 412, who changed it last, when, and what they did; nobody where Switchyard did.",
                "properties": {
                    "who": {"type": "string"},
                    "at": {"type": "string", "format": "date-time"},
                    "what": {"type": "string"},
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
