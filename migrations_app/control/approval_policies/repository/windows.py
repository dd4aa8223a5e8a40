"""Windows and freezes read as values, and those that are overridden for one upgrade."""

from __future__ import annotations

from datetime import datetime

from migrations_app.control.access.repository.access import environment
from migrations_app.domain.approvals.overriding import Where, lifted_ruling, ruled
from migrations_app.domain.approvals.policy import Scope
from migrations_app.domain.approvals.windows import Effect, WindowRuling, WindowSpan, rule_at
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.one_reading import read_once
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.windows import WindowOverride, WindowRule


def window_of(row: WindowRule) -> WindowSpan:
    """Read a window or freeze."""
    return WindowSpan(
        name=row.name,
        effect=Effect(row.effect),
        zone=row.zone,
        scope=Scope(row.service, row.region, row.environment),
        cron=row.cron,
        minutes=row.minutes,
        starts=datetime.fromisoformat(row.starts) if row.starts else None,
        ends=datetime.fromisoformat(row.ends) if row.ends else None,
        reason=row.reason,
        overrun_minutes=row.overrun_minutes,
        overriders=tuple(row.overriders),
    )


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


def where_of(row: Upgrade, needed: bool) -> Where:
    """Give the deployment of an upgrade, as windows are asked about it."""
    return Where(row.service, row.region, environment(), needed)


@read_once
def rules_and_revisions() -> tuple[list[WindowSpan], dict[str, int]]:
    """Read all windows and freezes, and their revisions by name."""
    rows = list(WindowRule.objects.all())
    return [window_of(row) for row in rows], {row.name: row.rev for row in rows}


def ruling_for(row: Upgrade, at: datetime, needed: bool) -> WindowRuling:
    """Rule on an upgrade; a rule that was changed since its override stands again."""
    rules, revisions = rules_and_revisions()
    where = where_of(row, needed)
    ruling = ruled(rules, at, where)
    if ruling.allowed:
        return ruling
    for kept in WindowOverride.objects.filter(upgrade=row, at__lte=at, until__gt=at):
        lifted = [name for name, rev in kept.rules.items() if revisions.get(name) == rev]
        now = ruled(rules, at, where, lifted)
        if lifted and now.allowed:
            return lifted_ruling(
                WindowRuling(True, "", ", ".join(lifted), ruling.considered),
                kept.who,
                kept.until,
                kept.reason,
            )
    return ruling
