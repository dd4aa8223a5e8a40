"""Who somebody is towards a request for approval: the target of the decision, and their groups there."""

from __future__ import annotations

from typing import Any

from migrations_app.control.access.repository.access import actor_of, environment
from migrations_app.control.rows.one_reading import read_once
from migrations_app.domain.access import Actor, Target, decide
from migrations_app.domain.approvals.votes import Vote, Voter
from migrations_app.models.access import Account
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import UpgradeTimelineEntry


def groups_of(actor: Actor, target: Target | None = None) -> frozenset[str]:
    """Name the roles an actor holds (towards a target), and the groups that gave them."""
    grants = [grant for grant in actor.grants if target is None or grant.covers(target)]
    through = {grant.through.removeprefix("group ") for grant in grants if grant.through}
    return frozenset({grant.role for grant in grants} | through)


def voter_of(actor: Actor, row: ApprovalRequest) -> Voter:
    """Make the voter an actor is, with the groups that others lent them; who may not vote at all has none."""
    groups = _groups_to_vote(actor, approval_target(row)).union(*_lent(actor, row))
    return Voter(actor.name, groups, edited=row.upgrade_id in _edited_by(actor.name))


def voter_in_own_right(actor: Actor, target: Target) -> Voter:
    """Make the voter an actor is by their own roles and groups."""
    return Voter(actor.name, _groups_to_vote(actor, target))


def values_of(vote: Vote) -> dict[str, Any]:
    """Give what every table of votes keeps of a vote."""
    return {
        "round": vote.round,
        "who": vote.who,
        "verdict": vote.verdict.value,
        "digest": vote.digest,
        "comment": vote.comment,
        "at": vote.at,
    }


def account_named(name: str) -> Account | None:
    """Find the account of a person who may sign in."""
    return Account.objects.filter(username=name, is_active=True, kind="user").first()


@read_once
def _edited_by(name: str) -> frozenset[str]:
    """Name the upgrades whose plan somebody changed; a plan of one's own making is approved by others."""
    edits = UpgradeTimelineEntry.objects.filter(kind="edited", who__iexact=name)
    return frozenset(edits.values_list("upgrade_id", flat=True))


def _groups_to_vote(actor: Actor, target: Target) -> frozenset[str]:
    return groups_of(actor, target) if decide(actor, "approval.vote", target).allowed else frozenset()


def _lent(actor: Actor, row: ApprovalRequest) -> list[frozenset[str]]:
    """A word is worth what its giver's would be now; it never replaces the right to vote at all."""
    givers = [each.who for each in row.delegations.all() if each.to == actor.name]
    if not givers or not decide(actor, "approval.vote", approval_target(row)).allowed:
        return []
    accounts = [account for name in givers if (account := account_named(name))]
    target = approval_target(row)
    return [_groups_to_vote(actor_of(account), target) for account in accounts]


def approval_target(row: ApprovalRequest) -> Target:
    """Name a request for decisions and the ledger."""
    of = row.upgrade
    return Target("approval", row.id, of.service, of.region, environment(), requested_by=row.asked_by)
