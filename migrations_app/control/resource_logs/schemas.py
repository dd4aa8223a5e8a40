"""What goes over the wire of the logs of the data plane."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta

from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of

OPERATIONS = ("create", "update", "delete")
VERSION = Meta(max_length=32)
TYPE = Meta(max_length=100)
NAME = Meta(max_length=2048)
CALLER = Meta(max_length=200)
REQUEST_ID = Meta(max_length=64)


class ResourceChangesQuestionSchema(RequestBody, frozen=True, kw_only=True):
    """Which entries of the resource change log; what is left out restricts nothing."""

    uid: Annotated[
        UUID | None,
        Meta(description="The resource, in every version and under every name that it had."),
    ] = None
    name: Annotated[str, NAME] = ""
    type: Annotated[str, TYPE] = ""
    version: Annotated[str, VERSION, Meta(description="The version that stored the change.")] = ""
    operation: Annotated[str, one_of(["", *OPERATIONS])] = ""
    caller: Annotated[str, CALLER] = ""
    request_id: Annotated[str, REQUEST_ID] = ""
    since: Instant | None = None
    until: Instant | None = None


class ImageSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource as it was stored: without its property bag, and with sensitive values replaced."""

    body: dict[str, Any]
    metadata: dict[str, Any]


class ResourceChangeSchema(ResponseBody, frozen=True, kw_only=True):
    """One change of a resource, in the version that stored it.

    `before` and `after` are null where there was no resource, and both for a change that is older than the log.
    """

    id: str
    at: Instant
    version: str
    operation: Annotated[str, one_of(OPERATIONS)]
    type: str
    name: str
    uid: UUID
    revision: str
    caller: Annotated[str, Meta(description="Empty when no request and no controller is known.")]
    request_id: str
    changed: Annotated[list[str], Meta(description="The fields in which before and after differ.")]
    before: ImageSchema | None
    after: ImageSchema | None
