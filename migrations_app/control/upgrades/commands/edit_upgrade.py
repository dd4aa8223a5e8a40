"""Change what an upgrade's plan says about its end: by itself or by a person, not before when, how long back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from migrations_app.control.approvals.repository.rounds import freshen
from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.repository.upgrade_contexts import context_of
from migrations_app.control.upgrade_state.commands.acting import acting
from migrations_app.control.upgrade_state.repository.evidence import plan_from
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import DIRECTOR, target_of
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.plan import UpgradePlan, checked
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry
from migrations_app.wiring import dispatch

EDITABLE = ("automatic", "not_before", "rollback_hours")


def edit_upgrade(actor: Actor, upgrade_id: str, changes: Mapping[str, Any], rev: int | None = None) -> str:
    """Change the plan of an upgrade before its switch; what was voted for the old plan is void.

    `changes`: any of EDITABLE; `not_before` is an instant, or None for as soon as may be.
    Raises: Missing, Denied, Stale, Invalid (`plan-*`), Conflict (`upgrade-state`, `guard-plan`).
    """
    with acting(actor, upgrade_id, "edit", rev) as row:
        before = plan_from(row, context_of(row.deployment))
        if before.digest != row.plan_digest:
            raise Conflict(
                message("The plan changed: versions, conversion or shards are not what they were."),
                code="guard-plan",
                remedy=message("Abort and plan again."),
            )
        after = checked(replace(before, **_changed_fields(changes)))
        if after != before:
            _keep(actor, row, before, after)
            for request in ApprovalRequest.objects.filter(upgrade_id=upgrade_id, closed_at__isnull=True):
                freshen(request.id)
    return upgrade_id


def _changed_fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: changes[name] for name in EDITABLE if name in changes}
    if not given:
        raise Invalid(
            message("Nothing to change was named."),
            code="plan-edit",
            remedy=message("Name one of {editable}.", editable=", ".join(EDITABLE)),
        )
    at = given.get("not_before")
    if at is not None and at <= timezone.now():
        raise Invalid(
            message("That time has passed."),
            code="plan-not-before",
            remedy=message("Name a time to come, or none."),
        )
    if "not_before" in given:
        given["not_before"] = at.isoformat() if at else ""
    return given


def _keep(actor: Actor, row: Upgrade, before: UpgradePlan, after: UpgradePlan) -> None:
    row.automatic, row.plan, row.plan_digest = after.automatic, after.as_json(), after.digest
    record(actor, "upgrade.edit", target_of(row), "done", before.as_json(), after.as_json())
    write(
        row,
        actor,
        TimelineEntry(
            "edited",
            message("{who} changed the plan.", who=actor.name) + _changes(before, after),
            {"digest": after.digest},
        ),
    )
    dispatch().poke(DIRECTOR, row.id)


def _changes(before: UpgradePlan, after: UpgradePlan) -> WordedMessage:
    changes = NOTHING
    if after.automatic != before.automatic:
        changes += message("It switches by itself.") if after.automatic else message("A person switches it.")
    if after.not_before != before.not_before:
        changes += (
            message(
                "It does not switch before {planned_at}.",
                planned_at=to_minute(datetime.fromisoformat(after.not_before)),
            )
            if after.not_before
            else message("It switches as soon as it is ready.")
        )
    if after.rollback_hours != before.rollback_hours:
        changes += _window(after.rollback_hours)
    return changes


def _window(hours: int) -> WordedMessage:
    if hours % 24 == 0:
        return counted(
            hours // 24,
            "The rollback window stays open for {count} day.",
            "The rollback window stays open for {count} days.",
        )
    return counted(
        hours,
        "The rollback window stays open for {count} hour.",
        "The rollback window stays open for {count} hours.",
    )
