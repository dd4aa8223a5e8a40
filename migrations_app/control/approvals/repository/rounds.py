"""Rounds of votes: one begins when the evidence changes, and a request ends when its time is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from migrations_app.control.approval_policies.repository.approvals import (
    digest_now,
    evidence_of,
    facts_now,
    fingerprint_of,
    policy_of,
    policy_of_upgrade,
    request_of,
    state_now,
)
from migrations_app.control.approval_policies.repository.electors import (
    approval_target,
    keep_void,
    void_round,
)
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.schemas.repository.compatibility import report_counts
from migrations_app.control.upgrade_state.repository.evidence import PURPOSE_OF, checks_of
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line, close_request, locked
from migrations_app.domain.access import SYSTEM, Actor
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import RequestState, VoteVerdict, time_ran_out
from migrations_app.domain.switch.evidence_changes import (
    BoundVote,
    WorseCheck,
    why_void,
    why_worse,
    worse_checks,
)
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, counted, message
from migrations_app.kernel.one_reading import one_reading
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry

MOVING = frozenset({State.SWITCHING.value, State.REVERTING.value})
STEP_OF = {purpose.value: step for step, purpose in PURPOSE_OF.items()}


def found_request(request_id: str) -> ApprovalRequest:
    """Read a request with its upgrade.

    Raises: Missing (`approval-missing`).
    """
    row = ApprovalRequest.objects.select_related("upgrade").filter(pk=request_id).first()
    if row is None:
        raise Missing(
            message("There is no request for approval {request_id}.", request_id=request_id),
            code="approval-missing",
        )
    return row


def locked_request(request_id: str) -> ApprovalRequest:
    """Read a request and keep others from changing it until the transaction ends.

    Raises: Missing (`approval-missing`).
    """
    # The upgrade first, as commands that edit it do: a vote writes into its story and would wait for it later.
    locked(found_request(request_id).upgrade_id)
    return (
        ApprovalRequest.objects.select_for_update(of=("self",)).select_related("upgrade").get(pk=request_id)
    )


def freshen(request_id: str) -> bool:
    """Begin a new round, with every vote of the old one void, when what votes bind to changed; tell whether one began.

    By its policy also when a check fails that passed when one of them was given. Otherwise votes become void whose
    givers may not vote any more.

    Raises: Missing (`approval-missing`).
    """
    with transaction.atomic():
        row = locked_request(request_id)
        if row.closed_at is not None:
            return False
        with one_reading(afresh=True):
            began = _freshen(row)
    return began


def _freshen(row: ApprovalRequest) -> bool:
    policy = policy_of_upgrade(row.upgrade, Purpose(row.purpose))
    if digest_now(row.upgrade, policy) != row.digest:
        why = why_void(row.bound, bound_now(row.upgrade, policy), policy_of(row.policy), policy)
    elif policy.void_when_worse and (
        worse := worse_since_votes(row, checks_of(row.upgrade, STEP_OF[row.purpose]))
    ):
        why = why_worse(worse)
    else:
        void_lost_votes(row)
        return False
    words = begin_round(row, SYSTEM, "approval.void", why) + why
    add_line(row.upgrade_id, SYSTEM.name, TimelineEntry("votes-void", words))
    return True


def bound_now(upgrade: Upgrade, policy: Policy) -> JsonObject:
    """Give what a round of votes binds to, with what clients would notice of the conversion."""
    service, before, after = upgrade.service, upgrade.from_version, upgrade.to_version
    report = report_counts(service, fingerprint_of(service), before, after)
    breaking = None if report is None else report["breaking"]
    return {"plan": upgrade.plan_digest, **facts_now(upgrade, policy), "breaking": breaking}


def worse_since_votes(row: ApprovalRequest, now: Sequence[ReadinessCheck]) -> list[WorseCheck]:
    """List the checks that got worse since the approvals of the present round that count.

    A vote of before evidence was kept with votes stands on the evidence of its round.
    """
    counted = {(vote.who, vote.round) for vote in request_of(row).counted}
    votes = [
        BoundVote(vote.who, vote.at, vote.evidence or row.evidence)
        for vote in row.votes.all()
        if (vote.who, vote.round) in counted and vote.verdict == VoteVerdict.APPROVE.value
    ]
    return worse_checks(votes, now)


def void_lost_votes(row: ApprovalRequest) -> None:
    """Keep of each vote that does not count any more that it is void, and why."""
    for vote, standing in zip(row.votes.all(), request_of(row).votes, strict=True):
        if vote.void_reason or not standing.void_reason:
            continue
        keep_void(vote, standing.void_reason)
        row.rev += 1
        row.save(update_fields=["rev"])
        before: JsonObject = {"who": vote.who, "round": row.round}
        record(SYSTEM, "approval.void", approval_target(row), "done", before, reason=standing.void_reason)
        words = message("The vote of {who} is void.", who=vote.who) + standing.void_reason
        add_line(row.upgrade_id, SYSTEM.name, TimelineEntry("votes-void", words))
        tell(row, "OPEN", str(words))


def begin_round(row: ApprovalRequest, actor: Actor, action: str, reason: WordedMessage) -> WordedMessage:
    """Begin a round on a locked request with the evidence as it is now; say how many votes are void by it."""
    policy = policy_of_upgrade(row.upgrade, Purpose(row.purpose))
    voided = void_round(row.votes.filter(round=row.round), reason)
    before: JsonObject = {"digest": row.digest, "round": row.round}
    row.digest, row.policy = digest_now(row.upgrade, policy), policy.as_json()
    row.bound = bound_now(row.upgrade, policy)
    row.round, row.rev = row.round + 1, row.rev + 1
    row.deadline = row.created_at + timedelta(seconds=policy.expires_seconds)
    row.evidence = evidence_of(checks_of(row.upgrade, STEP_OF[row.purpose]))
    row.save()
    after: JsonObject = {"digest": row.digest, "round": row.round}
    record(actor, action, approval_target(row), "done", before, after, reason=reason)
    words = counted(voided, "{count} vote is void.", "{count} votes are void.")
    tell(row, "OPEN", f"{words} {reason}" if voided else str(reason))
    return words


def expire(request_id: str, now: datetime) -> bool:
    """End a request whose time is over, and tell those who wait for it; tell whether it ended.

    One that an upgrade is acting on stays: its flip uses it up, and a wish that is given up leaves it to the next look.

    Raises: Missing (`approval-missing`).
    """
    with transaction.atomic():
        row = locked_request(request_id)
        if row.closed_at is not None or row.upgrade.request or row.upgrade.state in MOVING:
            return False
        if state_now(row, now) is not RequestState.EXPIRED:
            return False
        asked = request_of(row)
        if asked.votes_given >= asked.policy.total:
            why = message("It was approved, but not used in time.")
        else:
            why = time_ran_out(asked.votes_given, asked.policy.total)
        close_request(row, RequestState.EXPIRED, why)
        after: JsonObject = {"state": RequestState.EXPIRED.value, "deadline": row.deadline.isoformat()}
        record(SYSTEM, "approval.expire", approval_target(row), "done", after=after, reason=why)
        words = (
            message("The request of {who} to roll back expired.", who=row.asked_by)
            if row.purpose == Purpose.REVERT.value
            else message("The request of {who} to switch expired.", who=row.asked_by)
        )
        line = TimelineEntry("approval-expired", words + why, {"approval": row.id})
        add_line(row.upgrade_id, SYSTEM.name, line)
    return True


def tell(row: ApprovalRequest, state: str, reason: str = "") -> None:
    """Tell watchers how a request stands, and why it is so where that is new."""
    patch: JsonObject = {"state": state, "digest": row.digest, "rev": row.rev}
    if reason:
        patch["reason"] = reason
    place = (row.upgrade.service, row.upgrade.region)
    publish("approvals", "approval", row.id, patch=patch, rev=row.rev, places=[place])
    publish(f"upgrade:{row.upgrade_id}", "approval", row.id, patch=patch, rev=row.rev)
