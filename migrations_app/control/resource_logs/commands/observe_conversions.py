"""Open a debug session that records conversions, and end it."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit.ledger import record
from migrations_app.control.resource_logs.repository import conversion_session, log_location
from migrations_app.control.resource_logs.schemas import ObserveConversionsSchema
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Conflict, Invalid, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.logs import ConversionSession

MOST_OPEN = 5


def observe_conversions(actor: Actor, service: str, region: str, given: ObserveConversionsSchema) -> str:
    """Open a session; gives its id. It ends by itself.

    Raises: Denied, Missing (`deployment-missing`), Invalid (`session-of-nothing`), Conflict (`sessions-open`).
    """
    location = log_location(service, region)
    target = Target("deployment", location.deployment, service, region)
    require(actor, "activity.observe", target)
    require(actor, "resource.read", target)
    if not given.client and not given.resource:
        raise Invalid(
            message("A session records the conversions of a client, of a resource, or of both."),
            code="session-of-nothing",
            remedy=message("Name a client or a resource."),
            violations=(Violation("client", message("is empty, as resource is")),),
        )
    now = timezone.now()
    with transaction.atomic():
        still_open = ConversionSession.objects.select_for_update().filter(
            deployment=location.deployment, ended_at=None, expires_at__gt=now
        )
        if len(still_open) >= MOST_OPEN:
            raise Conflict(
                message("{count} sessions are open for {deployment}.", count=MOST_OPEN, deployment=target.id),
                code="sessions-open",
                remedy=message("End one of them, or wait until it ends."),
            )
        row = ConversionSession.objects.create(
            id=f"cs-{uuid4().hex[:20]}",
            deployment=location.deployment,
            client=given.client,
            resource=given.resource,
            most_records=given.records,
            reason=given.reason,
            started_by=actor.name,
            started_at=now,
            expires_at=now + timedelta(minutes=given.minutes),
        )
        after: JsonObject = {
            "session": row.id,
            "client": row.client,
            "resource": row.resource,
            "minutes": given.minutes,
            "records": given.records,
        }
        record(actor, "conversions.observe", target, "done", None, after, reason=row.reason)
    return row.id


def end_observation(actor: Actor, service: str, region: str, session: str) -> None:
    """End a session; one that has ended stays as it is.

    Raises: Denied, Missing (`deployment-missing`, `not-found`).
    """
    location = log_location(service, region)
    target = Target("deployment", location.deployment, service, region)
    require(actor, "activity.observe", target)
    with transaction.atomic():
        row = conversion_session(location.deployment, session, lock=True)
        if row.ended_at is not None or row.expires_at <= timezone.now():
            return
        row.ended_by, row.ended_at = actor.name, timezone.now()
        row.save(update_fields=["ended_by", "ended_at"])
        record(actor, "conversions.end", target, "done", None, {"session": row.id})
