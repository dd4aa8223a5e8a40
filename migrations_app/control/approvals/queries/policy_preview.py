"""What an approval policy would mean: which upgrades of late it would have decided, and who could vote."""

from __future__ import annotations

from migrations_app.control.access.repository.access import actor_of
from migrations_app.control.approval_policies.repository.approvals import environment, policy_of, subject_of
from migrations_app.control.approval_policies.repository.electors import voter_in_own_right
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, require_reach
from migrations_app.domain.approvals.policy import Policy, Purpose, effective
from migrations_app.kernel.json import JsonObject
from migrations_app.models.access import Account
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.upgrades import Upgrade

LATELY = 50


def preview(actor: Actor, policy: Policy) -> JsonObject:
    """Tell which of the last 50 upgrades (those the actor may see) this policy matches and would have decided, and who could vote under it.

    Who planned an upgrade never votes on it, which is why one more voter than `needed` may be wanted.

    Raises: Denied.
    """
    seen = within(require_reach(actor, "approval.read"))
    rules = [policy_of(row) for row in ApprovalPolicy.objects.filter(purpose=policy.purpose.value)]
    rules = [*(each for each in rules if each.name != policy.name), policy]
    rows = list(Upgrade.objects.filter(seen).order_by("-created_at")[:LATELY])
    met = [(row, _winner(rules, policy.purpose, row)) for row in rows if _matches(policy, row)]
    return {
        "seen": len(rows),
        "upgrades": [
            {
                "id": row.id,
                "service": row.service,
                "region": row.region,
                "from_version": row.from_version,
                "to_version": row.to_version,
                "state": row.state,
                "by": row.created_by,
                "decides": winner is policy,
                "decided_by": winner.name,
            }
            for row, winner in met
        ],
        "voters": [*_voters(policy)],
    }


def _matches(policy: Policy, row: Upgrade) -> bool:
    return policy.scope.covers(row.service, row.region, environment()) and policy.about.meets(subject_of(row))


def _winner(rules: list[Policy], purpose: Purpose, row: Upgrade) -> Policy:
    return effective(rules, purpose, row.service, row.region, environment(), subject_of(row))


def _voters(policy: Policy) -> list[str]:
    # Globs of the policy stand for a place here; who is bound to one place only is named when that place is asked about.
    scope = policy.scope
    target = Target("approval", "", scope.service, scope.region, environment())
    people = Account.objects.filter(is_active=True, kind="user")
    groups = {row.username: voter_in_own_right(actor_of(row), target).groups for row in people}
    return [name for name, held in groups.items() if _may(policy, held)]


def _may(policy: Policy, held: frozenset[str]) -> bool:
    """Tell whether an account is of a group that votes in any stage."""
    return any(stage.group in held for stage in policy.stages) if policy.group else bool(held)
