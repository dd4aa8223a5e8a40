"""The wire forms of who still uses what."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from migrations_app.control.definition_changes.schemas import SeenClientSchema
from migrations_app.web.contract import RequestBody, ResponseBody, one_of


class UsedPlaceSchema(ResponseBody, frozen=True, kw_only=True):
    """A version, a resource type or a field: who uses it, what is proved, and when it may go."""

    kind: Annotated[str, one_of(("version", "type", "field"))]
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
