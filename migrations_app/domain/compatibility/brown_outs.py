"""Brown-outs: a share of the requests that use something deprecated is refused for a while, before it is removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from migrations_app.domain.compatibility.evidence import DEFAULT_PERIOD_DAYS
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Gone, Invalid, Refused, Violation
from migrations_app.kernel.messages import WordedMessage, message

BASIC_METHODS = ("get", "list", "batchGet", "search", "watch", "create", "update", "delete")
SETTLES = timedelta(seconds=30)
"""How long after its approval a brown-out leaves no field out yet: every process must keep what clients then do not see."""
KEPT_AFTER_END = timedelta(days=DEFAULT_PERIOD_DAYS)
"""How long after its end updates keep its field: by then every client has read the resource again that it writes back."""


class BrownOutKind(StrEnum):
    """What is deprecated: a field, a method, or a whole version."""

    FIELD = "field"
    METHOD = "method"
    VERSION = "version"


class BrownOutState(StrEnum):
    """Where a brown-out is; `lapsed` that it was not approved before its end."""

    REQUESTED = "requested"
    ANNOUNCED = "announced"
    RUNNING = "running"
    OVER = "over"
    STOPPED = "stopped"
    LAPSED = "lapsed"


BROWN_OUT_SENTENCES: Mapping[BrownOutState, WordedMessage] = {
    BrownOutState.REQUESTED: message("The brown-out waits for approval."),
    BrownOutState.ANNOUNCED: message("The brown-out is announced and has not begun."),
    BrownOutState.RUNNING: message("The brown-out refuses requests now."),
    BrownOutState.OVER: message("The brown-out is over."),
    BrownOutState.STOPPED: message("The brown-out was stopped."),
    BrownOutState.LAPSED: message("The brown-out was not approved in time."),
}
"""Each state as a sentence for people."""


@dataclass(frozen=True, slots=True)
class AnnouncedBrownOut:
    """One that counts: `place` is `Box.title` of a field, `Box.archive` of a method, or the version.

    `percent` of the requests that use it are refused from `begins_at` until before `ends_at`; of the answers that return a
    field to clients that did not name it, as many are without it.
    """

    id: str
    service: str
    version: str
    kind: BrownOutKind
    place: str
    percent: float
    begins_at: datetime
    ends_at: datetime
    sunset: date
    since: date | None = None
    replaced_by: str = ""
    approved_at: datetime | None = None

    def is_running(self, now: datetime) -> bool:
        """Tell whether it refuses requests now."""
        return self.begins_at <= now < self.ends_at

    def leaves_out(self, now: datetime) -> bool:
        """Tell whether it leaves its field out of answers now."""
        settled_at = (self.approved_at or self.begins_at) + SETTLES
        return self.kind is BrownOutKind.FIELD and self.is_running(now) and settled_at <= now

    def refusal(self) -> Refused:
        """Say to a client why its request is refused, when the place is removed, and what to use instead."""
        values: dict[str, str | int] = {
            "what": f"{self.version} of {self.service}" if self.kind is BrownOutKind.VERSION else self.place,
            "sunset": self.sunset.isoformat(),
            "ends_at": to_minute(self.ends_at),
            "percent": f"{self.percent:g}",
        }
        words = _announcement(self.kind, values)
        instead = (
            message("Use {name} instead.", name=self.replaced_by)
            if self.replaced_by
            else message("Stop using it.")
        )
        remedy = instead + message("The same request may be answered when it is sent again.")
        if self.kind is not BrownOutKind.FIELD:
            return Gone(words, code="brown-out", remedy=remedy, target=f"{self.service}/{self.version}")
        path = self.place.partition(".")[2]
        violation = Violation(
            path, message("will be removed on {sunset}", sunset=self.sunset.isoformat()), instead, "brown-out"
        )
        return Invalid(words, code="brown-out", remedy=remedy, violations=(violation,))


def _announcement(kind: BrownOutKind, values: Mapping[str, str | int]) -> WordedMessage:
    if kind is BrownOutKind.FIELD:
        return message(
            "{what} is deprecated and will be removed on {sunset}: until {ends_at} {percent} % of the requests "
            "that send or name it are refused.",
            **values,
        )
    if kind is BrownOutKind.METHOD:
        return message(
            "{what} is deprecated and will be removed on {sunset}: until {ends_at} {percent} % of the requests "
            "that call it are refused.",
            **values,
        )
    return message(
        "{what} is deprecated and will be removed on {sunset}: until {ends_at} {percent} % of the requests "
        "that use it are refused.",
        **values,
    )


def kind_of(schema: Schema, place: str) -> BrownOutKind | None:
    """Tell what a place of a version is; fields are named by type and path, methods by type and method."""
    if place == schema.version:
        return BrownOutKind.VERSION
    type_, _, rest = place.partition(".")
    if type_ not in schema.resources or not rest:
        return None
    custom = schema.methods.get(rest)
    if rest in BASIC_METHODS or (custom is not None and custom.resource == type_):
        return BrownOutKind.METHOD
    return BrownOutKind.FIELD
