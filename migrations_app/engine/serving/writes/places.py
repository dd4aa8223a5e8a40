"""Where writes are: what one touches, and the place of an error among several."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.engine.serving.placement import Named
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import SwitchyardError, Violation


def put_error_at(error: SwitchyardError, at: str) -> None:
    """Say of an error where it is among several writes."""
    inside = (replace(each, path=f"{at}.resource.{each.path}".rstrip(".")) for each in error.violations)
    error.violations = tuple(inside) or (Violation(at, error.message),)
    error.message = f"{at}: {error.message}"


def touched(request: WriteRequest) -> Named:
    """Name what a write touches, with the document that a new resource would have."""
    makes = request.verb == "create" or request.allow_missing
    body = request.body if makes and isinstance(request.body, dict) else None
    return Named(request.type, request.name, body)
