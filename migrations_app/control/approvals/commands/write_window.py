"""Set and remove windows and freezes."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.approval_policies.repository.windows import window_as_json
from migrations_app.control.audit.ledger import last_change, record
from migrations_app.control.events.outbox import publish
from migrations_app.domain.access import ROLES, Actor, Target, require, require_within
from migrations_app.domain.approvals.overriding import ROLE, cleaned
from migrations_app.domain.approvals.windows import WindowSpan, checked
from migrations_app.domain.events import Place
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account, MadeRole
from migrations_app.models.windows import WindowRule


def create_window(actor: Actor, rule: WindowSpan, ticket: str = "") -> str:
    """Set a new window or freeze.

    Raises: Denied, Invalid (`zone`, `cron`, `window-span`, `window-name`, `window-overriders`), Conflict (`window-exists`).
    """
    return _write(actor, rule, ticket, 0)


def change_window(actor: Actor, rule: WindowSpan, rev: int | None, ticket: str = "") -> str:
    """Set a window or freeze again, as long as no other change was made since `rev`; the same again changes nothing.

    Raises: Denied, Invalid (as for creating), Missing (`window-missing`), Stale (`window-changed`).
    """
    return _write(actor, rule, ticket, rev, new=False)


def delete_window(actor: Actor, name: str, rev: int | None = None) -> None:
    """Remove a window or a freeze.

    Raises: Denied, Missing (`window-missing`), Stale (`window-changed`).
    """
    with transaction.atomic():
        row = _locked(name)
        if row is None:
            require_within(actor, "window.write")
            raise _missing(name)
        target = _target_of(row)
        require(actor, "window.write", target)
        _expect(row, rev)
        record(actor, "window.delete", target, "done", before=window_as_json(row))
        row.delete()
        publish("approvals", "window", name, places=[_place_of(row)])


def _write(actor: Actor, rule: WindowSpan, ticket: str, rev: int | None, *, new: bool = True) -> str:
    scope = rule.scope
    target = Target("window", rule.name, scope.service, scope.region, scope.environment)
    require(actor, "window.write", target)
    if not rule.name.strip() or "/" in rule.name or not rule.name.isprintable():
        raise Invalid(
            message("A window needs a name without slashes and control characters."),
            code="window-name",
            remedy=message("Give one."),
        )
    checked(rule)
    _check_overriders(rule)
    with transaction.atomic():
        row = _locked(rule.name)
        if new and row is not None:
            raise Conflict(
                message("There is a window {name} already.", name=rule.name),
                code="window-exists",
                remedy=message("Change that one."),
            )
        row = WindowRule(name=rule.name, rev=0, created_by=actor.name) if new else _old(actor, rule, row, rev)
        before, moved_from = (None, None) if new else (window_as_json(row), _place_of(row))
        _fill(row, rule, ticket)
        if window_as_json(row) == before:
            return rule.name
        row.rev += 1
        row.save()
        after = window_as_json(row)
        record(actor, "window.write", target, "done", before, after, reason=rule.reason)
        if moved_from and moved_from != _place_of(row):
            publish("approvals", "window", rule.name, places=[moved_from])
        publish("approvals", "window", rule.name, full=after, rev=row.rev, places=[_place_of(row)])
    return rule.name


def has_window(name: str) -> bool:
    """Tell whether there is a window or freeze of this name."""
    return WindowRule.objects.filter(name=name).exists()


def _check_overriders(rule: WindowSpan) -> None:
    for each in cleaned(rule.overriders):
        role = each.removeprefix(ROLE) if each.startswith(ROLE) else ""
        known = role in ROLES or MadeRole.objects.filter(name=role).exists() if role else False
        if not known and not Account.objects.filter(username=each).exists():
            raise Invalid(
                message("No account and no role is called {item}.", item=repr(each)),
                code="window-overriders",
                remedy=message("Write the name of an account, or {role}NAME for a role.", role=ROLE),
            )


def _old(actor: Actor, rule: WindowSpan, row: WindowRule | None, rev: int | None) -> WindowRule:
    if row is None:
        raise _missing(rule.name)
    # Moving a rule out of a scope takes the permission there as well.
    require(actor, "window.write", _target_of(row))
    _expect(row, rev)
    return row


def _place_of(row: WindowRule) -> Place:
    return row.service, row.region


def _target_of(row: WindowRule) -> Target:
    return Target("window", row.name, row.service, row.region, row.environment)


def _fill(row: WindowRule, rule: WindowSpan, ticket: str) -> None:
    row.effect, row.zone, row.reason, row.ticket = rule.effect.value, rule.zone, rule.reason, ticket
    row.service, row.region = rule.scope.service, rule.scope.region
    row.environment = rule.scope.environment
    row.cron, row.minutes = rule.cron, rule.minutes
    row.overrun_minutes = rule.overrun_minutes
    row.overriders = [*cleaned(rule.overriders)]
    row.starts = rule.starts.isoformat(timespec="seconds") if rule.starts else ""
    row.ends = rule.ends.isoformat(timespec="seconds") if rule.ends else ""


def _locked(name: str) -> WindowRule | None:
    return WindowRule.objects.select_for_update().filter(name=name).first()


def _missing(name: str) -> Missing:
    return Missing(message("There is no window {name}.", name=name), code="window-missing")


def _expect(row: WindowRule, rev: int | None) -> None:
    if rev is not None and rev != row.rev:
        raise Stale(
            message("The window changed since you looked."),
            code="window-changed",
            remedy=message("Read it again."),
            current=window_as_json(row),
            changed=last_change("window", row.name, "window.write"),
        )
