"""What a watch asks for, read from the query and the body of its request."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from migrations_app.engine.serving.reading import LARGEST_PAGE, ListRequest
from migrations_app.engine.serving.watching.watched_changes import WatchRequest
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import message
from migrations_app.resource_api.addresses import ResourceLocation
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.parameters import check_known, given_twice, name_of, query_of, whole

_EITHER = frozenset({"type", "filter", "filterDialect", "fieldMask", "view"})
_STATELESS = frozenset({"resumeToken", "startingTime", "maxChunkSize"})
_STATEFUL = frozenset({"orderBy", "pageSize", "pageToken"})
_KNOWN = _EITHER | _STATELESS | _STATEFUL


def parameters(request: ResourceRequest) -> dict[str, str]:
    """Read the options of a watch: of its query, and of the JSON object that is its body.

    An event stream that the client opens again goes on after the last event it had.
    Raises: Invalid (`query`, `document`, `json-syntax`).
    """
    found = query_of(request.query, _KNOWN)
    if request.method == "POST" and request.body:
        sent = read_body(request.body)
        if not isinstance(sent, dict):
            raise Invalid(message("Send a JSON object with the options of the watch."), code="document")
        check_known(sent.keys(), _KNOWN)
        for sent_key, value in sent.items():
            key = name_of(sent_key, _KNOWN)
            if key in found and found[key] != str(value):
                raise given_twice(key)
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise Invalid(
                    message("{key} is text or a whole number.", key=key),
                    code="document",
                    violations=(Violation(key, message("must be text or a whole number")),),
                )
            found[key] = str(value)
    last = request.headers.get("last-event-id", "")
    if last and found.get("type", "STATELESS") == "STATELESS":
        found["resumeToken"] = last
    return {key: value for key, value in found.items() if value}


def asked(place: ResourceLocation, given: Mapping[str, str], dialect: str = "goten") -> WatchRequest:
    """Say what is watched.

    Raises: Invalid (`query`).
    """
    kind = given.get("type", "STATELESS")
    if kind not in ("STATELESS", "STATEFUL"):
        raise Invalid(message("type is STATELESS or STATEFUL."), code="query")
    other = (_STATEFUL if kind == "STATELESS" else _STATELESS) & given.keys()
    if other:
        raise Invalid(message("A {kind} watch takes no {other}.", kind=kind, other=min(other)), code="query")
    if place.name and (given.keys() & {"filter"} or kind == "STATEFUL"):
        raise Invalid(message("The watch of one resource takes no filter, and is STATELESS."), code="query")
    listed = ListRequest(
        type=place.type,
        parent=place.parent,
        filter=given.get("filter", ""),
        dialect=given.get("filterDialect", "") or dialect,
        order_by=given.get("orderBy", ""),
        mask=given.get("fieldMask", ""),
        view=given.get("view", ""),
        page_size=_bounded(given, "pageSize", "100"),
        page_token=given.get("pageToken", ""),
    )
    return WatchRequest(
        listed,
        only=place.name,
        paged=kind == "STATEFUL",
        chunk=_bounded(given, "maxChunkSize", "500"),
        resume=given.get("resumeToken", ""),
        since=_moment(given.get("startingTime", "")),
    )


def _bounded(given: Mapping[str, str], key: str, otherwise: str) -> int:
    found = whole(given.get(key, otherwise), key)
    if not 0 < found <= LARGEST_PAGE:
        raise Invalid(
            message("{key} is 1 to {largest_page}.", key=key, largest_page=LARGEST_PAGE), code="query"
        )
    return found


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise Invalid(
            message("startingTime is no time."), code="query", remedy=message("Write 2030-01-31T10:00:00Z.")
        ) from error
    if found.tzinfo is None:
        raise Invalid(message("startingTime has no zone."), code="query", remedy=message("Write it with Z."))
    return found
