"""The health of the system, and the keys of work that need a person."""

from __future__ import annotations

from migrations_app.adapters import health as parts
from migrations_app.domain.access import Actor, require
from migrations_app.kernel.json import JsonObject
from migrations_app.models.work import Work


def health(actor: Actor) -> JsonObject:
    """Tell how every part is, and the whole."""
    require(actor, "health.read")
    found = parts.components()
    return {"status": parts.worst(found), "components": [each.as_json() for each in found]}


def parked_work(actor: Actor) -> list[JsonObject]:
    """List the parked keys, the longest parked first."""
    require(actor, "health.read")
    rows = Work.objects.filter(parked_at__isnull=False).order_by("parked_at")[:200]
    return [
        {
            "controller": row.controller,
            "key": row.key,
            "code": row.parked_code,
            "reason": row.parked_reason,
            "remedy": row.parked_remedy,
            "since": row.parked_at.isoformat() if row.parked_at else None,
            "attempts": row.attempts,
        }
        for row in rows
    ]
