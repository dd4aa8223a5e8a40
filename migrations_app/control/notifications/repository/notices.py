"""A person's rules and hours as they are shown."""

from __future__ import annotations

from datetime import time

from migrations_app.kernel.json import JsonObject
from migrations_app.models.hooks import NoticeHours, Webhook


def notice_as_json(row: Webhook) -> JsonObject:
    """Show a rule of a person."""
    return {
        "id": row.id,
        "rev": row.rev,
        "events": [*row.events],
        "service": row.service,
        "region": row.region,
        "pace": row.pace,
        "active": row.active,
    }


def hours_as_json(row: NoticeHours) -> JsonObject:
    """Show when a person wants to be told."""
    return {
        "rev": row.rev,
        "zone": row.zone,
        "quiet_from": _clock(row.quiet_from),
        "quiet_to": _clock(row.quiet_to),
        "daily_at": _clock(row.daily_at),
    }


def _clock(at: time | None) -> str | None:
    return f"{at:%H:%M}" if at else None
