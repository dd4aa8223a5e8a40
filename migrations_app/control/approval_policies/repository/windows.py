"""Windows and freezes: read, shown, and asked about a deployment; what is overridden for an upgrade is in approvals.py."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.access.repository.access import environment
from migrations_app.domain.approvals.stored import window_from
from migrations_app.domain.approvals.windows import WindowRuling, WindowSpan, rule_at
from migrations_app.kernel.json import JsonObject
from migrations_app.models.windows import WindowRule


def window_of(row: WindowRule) -> WindowSpan:
    """Read a window or freeze."""
    return window_from(vars(row))


def window_ruling(service: str, region: str, at: datetime, needed: bool) -> WindowRuling:
    """Tell whether switching a deployment is allowed at an instant."""
    rules = [window_of(row) for row in WindowRule.objects.all()]
    return rule_at(rules, at, service, region, environment(), needed)


def window_as_json(row: WindowRule) -> JsonObject:
    """Give a window as the API and the ledger show it."""
    return {
        "name": row.name,
        "rev": row.rev,
        "effect": row.effect,
        "zone": row.zone,
        "service": row.service,
        "region": row.region,
        "environment": row.environment,
        "cron": row.cron,
        "minutes": row.minutes,
        "starts": row.starts,
        "ends": row.ends,
        "reason": row.reason,
        "overrun_minutes": row.overrun_minutes,
        "ticket": row.ticket,
        "overriders": [*row.overriders],
        "created_by": row.created_by,
    }
