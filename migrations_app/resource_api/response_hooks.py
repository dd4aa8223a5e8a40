"""The documents of an answer, amended by the response hooks of its service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.service_hooks.responses import HookedResponses
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api.exchange import Response

_ONE, _SEVERAL = ("get", "create", "update"), ("list", "batchGet", "search")
_PARTS = ("fieldMask", "view")


def amended(
    hooks: HookedResponses | None,
    where: tuple[str, str, str],
    schema: Schema,
    type_: str,
    method: str,
    query: Mapping[str, str],
    caller: str,
    response: Response,
) -> Response:
    """Give an answer as its caller sees it.

    Raises: what `HookedResponses.amended` raises.
    """
    document = response.document
    if hooks is None or not isinstance(document, dict):
        return response
    masked = any(query.get(key) for key in _PARTS)
    if method in _ONE and document:
        (shown,) = hooks.amended(where, type_, [document], caller, masked=masked)
        return replace(response, document=shown)
    if method in _SEVERAL:
        key = presenter_of(schema, type_).plural
        listed = document.get(key)
        documents = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        shown_all = hooks.amended(where, type_, documents, caller, masked=masked)
        changed: JsonObject = {**document, key: list(shown_all)}
        return replace(response, document=changed)
    return response
