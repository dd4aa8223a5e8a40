"""How the OpenAPI document is made from the views; imported before any view can be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drf_spectacular.openapi import AutoSchema

from migrations_app.web.methods import OPEN, SAFE

META = "/meta/"
REQUEST_ID = {"X-Request-ID": {"$ref": "#/components/headers/RequestId"}}
REPLAYED = {"Idempotency-Replayed": {"$ref": "#/components/headers/Replayed"}}


class DeprecatedOperationSchema(AutoSchema):
    """The description of a call: when it goes away, the headers that every call takes, and how it may be refused."""

    def is_deprecated(self) -> bool:
        """Tell whether the view says so of this method."""
        return self.method in getattr(self.view, "going", {})

    def get_operation(self, path: str, *args: Any) -> dict[str, Any] | None:
        """Add the headers of every call, and the statuses of its refusals."""
        operation: dict[str, Any] | None = super().get_operation(path, *args)
        if operation is None:
            return None
        parameters = operation.setdefault("parameters", [])
        required = {
            each["name"]: each.get("required", False) for each in parameters if each["in"] == "header"
        }
        if self._is_kept():
            parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
        parameters.append({"$ref": "#/components/parameters/RequestId"})
        headers = REQUEST_ID | REPLAYED if self._is_kept() else REQUEST_ID
        for response in operation["responses"].values():
            response.setdefault("headers", {}).update(headers)
        if not path.startswith(META):
            for status in self._refusals(operation, required):
                refused = {"$ref": f"#/components/responses/Refused{status}"}
                operation["responses"].setdefault(str(status), refused)
        return operation

    def _is_kept(self) -> bool:
        """Tell whether the answer is kept for a repetition of the request."""
        return self.method not in SAFE and getattr(self.view, "answers_once", False)

    def _refusals(self, operation: dict[str, Any], conditions: dict[str, bool]) -> Iterator[int]:
        yield 400
        if getattr(self.view, "may", {}).get(self.method) != OPEN or self.method not in SAFE:
            yield from (401, 403)
        if any(each.get("in") == "path" for each in operation["parameters"]):
            yield 404
        yield 406
        if self.method not in SAFE:
            yield 409
        if "If-Match" in conditions:
            yield 412
        if "requestBody" in operation:
            yield from (413, 415)
        if self._is_kept():
            yield 422
        if conditions.get("If-Match"):
            yield 428
        yield from (429, 503)
