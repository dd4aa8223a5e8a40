"""Rounds of votes on evictions: one begins when what is agreed to changes, and a request ends when its time is over."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.electors import keep_void, void_round
from migrations_app.control.audit.ledger import record
from migrations_app.control.regions.repository.evictions import (
    eviction_digest,
    eviction_policy,
    eviction_request,
    eviction_target,
)
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.approvals.votes import RequestState, state_of, time_ran_out
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.evictions import Eviction

VOID = message("What is agreed to changed: the deployment, the policy, or whether it answers.")


def found_eviction(eviction_id: str) -> Eviction:
    """Read a request to evict.

    Raises: Missing (`eviction-missing`).
    """
    row = Eviction.objects.filter(pk=eviction_id).first()
    if row is None:
        raise Missing(
            message("There is no eviction {eviction_id}.", eviction_id=eviction_id), code="eviction-missing"
        )
    return row


def locked_eviction(eviction_id: str) -> Eviction:
    """Read a request and keep others from changing it until the transaction ends.

    Raises: Missing (`eviction-missing`).
    """
    found_eviction(eviction_id)
    return Eviction.objects.select_for_update().get(pk=eviction_id)


def freshen_eviction(eviction_id: str, *, answers: bool) -> bool:
    """Begin a new round, with the votes of the old one void, when what is agreed to changed; tell whether it did.

    Without such a change, votes become void whose givers may not vote any more.

    Raises: Missing (`eviction-missing`).
    """
    with transaction.atomic():
        row = locked_eviction(eviction_id)
        policy = eviction_policy(row.service, row.region)
        found = eviction_digest(row, policy, answers=answers)
        if row.closed_at is not None:
            return False
        if found == row.digest:
            _void_lost(row)
            return False
        void_round(row.votes.filter(round=row.round), VOID)
        before: JsonObject = {"digest": row.digest, "round": row.round}
        row.round, row.digest, row.policy, row.rev = row.round + 1, found, policy.as_json(), row.rev + 1
        row.save()
        after: JsonObject = {"digest": found, "round": row.round}
        record(SYSTEM, "deployment.evict.void", eviction_target(row), "done", before, after, reason=VOID)
    return True


def _void_lost(row: Eviction) -> None:
    """Keep of each vote that does not count any more that it is void, and why."""
    for vote, counted in zip(row.votes.all(), eviction_request(row).votes, strict=True):
        if vote.void_reason or not counted.void_reason:
            continue
        keep_void(vote, counted.void_reason)
        row.rev += 1
        row.save(update_fields=["rev"])
        before: JsonObject = {"who": vote.who, "round": row.round}
        record(
            SYSTEM, "deployment.evict.void", eviction_target(row), "done", before, reason=counted.void_reason
        )


def expire_eviction(eviction_id: str, now: datetime) -> bool:
    """End a request whose time is over; tell whether it ended.

    Raises: Missing (`eviction-missing`).
    """
    with transaction.atomic():
        row = locked_eviction(eviction_id)
        asked = eviction_request(row)
        if row.closed_at is not None or state_of(asked, now) is not RequestState.EXPIRED:
            return False
        close_eviction(row, RequestState.EXPIRED)
        why = time_ran_out(asked.votes_given, asked.policy.total)
        record(SYSTEM, "deployment.evict.expire", eviction_target(row), "done", reason=why)
    return True


def close_eviction(row: Eviction, state: RequestState) -> None:
    """End a locked request."""
    row.closed_at, row.closed_as, row.rev = timezone.now(), state.value, row.rev + 1
    row.save()
