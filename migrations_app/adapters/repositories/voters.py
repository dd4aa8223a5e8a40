"""Who somebody is towards a request for approval: the target of the decision, and their groups there."""

from __future__ import annotations

from migrations_app.adapters.repositories.approvals import environment
from migrations_app.domain.access import Actor, Target, decide
from migrations_app.domain.approvals.votes import Voter
from migrations_app.models.approvals import ApprovalRequest


def groups_of(actor: Actor, target: Target | None = None) -> frozenset[str]:
    """Name the roles an actor holds (towards a target), and the groups that gave them."""
    grants = [grant for grant in actor.grants if target is None or grant.covers(target)]
    through = {grant.through.removeprefix("group ") for grant in grants if grant.through}
    return frozenset({grant.role for grant in grants} | through)


def voter_of(actor: Actor, target: Target) -> Voter:
    """Make the voter an actor is; who may not vote at all belongs to no group."""
    allowed = decide(actor, "approval.vote", target).allowed
    return Voter(actor.name, groups_of(actor, target) if allowed else frozenset())


def approval_target(row: ApprovalRequest) -> Target:
    """Name a request for decisions and the ledger."""
    of = row.upgrade
    return Target("approval", row.id, of.service, of.region, environment(), requested_by=row.asked_by)
