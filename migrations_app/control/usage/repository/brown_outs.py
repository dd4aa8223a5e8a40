"""Brown-outs as rows: locked, shown, and where they are in their life."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Max, Sum

from migrations_app.control.approval_policies.repository.approvals import environment, policy_of
from migrations_app.domain.access import Target
from migrations_app.domain.compatibility.brown_outs import BrownOutState
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.evidence.retirements import BrownOut, BrownOutRefusal

OPEN = (BrownOutState.REQUESTED, BrownOutState.ANNOUNCED, BrownOutState.RUNNING)


def locked_brown_out(brown_out_id: str) -> BrownOut:
    """Read a brown-out and keep others from changing it until the transaction ends.

    Raises: Missing (`brown-out-missing`).
    """
    row = BrownOut.objects.select_for_update().filter(pk=brown_out_id).first()
    if row is None:
        raise Missing(
            message("There is no brown-out {brown_out_id}.", brown_out_id=brown_out_id),
            code="brown-out-missing",
        )
    return row


def target_of_brown_out(row: BrownOut) -> Target:
    """Name a brown-out for decisions and the ledger: it counts in every region."""
    return Target("brown-out", row.id, row.service, environment=environment(), requested_by=row.requested_by)


def state_of_brown_out(row: BrownOut, now: datetime) -> BrownOutState:
    """Tell where a brown-out is."""
    if row.stopped_at is not None:
        return BrownOutState.STOPPED
    if row.approved_at is None:
        return BrownOutState.LAPSED if row.ends_at <= now else BrownOutState.REQUESTED
    if row.ends_at <= now:
        return BrownOutState.OVER
    return BrownOutState.RUNNING if row.begins_at <= now else BrownOutState.ANNOUNCED


def brown_outs_as_json(service: str, now: datetime) -> list[JsonObject]:
    """Show the brown-outs of a service, newest first, with what each refused by client: two queries."""
    refused: dict[str, list[JsonObject]] = {}
    sums = BrownOutRefusal.objects.filter(brown_out__service=service).values(
        "brown_out_id", "client", "release", "method"
    )
    for row in sums.annotate(requests=Sum("count"), last=Max("last_seen")).order_by(
        "client", "release", "method"
    ):
        refused.setdefault(row["brown_out_id"], []).append(
            {
                "client": row["client"],
                "release": row["release"],
                "method": row["method"],
                "requests": row["requests"],
                "last_seen": _iso(row["last"]),
            }
        )
    rows = BrownOut.objects.filter(service=service)
    return [brown_out_as_json(row, now, refused.get(row.id, [])) for row in rows]


def brown_out_as_json(row: BrownOut, now: datetime, refused: list[JsonObject] | None = None) -> JsonObject:
    """Show a brown-out."""
    clients: list[Json] = [*(refused or ())]
    approvals: list[dict[str, Any]] = row.approvals
    policy = policy_of(row.policy)
    return {
        "id": row.id,
        "service": row.service,
        "version": row.version,
        "kind": row.kind,
        "place": row.place,
        "percent": row.percent,
        "begins_at": _iso(row.begins_at),
        "ends_at": _iso(row.ends_at),
        "sunset": row.sunset.isoformat(),
        "replaced_by": row.replaced_by,
        "note": row.note,
        "state": state_of_brown_out(row, now).value,
        "requested_by": row.requested_by,
        "requested_at": _iso(row.requested_at),
        "approvals_needed": policy.total,
        "approvals_asked": policy.asks if policy.total else "",
        "approved_by": [str(each["who"]) for each in approvals],
        "stopped_by": row.stopped_by,
        "stopped_at": _iso(row.stopped_at),
        "stop_reason": row.stop_reason,
        "refused": sum(int(str(each["requests"])) for each in refused or ()),
        "refused_clients": clients,
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None
