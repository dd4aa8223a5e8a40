"""Requests to evict read as values: what a request is worth, and the digest votes bind to."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.control.approval_policies.repository.approvals import environment, policy_for, policy_of
from migrations_app.control.approval_policies.repository.electors import (
    VOTE,
    control_of_authors,
    recounted_now,
    void_words,
)
from migrations_app.domain.access import Target
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import RequestState, Vote, VoteVerdict, VotingRequest
from migrations_app.kernel.json import digest
from migrations_app.models.evictions import Eviction


def eviction_policy(service: str, region: str) -> Policy:
    """Find the policy that counts for the eviction of a deployment."""
    return policy_for(service, region, Purpose.EVICT)


def eviction_digest(row: Eviction, policy: Policy, *, answers: bool) -> str:
    """Name what is agreed to: this very deployment, for this reason, while it does not answer."""
    return digest(
        {
            "deployment": row.deployment,
            "uid": str(row.uid),
            "reason": row.reason,
            "policy": policy.digest,
            "answers": answers,
        }
    )


def eviction_request(row: Eviction) -> VotingRequest:
    """Read a request with its votes; while it is open, those count whose givers may vote now."""
    request = VotingRequest(
        id=row.id,
        asked_by=row.asked_by,
        digest=row.digest,
        round=row.round,
        policy=policy_of(row.policy),
        created_at=row.created_at,
        votes=tuple(
            Vote(
                each.who,
                VoteVerdict(each.verdict),
                each.at,
                each.round,
                each.digest,
                each.comment,
                void_words(each),
            )
            for each in row.votes.all()
        ),
        used=row.closed_as == RequestState.USED.value,
    )
    if row.closed_at is not None:
        return request
    control = control_of_authors(((row.asked_by, row.created_at),), row.created_at)
    permissions = (*VOTE, "deployment.evict")
    return recounted_now(
        replace(request, author_control=control), eviction_target(row), row.created_at, permissions
    )


def eviction_target(row: Eviction) -> Target:
    """Name a request for decisions and the ledger."""
    return Target(
        "eviction", row.deployment, row.service, row.region, environment(), requested_by=row.asked_by
    )
