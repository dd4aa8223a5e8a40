"""What lies before an upgrade that is only planned: who must agree, when it may switch, how long it took before."""

from __future__ import annotations

from django.db.models import Sum
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import policy_for
from migrations_app.control.approval_policies.repository.windows import window_ruling
from migrations_app.control.registry.repository.upgrade_contexts import dependants_within
from migrations_app.domain.access import Actor, reach_of
from migrations_app.domain.approvals.about import Subject
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.switch.plan import UpgradePlan, lasting
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.words import span
from migrations_app.kernel.clock import iso
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json
from migrations_app.models.upgrades import Upgrade

LATEST = 5
"""So many past copies tell how long the next will take."""


def prospects_of(actor: Actor, plan: UpgradePlan) -> JsonObject:
    """Tell of a plan which policies count and why, its window, its reach, its time, and its rollback."""
    subject = Subject(plan.from_version, plan.to_version, plan.kind.value, plan.downgrade_sync)
    forward, back = (
        policy_for(plan.service, plan.region, each, subject) for each in (Purpose.SWITCH, Purpose.REVERT)
    )
    ruling = window_ruling(plan.service, plan.region, timezone.now(), forward.window_needed)
    took, rollback = _took(plan.service), _rollback(plan, back)
    return {
        "policy": _policy(forward),
        "window": {
            "allowed": ruling.allowed,
            **sentence_as_json(ruling.message),
            "next_open": iso(ruling.next_open) if ruling.next_open else None,
        },
        "resources": _resources(plan.deployment),
        "took": {"low_seconds": min(took), "high_seconds": max(took), "upgrades": len(took)}
        if took
        else None,
        "rollback": str(rollback),
        "rollback_phrases": phrases_as_json(rollback.phrases),
        "dependants": dependants_within(reach_of(actor, "fleet.read"), plan.service, plan.region),
    }


def _policy(policy: Policy) -> JsonObject:
    reason = _reason(policy)
    return {
        "name": policy.name,
        "needed": policy.total,
        "group": policy.group,
        "critical": policy.critical,
        **sentence_as_json(_asks(policy)),
        "reason": str(reason),
        "reason_phrases": phrases_as_json(reason.phrases),
    }


def _reason(policy: Policy) -> WordedMessage:
    """Say why this policy applies and no other."""
    if policy.name.startswith("default-"):
        return message("No policy was written for it: the default policy applies.")
    scope = " / ".join((policy.scope.service, policy.scope.region, policy.scope.environment))
    if policy.about.weight:
        return message(
            "Of the policies that cover this upgrade it is the most specific: {scope}, for upgrades {upgrades}.",
            scope=scope,
            upgrades=str(policy.about),
        )
    return message(
        "Of the policies that cover this deployment it is the most specific: {scope}.", scope=scope
    )


def _asks(policy: Policy) -> WordedMessage:
    if not policy.total:
        return message("No approval is needed.")
    return policy.must_approve + message("Who planned it or requests the approval has no vote.")


def _resources(deployment: str) -> int | None:
    """Count as of the last copy; None when there was none."""
    last = Upgrade.objects.filter(deployment=deployment, started_at__isnull=False).first()
    found = last.shards.aggregate(sum=Sum("total"))["sum"] if last else None
    return int(found) if found else None


def _took(service: str) -> list[float]:
    """Give how long the newest copies of a service took until all shards were caught up, in seconds."""
    found = []
    rows = Upgrade.objects.filter(service=service, moves__state=State.READY.value, started_at__isnull=False)
    for row in rows.distinct()[:LATEST]:
        level = row.moves.filter(state=State.READY.value).order_by("pk").first()
        if level is not None and row.started_at is not None:
            found.append((level.at - row.started_at).total_seconds())
    return found


def _rollback(plan: UpgradePlan, policy: Policy) -> WordedMessage:
    """Say how long rolling back is possible, what it loses, and who must approve it."""
    if not plan.downgrade_sync:
        return message(
            "Rolling back brings {version}'s data as of the switch: what is written afterwards is lost.",
            version=plan.from_version,
        )
    words = message(
        "Rollback stays possible for {time}, with nothing lost.", time=lasting(plan.rollback_hours)
    )
    if not policy.total:
        return words + message("It needs no approval.")
    words += message("Before a rollback:") + policy.must_approve
    if not policy.free_seconds:
        return words
    return words + message(
        "In the first {time} after the switch it needs no approval.",
        time=span(policy.free_seconds, policy.free_seconds),
    )
