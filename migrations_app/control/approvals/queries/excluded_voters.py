"""Which accounts may not vote on a request because its planner or asker changed them."""

from __future__ import annotations

from migrations_app.control.approval_policies.repository.electors import accounts_changed_by, with_control
from migrations_app.domain.approvals.account_control import LOOKBACK, author_refusal
from migrations_app.domain.approvals.votes import Voter, VotingRequest
from migrations_app.kernel.json import Json
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.approvals import ApprovalRequest


def excluded_voters(row: ApprovalRequest, request: VotingRequest) -> list[Json]:
    """List the accounts with the reason; nothing once the request is closed."""
    planned_at, authors = row.upgrade.created_at, request.author_control
    excluded: list[Json] = []
    for name in accounts_changed_by(authors, planned_at - LOOKBACK):
        voter = with_control(Voter(name, frozenset()), planned_at)
        reason = author_refusal(authors, voter.control, voter.entitled_by)
        if reason and name.lower() not in authors:
            excluded.append({"who": name, "reason": str(reason), "phrases": phrases_as_json(reason.phrases)})
    return excluded
