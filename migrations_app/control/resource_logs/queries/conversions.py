"""Debug sessions of a deployment, and the conversions that they recorded."""

from __future__ import annotations

from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.resource_logs.repository import (
    conversion_session,
    conversion_sessions,
    log_location,
)
from migrations_app.control.resource_logs.schemas import ConversionRecordSchema, ConversionSessionSchema
from migrations_app.domain.access import Actor, Target, require
from migrations_app.models.logs import ConversionSession
from migrations_app.ports.logs.conversion_records import ConversionRecord

MOST_SESSIONS = 50


def observations(actor: Actor, service: str, region: str) -> list[ConversionSessionSchema]:
    """List the newest sessions.

    Raises: Denied, Missing (`deployment-missing`), Busy (`database-busy`).
    """
    _require(actor, service, region)
    location = log_location(service, region)
    rows = conversion_sessions(location.deployment, MOST_SESSIONS)
    counts = wiring.conversion_records().counts(location.databases, [row.id for row in rows])
    return [_shown(row, counts.get(row.id, 0)) for row in rows]


def observation(actor: Actor, service: str, region: str, session: str) -> ConversionSessionSchema:
    """Show one session.

    Raises: Denied, Missing (`deployment-missing`, `not-found`), Busy (`database-busy`).
    """
    _require(actor, service, region)
    location = log_location(service, region)
    row = conversion_session(location.deployment, session)
    counts = wiring.conversion_records().counts(location.databases, [row.id])
    return _shown(row, counts.get(row.id, 0))


def recorded_conversions(
    actor: Actor, service: str, region: str, session: str, *, after: int | None, limit: int
) -> list[ConversionRecordSchema]:
    """List what a session recorded, in order; `after` is the number of the last one that is known.

    Raises: Denied, Missing (`deployment-missing`, `not-found`), Busy (`database-busy`).
    """
    _require(actor, service, region)
    location = log_location(service, region)
    row = conversion_session(location.deployment, session)
    records = wiring.conversion_records().records(location.databases, row.id, after=after or 0, limit=limit)
    return [_record(each) for each in records]


def _require(actor: Actor, service: str, region: str) -> None:
    target = Target("deployment", service=service, region=region)
    require(actor, "activity.observe", target)
    require(actor, "resource.read", target)


def _state(row: ConversionSession, recorded: int) -> str:
    if row.ended_at is not None:
        return "ENDED"
    if recorded >= row.most_records:
        return "FULL"
    return "OPEN" if row.expires_at > timezone.now() else "EXPIRED"


def _shown(row: ConversionSession, recorded: int) -> ConversionSessionSchema:
    return ConversionSessionSchema(
        id=row.id,
        state=_state(row, recorded),
        client=row.client,
        resource=row.resource,
        reason=row.reason,
        most_records=row.most_records,
        recorded=recorded,
        started_by=row.started_by,
        started_at=row.started_at,
        expires_at=row.expires_at,
        ended_by=row.ended_by,
        ended_at=row.ended_at,
    )


def _record(record: ConversionRecord) -> ConversionRecordSchema:
    return ConversionRecordSchema(
        id=str(record.number),
        at=record.at,
        caller=record.caller,
        request_id=record.request_id,
        direction=record.direction,
        source_version=record.source_version,
        target_version=record.target_version,
        type=record.type,
        name=record.name,
        document=dict(record.document),
        before=None if record.before is None else dict(record.before),
        outcome=record.outcome,
        output_name=record.output_name,
        output=None if record.output is None else dict(record.output),
        milliseconds=record.milliseconds,
    )
