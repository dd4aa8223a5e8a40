"""The wire forms of who still uses what."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from migrations_app.control.definition_changes.schemas import SeenClientSchema
from migrations_app.domain.compatibility.brown_outs import BrownOutKind, BrownOutState
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of
from migrations_app.web.shared_schemas import Phrases

KEY_STRATEGIES = ("strict", "filter", "pass")


class UsedPlaceSchema(ResponseBody, frozen=True, kw_only=True):
    """A version, a resource type or a field: who uses it, what is proved, and when it may go."""

    kind: Annotated[str, one_of(("version", "type", "method", "field"))]
    place: Annotated[
        str, Meta(description="The version, the type, or type and path, such as Box.lid.colour.")
    ]
    deprecated_since: str | None
    sunset: date | None
    replaced_by: str
    senders: Annotated[
        list[SeenClientSchema],
        Meta(description="Who sent it or named it in a mask, filter or order; who writes."),
    ]
    readers: Annotated[list[SeenClientSchema], Meta(description="To whom answers returned it; who reads.")]
    last_used_on: date | None
    answers_looked_into: int
    answers_with_it: Annotated[int, Meta(description="Of the answers that were looked into.")]
    share_error: Annotated[
        float, Meta(description="Half of the 95 % interval of the share of answers that returned it.")
    ]
    messages: Annotated[int, Meta(description="Messages of the window that would have shown a use.")]
    observed_days: int
    period_days: Annotated[
        int, Meta(description="The longest pause of a client in thirteen months, and 35 days at least.")
    ]
    proved_unused: bool
    confidence: Annotated[
        float,
        Meta(description="That a use by one message in a thousand would have been seen; 0 where it was."),
    ]
    reasons: Annotated[list[str], Meta(description="What is lacking to the proof.")]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET
    removable_on: Annotated[
        date | None,
        Meta(description="The earliest day, if no client uses it from now on; null where unknown."),
    ]


class AnnounceDeadlineSchema(RequestBody, frozen=True, kw_only=True):
    """What goes on which day, and what its users are to know."""

    version: Annotated[str, Meta(min_length=1)]
    place: Annotated[str, Meta(min_length=1, max_length=500)]
    deadline: date
    note: Annotated[str, Meta(max_length=4000)] = ""


class AnnouncedDeadlineSchema(ResponseBody, frozen=True, kw_only=True):
    """What was announced, and the clients that were named."""

    service: str
    version: str
    place: str
    deadline: date
    note: str
    clients: list[str]


class RefusedClientSchema(ResponseBody, frozen=True, kw_only=True):
    """How many requests of one release of a client to one method were refused, or answered without the field."""

    client: str
    release: str
    method: str
    requests: int
    last_seen: Instant


class BrownOutSchema(ResponseBody, frozen=True, kw_only=True):
    """A share of the requests that use something deprecated is refused between two moments, before it is removed."""

    id: str
    service: str
    version: str
    kind: Annotated[str, one_of(BrownOutKind)]
    place: Annotated[str, Meta(description="Type and path of a field, type and method, or the version.")]
    percent: float
    begins_at: Instant
    ends_at: Instant
    sunset: date
    replaced_by: str
    note: str
    state: Annotated[str, one_of(BrownOutState)]
    requested_by: str
    requested_at: Instant
    approvals_needed: Annotated[
        int, Meta(description="By the approval policy; it is announced once all are given.")
    ]
    approvals_asked: Annotated[str, Meta(description="Of whom; empty where no policy asks.")]
    approved_by: list[str]
    stopped_by: str
    stopped_at: Instant | None
    stop_reason: str
    refused: Annotated[
        int,
        Meta(
            description="Requests that were refused, or answered without the field; counted every few seconds."
        ),
    ]
    refused_clients: list[RefusedClientSchema]


class NewBrownOutSchema(RequestBody, frozen=True, kw_only=True):
    """What is refused of which place, and when."""

    version: Annotated[str, Meta(min_length=1)]
    place: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            description="Box.title of a field, Box.delete of a method, or the version.",
        ),
    ]
    percent: Annotated[float, Meta(gt=0, le=100)]
    begins_at: Annotated[Instant | None, Meta(description="At once without it.")] = None
    ends_at: Instant
    sunset: Annotated[
        date | None,
        Meta(description="The day of the removal, where neither the definition nor a retirement says it."),
    ] = None
    replaced_by: Annotated[str, Meta(max_length=500)] = ""
    note: Annotated[str, Meta(max_length=4000)] = ""


class StopBrownOutSchema(RequestBody, frozen=True, kw_only=True):
    """Why a brown-out is stopped."""

    reason: Annotated[str, Meta(max_length=4000)] = ""


class KeyStrategySchema(ResponseBody, frozen=True, kw_only=True):
    """What is done with one key that a version does not know, until an end."""

    id: str
    service: str
    version: str
    place: Annotated[str, Meta(description="Type and path, such as Box.lid.shade.")]
    strategy: Annotated[str, one_of(KEY_STRATEGIES)]
    reason: str
    until: Instant
    state: Annotated[str, one_of(("in-force", "expired", "ended"))]
    is_known: Annotated[
        bool, Meta(description="The definition has the field, so that the strategy does not count now.")
    ]
    set_by: str
    set_at: Instant
    ended_by: str
    ended_at: Instant | None


class NewKeyStrategySchema(RequestBody, frozen=True, kw_only=True):
    """Which key, what is done with it, why, and until when."""

    version: Annotated[str, Meta(min_length=1)]
    place: Annotated[str, Meta(min_length=1, max_length=500)]
    strategy: Annotated[str, one_of(KEY_STRATEGIES)]
    reason: Annotated[str, Meta(min_length=1, max_length=4000)]
    until: Instant
