"""Answers of the REST API compared with docs/reference/openapi.yaml; a property that a schema does not name is wrong."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from tests.api_description import api_description

OPENAPI = api_description()
METHODS = ("get", "post", "put", "patch", "delete")
PROBLEM, JSON = "application/problem+json", "application/json"


def declared() -> frozenset[str]:
    """List the operations of /api/v1, such as `GET /api/v1/fleet`."""
    return frozenset(
        f"{method.upper()} {path}"
        for path, item in OPENAPI["paths"].items()
        for method in item
        if path.startswith("/api/v1/") and method in METHODS
    )


def request_schema(operation: str) -> Any:
    """Give the schema of the body of an operation; None where it declares none."""
    return _operation(operation).get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")


def takes_tag(operation: str) -> bool:
    """Tell whether an operation declares If-Match."""
    return any(each.get("name") == "If-Match" for each in _operation(operation).get("parameters", []))


def body_of(answer: Any) -> bytes:
    """Read the whole body of an answer, also of one that is streamed."""
    return b"".join(answer) if getattr(answer, "streaming", False) else bytes(answer.content)


def deviations(operation: str, status: int, kind: str, body: bytes) -> list[str]:
    """List in what an answer differs from its declaration: status, content type, body."""
    described = _described(operation, status)
    if described not in _operation(operation)["responses"]:
        return [f"{status} is not declared"]
    content = _response(operation, described).get("content", {})
    if not content:
        return [f"{status} has a body: {body[:200]!r}"] if body else []
    if kind not in content:
        return [f"{status} is {kind!r}; declared is {sorted(content)}"]
    if kind not in (JSON, PROBLEM):
        return [] if body else [f"{status} has no body"]
    errors = _validator(operation, described, kind).iter_errors(json.loads(body))
    return [f"{status} at /{'/'.join(map(str, each.instance_path))}: {each.message[:300]}" for each in errors]


def _described(operation: str, status: int) -> str:
    """Name the response that describes a status; the default one does so only of errors of the server."""
    return str(status) if status < 500 or str(status) in _operation(operation)["responses"] else "default"


def _response(operation: str, described: str) -> Any:
    response = _operation(operation)["responses"][described]
    name = str(response.get("$ref", "")).rpartition("/")[2]
    return OPENAPI["components"]["responses"][name] if name else response


def strict(schema: Any) -> Any:
    """Copy a schema so that every object refuses properties that it does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {name: strict(value) for name, value in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        copied.setdefault("additionalProperties", False)
    return copied


def _operation(operation: str) -> Any:
    method, path = operation.split(" ")
    return OPENAPI["paths"][path][method.lower()]


@cache
def _validator(operation: str, described: str, kind: str) -> Draft202012Validator:
    schema = strict(_response(operation, described)["content"][kind]["schema"])
    return Draft202012Validator({**schema, "components": _components()}, validate_formats=True)


@cache
def _components() -> Any:
    return strict(OPENAPI["components"])
