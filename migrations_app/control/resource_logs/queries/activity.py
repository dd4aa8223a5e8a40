"""The activity log of a deployment, what it keeps, and what is known to be missing in it."""

from __future__ import annotations

from datetime import datetime

from migrations_app import wiring
from migrations_app.control.resource_logs.repository import log_location, log_settings
from migrations_app.control.resource_logs.schemas import (
    ActivityQuestionSchema,
    ActivitySchema,
    ActivityWriterSchema,
    LogsSchema,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.json import Json
from migrations_app.ports.logs.activity import ActivityEntry, ActivityKey, ActivityQuery
from migrations_app.web.paging import foreign_cursor

SILENT_SECONDS = 15.0
"""So long after its last write a process that noted more is held to have ended."""


def activity(
    actor: Actor,
    service: str,
    region: str,
    question: ActivityQuestionSchema,
    *,
    after: tuple[Json, ...] | None = None,
    limit: int = 50,
) -> list[ActivitySchema]:
    """List answered requests, the newest first; `after` is the key of the last one that is known.

    Raises: Denied, Missing (`deployment-missing`), Busy (`database-busy`).
    """
    require(actor, "activity.read", Target("deployment", service=service, region=region))
    location = log_location(service, region)
    query = ActivityQuery(
        location.deployment,
        version=question.version,
        method=question.method,
        type=question.type,
        name=question.name,
        caller=question.caller,
        request_id=question.request_id,
        statuses=_statuses(question.status),
        reads={"": None, "read": True, "write": False}[question.kind],
        since=question.since,
        until=question.until,
        before=None if after is None else _key(after),
        limit=limit,
    )
    return [_shown(entry) for entry in wiring.activity().entries(location.databases, query)]


def activity_key(entry: ActivitySchema) -> list[Json]:
    """Give the key of an entry, after which the next page begins."""
    return [entry.at.isoformat(), int(entry.id)]


def logs(actor: Actor, service: str, region: str) -> LogsSchema:
    """Tell what the logs of a deployment keep, and what is known to be missing.

    Raises: Denied, Missing (`deployment-missing`), Busy (`database-busy`).
    """
    require(actor, "activity.read", Target("deployment", service=service, region=region))
    location = log_location(service, region)
    row = log_settings(location.deployment)
    writers = wiring.activity().writers(location.databases, location.deployment)
    return LogsSchema(
        rev=row.rev,
        read_sampling=row.read_sampling,
        activity_days=row.activity_days,
        change_days=row.change_days,
        set_by=row.set_by,
        set_at=row.set_at,
        logged=sum(writer.entries for writer in writers),
        dropped=sum(writer.dropped for writer in writers),
        unfinished=[
            ActivityWriterSchema(process=writer.process, flushed_at=writer.flushed_at, entries=writer.entries)
            for writer in writers
            if not writer.settled and writer.silent_seconds > SILENT_SECONDS
        ],
    )


def _statuses(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    if text.endswith("xx"):
        least = int(text[0]) * 100
        return least, least + 99
    return int(text), int(text)


def _key(after: tuple[Json, ...]) -> ActivityKey:
    try:
        at, number = after
        return datetime.fromisoformat(str(at)), int(str(number))
    except ValueError as error:
        raise foreign_cursor() from error


def _shown(entry: ActivityEntry) -> ActivitySchema:
    return ActivitySchema(
        id=str(entry.number),
        at=entry.at,
        version=entry.version,
        method=entry.method,
        type=entry.type,
        name=entry.name,
        caller=entry.caller,
        client=entry.client,
        status=entry.status,
        error=entry.error,
        milliseconds=entry.milliseconds,
        request_id=entry.request_id,
        served=entry.served,
        via=entry.via,
        kind="read" if entry.reads else "write",
        weight=entry.weight,
    )
