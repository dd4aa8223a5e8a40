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
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, catalogued, message
from migrations_app.kernel.wordings import sentence_as_json
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
    took = _took(plan.service)
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
        "rollback": _rollback_text(plan, back),
        "dependants": dependants_within(reach_of(actor, "fleet.read"), plan.service, plan.region),
    }


def _policy(policy: Policy) -> JsonObject:
    about = f", for upgrades {policy.about}" if policy.about.weight else ""
    scope: list[Json] = [policy.scope.service, policy.scope.region, policy.scope.environment]
    return {
        "name": policy.name,
        "needed": policy.total,
        "group": policy.group,
        "critical": policy.critical,
        **sentence_as_json(_asks(policy)),
        "reason": catalogued("No policy was written for it: the default policy applies.")
        if policy.name.startswith("default-")
        else f"The most specific that covers it: {' / '.join(str(each) for each in scope)}{about}.",
    }


def _asks(policy: Policy) -> WordedMessage:
    if not policy.total:
        return message("No approval is needed.")
    if policy.total == 1:
        return message(
            "One member of {group} must approve, who neither planned it nor asks.", group=policy.group
        )
    return message("{stages} must approve, none of whom planned it or asks.", stages=policy.asks)


def _who(policy: Policy, one: str = "One") -> str:
    """Name who must approve, in their order."""
    if policy.total == 1:
        return f"{one} member of {policy.group}"
    return policy.asks


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


def _rollback_text(plan: UpgradePlan, policy: Policy) -> str:
    if not plan.downgrade_sync:
        return f"Rolling back brings {plan.from_version}'s data as of the switch: what is written afterwards is lost."
    who = f"{_who(policy, one='one')} must approve it" if policy.total else "it needs no approval"
    if policy.total and policy.free_seconds:
        who = f"{who}, but not in the first {span(policy.free_seconds, policy.free_seconds)}"
    return f"Rollback stays possible for {lasting(plan.rollback_hours)}, with nothing lost; {who}."
