"""Set and remove windows and freezes."""

from __future__ import annotations

from django.db import transaction

from migrations_app.adapters.ledger import record
from migrations_app.adapters.outbox import publish
from migrations_app.adapters.repositories.approvals import window_as_json
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.approvals.windows import Rule, checked
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.models.windows import WindowRule


def write_window(actor: Actor, rule: Rule, ticket: str = "") -> str:
    """Set a window or a freeze by its name.

    Raises: Denied, Invalid (`zone`, `cron`, `window-span`, `window-name`).
    """
    target = Target("window", rule.name, rule.scope.service, rule.scope.region)
    require(actor, "window.write", target)
    if not rule.name.strip():
        raise Invalid("A window needs a name.", code="window-name", remedy="Give one.")
    checked(rule)
    with transaction.atomic():
        row = WindowRule.objects.select_for_update().filter(name=rule.name).first()
        before = window_as_json(row) if row else None
        row = row or WindowRule(name=rule.name, rev=0, created_by=actor.name)
        row.effect, row.zone, row.reason, row.ticket = rule.effect.value, rule.zone, rule.reason, ticket
        row.service, row.region, row.environment = (
            rule.scope.service,
            rule.scope.region,
            rule.scope.environment,
        )
        row.cron, row.minutes = rule.cron, rule.minutes
        row.starts = rule.starts.isoformat(timespec="seconds") if rule.starts else ""
        row.ends = rule.ends.isoformat(timespec="seconds") if rule.ends else ""
        row.rev += 1
        row.save()
        after = window_as_json(row)
        record(actor, "window.write", target, "done", before, after, reason=rule.reason)
        publish("approvals", "window", rule.name, full=after, rev=row.rev)
    return rule.name


def delete_window(actor: Actor, name: str) -> None:
    """Remove a window or a freeze.

    Raises: Denied, Missing (`window-missing`).
    """
    require(actor, "window.write", Target("window", name))
    with transaction.atomic():
        row = WindowRule.objects.select_for_update().filter(name=name).first()
        if row is None:
            raise Missing(f"There is no window {name}.", code="window-missing")
        record(actor, "window.delete", Target("window", name), "done", before=window_as_json(row))
        row.delete()
        publish("approvals", "window", name)
