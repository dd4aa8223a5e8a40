"""What goes over the wire of the logs of the data plane."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta

from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of

OPERATIONS = ("create", "update", "delete")
KINDS = ("read", "write")
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


class ActivityQuestionSchema(RequestBody, frozen=True, kw_only=True):
    """Which entries of the activity log; what is left out restricts nothing."""

    version: Annotated[str, VERSION, Meta(description="The version that was called.")] = ""
    method: Annotated[
        str, TYPE, Meta(description="Such as create, list, or the name of a custom method.")
    ] = ""
    type: Annotated[str, TYPE] = ""
    name: Annotated[str, NAME, Meta(description="A resource, or the parent of a collection.")] = ""
    caller: Annotated[str, CALLER] = ""
    request_id: Annotated[str, REQUEST_ID] = ""
    status: Annotated[
        str, Meta(pattern=r"^(?:|[1-5]xx|[1-5]\d\d)\Z", description="A status such as 409, or all of 4xx.")
    ] = ""
    kind: Annotated[str, one_of(["", *KINDS])] = ""
    since: Instant | None = None
    until: Instant | None = None


class ActivitySchema(ResponseBody, frozen=True, kw_only=True):
    """One answered request, in the words of the caller's version."""

    id: str
    at: Instant
    version: str
    method: str
    type: Annotated[str, Meta(description="Empty when the address names no resource type.")]
    name: str
    caller: str
    client: Annotated[str, Meta(description="The program, as it names itself.")]
    status: int
    error: Annotated[str, Meta(description="The code of the refusal or failure.")]
    milliseconds: float
    request_id: str
    served: Annotated[str, Meta(description="native, translated or preview; empty when it was not served.")]
    via: Annotated[str, Meta(description="The deployment that handed the request on.")]
    kind: Annotated[str, one_of(KINDS)]
    weight: Annotated[float, Meta(description="For how many requests it stands, where reads are sampled.")]


class LogSettingsRequestSchema(RequestBody, frozen=True, kw_only=True):
    """What the logs of a deployment keep."""

    read_sampling: Annotated[
        float, Meta(ge=0, le=1, description="Which share of reads is logged; writes are always.")
    ]
    activity_days: Annotated[int, Meta(ge=1, le=3650)]
    change_days: Annotated[int, Meta(ge=1, le=3650)]


class ActivityWriterSchema(ResponseBody, frozen=True, kw_only=True):
    """A process that ended before it wrote down all that it noted: entries of its last moment may be missing."""

    process: str
    flushed_at: Instant
    entries: int


class LogsSchema(ResponseBody, frozen=True, kw_only=True):
    """What the logs of a deployment keep, and what is known to be missing; revision 0 is the default."""

    rev: int
    read_sampling: float
    activity_days: int
    change_days: int
    set_by: str
    set_at: Instant | None
    logged: Annotated[int, Meta(description="Requests that were logged within the retention.")]
    dropped: Annotated[int, Meta(description="Requests for which there was no room while they waited.")]
    unfinished: list[ActivityWriterSchema]


SESSION_STATES = ("OPEN", "FULL", "EXPIRED", "ENDED")


class ObserveConversionsSchema(RequestBody, frozen=True, kw_only=True):
    """Whose conversions to record, or of which resource, for how long, how many, and why."""

    client: Annotated[str, CALLER, Meta(description="An account; empty for all.")] = ""
    resource: Annotated[str, NAME, Meta(description="A name in either version; empty for all.")] = ""
    minutes: Annotated[int, Meta(ge=1, le=60)] = 10
    records: Annotated[int, Meta(ge=1, le=1000, description="How many conversions at most.")] = 100
    reason: Annotated[str, Meta(min_length=1, max_length=4000)]


class ConversionSessionSchema(ResponseBody, frozen=True, kw_only=True):
    """A debug session; it records while it is OPEN."""

    id: str
    state: Annotated[str, one_of(SESSION_STATES)]
    client: str
    resource: str
    reason: str
    most_records: int
    recorded: int
    started_by: str
    started_at: Instant
    expires_at: Instant
    ended_by: str
    ended_at: Instant | None


class ConversionRecordSchema(ResponseBody, frozen=True, kw_only=True):
    """One conversion: what went in, what was stored before a write, what came out, or why nothing did."""

    id: str
    at: Instant
    caller: str
    request_id: str
    direction: Annotated[str, one_of(["read", "write"])]
    source_version: str
    target_version: str
    type: str
    name: str
    document: dict[str, Any]
    before: dict[str, Any] | None
    outcome: Annotated[str, Meta(description="`converted`, or the code of the error.")]
    output_name: str
    output: dict[str, Any] | None
    milliseconds: float
