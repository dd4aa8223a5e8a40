"""Approval policies and windows to be read and explained; those that may count within one's reach."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from migrations_app.control.approval_policies.queries.overriding import overriding
from migrations_app.control.approval_policies.repository.approvals import environment, policy_now, policy_of
from migrations_app.control.approval_policies.repository.windows import (
    window_as_json,
    window_of,
    window_ruling,
)
from migrations_app.control.audit.queries.gone import missing
from migrations_app.control.registry.repository.upgrade_contexts import UpgradeContext, context_of
from migrations_app.domain.access import Actor, Target, require, require_reach
from migrations_app.domain.approvals.policy import DEFAULTS, Purpose
from migrations_app.domain.approvals.windows import occurrences
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import all_phrases_as_json, sentence_as_json
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.windows import WindowRule


def policies(actor: Actor) -> list[Json]:
    """List the policies by name, and after them the two that count where none does."""
    reach = require_reach(actor, "approval.read")
    rows = ApprovalPolicy.objects.all()
    kept: list[Json] = [
        {**policy_of(row).as_json(), "rev": row.rev, "updated_by": row.updated_by}
        for row in rows
        if reach.meets(row.service, row.region)
    ]
    taken = {row.name for row in rows}
    standing: list[Json] = [
        {**policy.as_json(), "rev": 0, "updated_by": ""}
        for policy in DEFAULTS.values()
        if policy.name not in taken
    ]
    return [*kept, *standing]


def policy(actor: Actor, name: str) -> JsonObject:
    """Show one policy; the two defaults have revision 0.

    Raises: Missing (`policy-missing`), Denied.
    """
    found = [each for each in policies(actor) if isinstance(each, dict) and each["name"] == name]
    if not found:
        never = Missing(message("There is no policy {name}.", name=name), code="policy-missing")
        raise missing(actor, "approval.read", "policy", name, never)
    return found[0]


def policy_that_counts(actor: Actor, deployment: str, purpose: Purpose) -> JsonObject:
    """Tell which policy counts for a deployment.

    Raises: Missing (`deployment-missing`), Denied.
    """
    context = _context(actor, deployment)
    return policy(actor, policy_now(deployment, context.service, context.region, purpose).name)


def _context(actor: Actor, deployment: str) -> UpgradeContext:
    context = context_of(deployment)
    require(actor, "approval.read", Target("deployment", deployment, context.service, context.region))
    return context


def windows(actor: Actor) -> list[Json]:
    """List windows and freezes with their next ten openings."""
    reach = require_reach(actor, "approval.read")
    return [
        {**window_as_json(row), "next": upcoming(row)}
        for row in WindowRule.objects.all()
        if reach.meets(row.service, row.region)
    ]


def window(actor: Actor, name: str) -> JsonObject:
    """Show one window or freeze."""
    found = [each for each in windows(actor) if isinstance(each, dict) and each["name"] == name]
    if not found:
        never = Missing(message("There is no window {name}.", name=name), code="window-missing")
        raise missing(actor, "approval.read", "window", name, never)
    return found[0]


def upcoming(row: WindowRule, count: int = 10) -> list[Json]:
    """Preview the next openings, clock changes worked in."""
    return [
        {"opens": iso(each.opens), "closes": iso(each.closes), "note": each.note}
        for each in occurrences(window_of(row), timezone.now(), count)
    ]


def explain(actor: Actor, deployment: str, at: datetime) -> JsonObject:
    """Tell whether a deployment may switch at an instant, and by which rule.

    Raises: Missing (`deployment-missing`), Denied.
    """
    context = _context(actor, deployment)
    policy = policy_now(deployment, context.service, context.region, Purpose.SWITCH)
    ruling = window_ruling(context.service, context.region, at, policy.window_needed)
    return {
        "deployment": deployment,
        "environment": environment(),
        "at": iso(at),
        "allowed": ruling.allowed,
        **sentence_as_json(ruling.message),
        "winner": ruling.winner,
        "considered": [*map(str, ruling.considered)],
        "considered_phrases": all_phrases_as_json(ruling.considered),
        "next_open": iso(ruling.next_open),
        **overriding(actor, context.service, context.region, at, policy.window_needed),
    }
