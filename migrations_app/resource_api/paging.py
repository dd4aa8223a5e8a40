"""Pages of lists, and the types whose lists have none: `optOuts.paging`."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.schema.basic_actions import has_paging
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.kernel.errors import Conflict, Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.resource_api.parameters import whole

PAGING = ("pageSize", "pageToken", "showTotal", "includePagingInfo")
_ANSWERED = ("nextPageToken", "prevPageToken", "totalSize", "currentOffset", "totalResultsCount")
_WHOLE, _USUAL = 1000, 100
LIST_SIZE: JsonObject = {
    "name": "pageSize",
    "in": "query",
    "schema": {"type": "integer", "minimum": 1, "maximum": 1000},
}


def page_size(schema: Schema, type_: str, query: Mapping[str, str]) -> int:
    """Read how many resources a page has; a type without paging is listed whole.

    Raises: Invalid (`query`) for a paging parameter where there are no pages, or a size that is none.
    """
    if has_paging(schema.resources[type_]):
        return whole(query["pageSize"], "pageSize") if "pageSize" in query else _USUAL
    sent = [name for name in PAGING if name in query]
    if sent:
        raise Invalid(
            message(
                "{version} of {service} opts out of paging of {type}.",
                version=schema.version,
                service=schema.service,
                type=type_,
            ),
            code="query",
            remedy=message("Leave {sent} out: the list is answered whole.", sent=", ".join(sent)),
            violations=tuple(Violation(name, message("is unknown here")) for name in sent),
        )
    return _WHOLE


def check_whole(schema: Schema, type_: str, token: str) -> None:
    """Refuse to answer a part of what has no pages.

    Raises: Conflict (`list-too-long`).
    """
    if token and not has_paging(schema.resources[type_]):
        raise Conflict(
            message(
                "There are more than {whole} of {type}, and {version} opts out of paging of them.",
                whole=_WHOLE,
                type=type_,
                version=schema.version,
            ),
            code="list-too-long",
            remedy=message("List a narrower parent, or send a filter."),
        )


def strip_paging(resource: ResourceDefinition, *items: Json) -> None:
    """Take paging out of the described lists of a type that opts out of it."""
    if has_paging(resource):
        return
    for item in items:
        operation = item.get("get") if isinstance(item, dict) else None
        if isinstance(operation, dict):
            given = operation["parameters"]
            assert isinstance(given, list)
            operation["parameters"] = [
                each for each in given if not (isinstance(each, dict) and each.get("name") in PAGING)
            ]
            _strip_answer(operation)


def _strip_answer(operation: JsonObject) -> None:
    value: Json = operation
    for key in ("responses", "200", "content", "application/json", "schema", "properties"):
        value = value.get(key) if isinstance(value, dict) else None
    if isinstance(value, dict):
        for name in _ANSWERED:
            value.pop(name, None)
