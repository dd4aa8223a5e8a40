"""Set and remove approval policies; open requests are asked anew under the policy that then counts."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

from migrations_app.actions.cast_vote import freshen
from migrations_app.adapters.ledger import record
from migrations_app.adapters.outbox import publish
from migrations_app.adapters.repositories.approvals import policy_of
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.approvals.policy import Policy, checked
from migrations_app.kernel.errors import Missing, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest


def apply_policy(actor: Actor, policy: Policy, rev: int | None = None) -> str:
    """Set a policy by its name.

    Raises: Denied, Invalid (`policy`), Stale (`policy-changed`).
    """
    target = Target("policy", policy.name, policy.scope.service, policy.scope.region)
    require(actor, "policy.write", target)
    checked(policy)
    with transaction.atomic():
        row = ApprovalPolicy.objects.select_for_update().filter(name=policy.name).first()
        _expect(row, rev)
        before = policy_of(row).as_json() if row else None
        row = row or ApprovalPolicy(name=policy.name, rev=0)
        for name, value in (asdict(policy) | asdict(policy.scope)).items():
            if name != "scope":
                setattr(row, name, value)
        row.rev, row.updated_by = row.rev + 1, actor.name
        row.save()
        record(actor, "policy.write", target, "done", before, policy.as_json())
        full: JsonObject = {**policy.as_json(), "rev": row.rev}
        publish("approvals", "policy", policy.name, full=full, rev=row.rev)
    _ask_anew()
    return policy.name


def delete_policy(actor: Actor, name: str) -> None:
    """Remove a policy.

    Raises: Denied, Missing (`policy-missing`).
    """
    require(actor, "policy.write", Target("policy", name))
    with transaction.atomic():
        row = ApprovalPolicy.objects.select_for_update().filter(name=name).first()
        if row is None:
            raise Missing(f"There is no policy {name}.", code="policy-missing")
        record(actor, "policy.delete", Target("policy", name), "done", before=policy_of(row).as_json())
        row.delete()
        publish("approvals", "policy", name)
    _ask_anew()


def _expect(row: ApprovalPolicy | None, rev: int | None) -> None:
    if rev is not None and rev != (row.rev if row else 0):
        raise Stale("The policy changed since you looked.", code="policy-changed", remedy="Read it again.")


def _ask_anew() -> None:
    for request_id in ApprovalRequest.objects.filter(closed_at__isnull=True).values_list("id", flat=True):
        freshen(request_id)
