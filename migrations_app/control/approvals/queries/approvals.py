"""Requests for approval and broken glasses to be read and explained."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from migrations_app.control.approval_policies.queries import duty
from migrations_app.control.approval_policies.repository.approvals import (
    evidence_of,
    shortest_expiry,
    standing_of,
)
from migrations_app.control.approval_policies.repository.electors import (
    approval_target,
    void_as_json,
    voter_in_own_right,
    voter_of,
    with_control,
)
from migrations_app.control.approvals.queries.excluded_voters import excluded_voters
from migrations_app.control.approvals.repository.risk_inputs import impact_of, impact_summary_of
from migrations_app.control.approvals.repository.rounds import STEP_OF, worse_since_votes
from migrations_app.control.audit.ledger import change_to
from migrations_app.control.rows.within import within
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrade_state.repository.snapshots import with_facts
from migrations_app.domain.access import AccessDecision, Actor, decide, reach_of, require, require_reach
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.votes import (
    SETTLED,
    RequestState,
    VoteVerdict,
    VotingRequest,
    may_answer,
    may_delegate,
    refusal,
)
from migrations_app.domain.reach import Reach
from migrations_app.domain.switch.guards import ReadinessCheck
from migrations_app.domain.switch.plan import ROLLBACK_HOURS, lasting
from migrations_app.domain.switch.words import where
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.one_reading import one_reading
from migrations_app.kernel.wordings import action_as_json, kept_message, phrases_as_json
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote, Emergency
from migrations_app.models.upgrades import Upgrade

TABS = ("mine", "asked", "open", "decided")


def rows() -> QuerySet[ApprovalRequest]:
    """Give the requests with all that showing them needs."""
    upgrades = Prefetch("upgrade", queryset=with_facts(Upgrade.objects.all()))
    return ApprovalRequest.objects.prefetch_related("votes", "delegations", upgrades)


def approval(actor: Actor, request_id: str) -> JsonObject:
    """Show one request: what, who and why, the evidence then and now, votes and what follows.

    Raises: Missing (`approval-missing`), Denied.
    """
    row = rows().filter(pk=request_id).first()
    if row is None:
        raise Missing(
            message("There is no request for approval {request_id}.", request_id=request_id),
            code="approval-missing",
        )
    require(actor, "approval.read", approval_target(row))
    with one_reading():
        return _whole(actor, row)


def last_changed(request_id: str) -> JsonObject | None:
    """Tell who, or what, gave a request its present evidence, and when."""
    row = ApprovalRequest.objects.get(pk=request_id)
    return change_to("approval", row.id, digest=row.digest)


def _whole(actor: Actor, row: ApprovalRequest) -> JsonObject:
    request, _ = standing_of(row, timezone.now())
    checks = checks_of(row.upgrade, STEP_OF[row.purpose])
    purpose, policy = Purpose(row.purpose), request.policy
    now: Sequence[Json] = evidence_of(checks)
    return {
        **show(actor, row),
        "impact_summary": impact_summary_of(row.upgrade, purpose, policy, checks),
        "evidence_then": row.evidence,
        "evidence_now": list(now),
        "differences": _differences(row.evidence, now),
        "worse": _worse(row, checks),
        "void_when_worse": policy.void_when_worse,
        "impact": impact_of(row.upgrade, purpose, policy, checks, reach_of(actor, "fleet.read")),
        "excluded": excluded_voters(row, request),
        "on_duty": [each for each in duty.on_duty() if not _why_not(duty.actor_on(each), row, request)],
    }


def summaries(
    actor: Actor, tab: str, after: Sequence[Json] | None, limit: int
) -> list[tuple[ApprovalRequest, JsonObject]]:
    """List requests as lists show them, newest first: those that are not settled with how they stand at a glance.

    Raises: Denied, Invalid (`tab`).
    """
    with one_reading():
        return [(row, _summary(actor, row)) for row in in_tab(actor, tab, after, limit)]


def _summary(actor: Actor, row: ApprovalRequest) -> JsonObject:
    request, state = standing_of(row, timezone.now())
    if state in SETTLED:
        return {**show(actor, row), "impact_summary": None}
    checks = checks_of(row.upgrade, STEP_OF[row.purpose])
    return {
        **show(actor, row),
        "impact_summary": impact_summary_of(row.upgrade, Purpose(row.purpose), request.policy, checks),
    }


def in_tab(actor: Actor, tab: str, after: Sequence[Json] | None, limit: int) -> list[ApprovalRequest]:
    """List requests, newest first.

    Raises: Denied, Invalid (`tab`).
    """
    reach = require_reach(actor, "approval.read")
    if tab not in TABS:
        raise Invalid(
            message("There is no tab {tab}.", tab=repr(tab)),
            code="tab",
            remedy=message("Use {tabs}.", tabs=", ".join(TABS)),
        )
    found = rows().filter(_within(reach)).order_by("-created_at", "-id")
    if after:
        at, last = datetime.fromisoformat(str(after[0])), str(after[1])
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=last))
    if tab == "asked":
        found = found.filter(asked_by=actor.person)
    elif tab == "decided":
        found = found.filter(_may_be_settled(timezone.now()))
    else:
        found = found.filter(closed_at__isnull=True)
    belonging = (row for row in found.iterator(chunk_size=limit) if _belongs(actor, tab, row))
    return list(islice(belonging, limit))


def _may_be_settled(now: datetime) -> Q:
    """Leave out what is open whatever became of its evidence: nothing rejects it, and no policy lets it expire yet."""
    rejecting = ApprovalVote.objects.filter(verdict=VoteVerdict.REJECT.value).values("request_id")
    expires = Q(deadline__lte=now) | Q(created_at__lte=now - shortest_expiry())
    return Q(closed_at__isnull=False) | expires | Q(pk__in=rejecting)


def _within(reach: Reach) -> Q:
    return within(reach, "upgrade__service", "upgrade__region")


def _belongs(actor: Actor, tab: str, row: ApprovalRequest) -> bool:
    if tab == "asked":
        return True
    request, state = standing_of(row, timezone.now())
    if tab == "mine":
        return _waits_for(actor, row, request, state)
    return (state in SETTLED) is (tab == "decided")


def waiting_for(actor: Actor) -> tuple[int, int]:
    """Count the requests that wait for this actor's vote or answer, and those that wait for others'."""
    reach = reach_of(actor, "approval.read")
    with one_reading():
        kept = rows().filter(_within(reach), closed_at__isnull=True)
        found = [(row, *standing_of(row, timezone.now())) for row in kept]
        waiting = [each for each in found if each[2] in (RequestState.OPEN, RequestState.CHANGES)]
        mine = sum(_waits_for(actor, *each) for each in waiting)
    return mine, len(waiting) - mine


def _waits_for(actor: Actor, row: ApprovalRequest, request: VotingRequest, state: RequestState) -> bool:
    """An open request waits for who may vote, one with changes asked for for who may answer."""
    if state is RequestState.CHANGES:
        return not may_answer(request, actor.person, timezone.now())
    return state is RequestState.OPEN and not _why_not(actor, row, request)


def key_of(row: ApprovalRequest) -> list[Json]:
    """Give the key that a page goes on after."""
    return [row.created_at.isoformat(), row.id]


def show(actor: Actor, row: ApprovalRequest) -> JsonObject:
    """Show what a request says, and how its votes stand."""
    request, state = standing_of(row, timezone.now())
    of = row.upgrade
    back = row.purpose == Purpose.REVERT.value
    source, target = (of.to_version, of.from_version) if back else (of.from_version, of.to_version)
    effect, undo = _on_approve(row, target), _undo(row, source)
    what = _what(where(of.service, of.region), back, source, target)
    return {
        "id": row.id,
        "rev": row.rev,
        "digest": request.digest,
        "upgrade_id": of.id,
        "what": str(what),
        "what_phrases": phrases_as_json(what.phrases),
        "purpose": row.purpose,
        "deployment": of.deployment,
        "service": of.service,
        "region": of.region,
        "from_version": source,
        "to_version": target,
        "asked_by": row.asked_by,
        "comment": row.comment,
        "ticket": row.ticket,
        "created_at": iso(row.created_at),
        "deadline": iso(row.deadline),
        "state": state.value,
        "closed_reason": row.closed_reason,
        "closed_reason_phrases": phrases_as_json(kept_message(row.closed_reason, row.closed_phrases).phrases),
        "needed": request.policy.total,
        "stages": _stages(request),
        "votes_given": request.votes_given,
        "policy": request.policy.name,
        "votes": _votes(row, request),
        "delegations": [
            {"who": each.who, "to": each.to, "comment": each.comment, "at": iso(each.at)}
            for each in row.delegations.all()
        ],
        "on_approve": str(effect),
        "on_approve_phrases": phrases_as_json(effect.phrases),
        "undo": str(undo),
        "undo_phrases": phrases_as_json(undo.phrases),
        "who_can": list(request.who_can),
        "actions": _actions(actor, row, request),
    }


def _what(place: str, back: bool, source: str, target: str) -> WordedMessage:
    values = {"place": place, "source": source, "target": target}
    if back:
        return message("Roll {place} back from {source} to {target}", **values)
    return message("Switch {place} from {source} to {target}", **values)


def _stages(request: VotingRequest) -> list[Json]:
    """Tell of each group in its turn how many of it have agreed."""
    found: list[Json] = []
    left = request.votes_given
    for stage in request.policy.stages:
        given = min(left, stage.needed)
        left -= given
        found.append({"group": stage.group, "needed": stage.needed, "votes_given": given})
    return found


def _votes(row: ApprovalRequest, request: VotingRequest) -> list[Json]:
    counted = {(vote.who, vote.round) for vote in request.counted}
    changed = message("The evidence changed.")
    return [
        {
            "who": vote.who,
            "verdict": vote.verdict,
            "comment": vote.comment,
            "at": iso(vote.at),
            "round": vote.round,
            **void_as_json(
                read.void_reason
                or (NOTHING if (vote.who, vote.round) in counted or row.closed_at else changed)
            ),
        }
        for vote, read in zip(row.votes.all(), request.votes, strict=True)
    ]


def _denial(decision: AccessDecision) -> WordedMessage:
    return NOTHING if decision.allowed else decision.words


def _why_not(actor: Actor, row: ApprovalRequest, request: VotingRequest) -> WordedMessage:
    target = approval_target(row)
    decision = decide(actor, "approval.vote", target)
    if not decision.allowed:
        return decision.words
    return refusal(request, with_control(voter_of(actor, row), row.upgrade.created_at), timezone.now())


def _actions(actor: Actor, row: ApprovalRequest, request: VotingRequest) -> list[Json]:
    now = timezone.now()
    voting = _why_not(actor, row, request)
    own = decide(actor, "approval.vote", approval_target(row))
    lending = _denial(own) or may_delegate(request, voter_in_own_right(actor, approval_target(row)), "", now)
    asking = decide(actor, "approval.request", approval_target(row))
    answering = may_answer(request, actor.person, now) or _denial(asking)
    reasons = {
        "approve": voting, "reject": voting, "request-changes": voting, "delegate": lending, "answer": answering
    }  # fmt: skip
    return [
        action_as_json(
            action, words, (request.authors if action == "answer" else request.who_can) if words else ()
        )
        for action, words in reasons.items()
    ]


def _on_approve(row: ApprovalRequest, target: str) -> WordedMessage:
    if row.upgrade.automatic:
        return message(
            "With the last vote it switches to {version} by itself, once every other check passes.",
            version=target,
        )
    return message(
        "With the last vote the upgrade may be switched to {version}; writes pause for a moment then.",
        version=target,
    )


def _undo(row: ApprovalRequest, source: str) -> WordedMessage:
    if row.purpose == Purpose.REVERT.value:
        return message(
            "Going forward again is a new upgrade; what was written is kept in {version}.", version=source
        )
    if not row.upgrade.downgrade_sync:
        return message(
            "Rolling back brings {version}'s data as of the switch: the old database is disabled.",
            version=source,
        )
    hours = int(row.upgrade.plan.get("rollback_hours", ROLLBACK_HOURS))
    return message(
        "Rolling back to {version} stays possible for {time}; nothing written meanwhile is lost.",
        version=source,
        time=lasting(hours),
    )


def _differences(then: Sequence[Json], now: Sequence[Json]) -> list[Json]:
    before = {each["check"]: each for each in then if isinstance(each, dict)}
    found: list[Json] = []
    for each in now:
        if not isinstance(each, dict):
            continue
        old = before.get(each["check"])
        if each["check"] != "approval" and (old is None or old["verdict"] != each["verdict"]):
            found.append({"check": each["check"], "then": old, "now": each})
    return found


def _worse(row: ApprovalRequest, checks: Sequence[ReadinessCheck]) -> list[Json]:
    """List what got worse since a person approved; nothing once the request is closed."""
    if row.closed_at is not None:
        return []
    return [
        {
            "check": each.check,
            "who": each.who,
            "at": iso(each.at),
            "then": str(each.passed),
            "then_phrases": phrases_as_json(each.passed.phrases),
            "now": str(each.fails),
            "now_phrases": phrases_as_json(each.fails.phrases),
        }
        for each in worse_since_votes(row, checks)
    ]


def emergencies(actor: Actor) -> list[Json]:
    """List the glasses that were broken, newest first, with the review each of them owes."""
    reach = require_reach(actor, "approval.read")
    return [
        {
            "id": row.id,
            "upgrade_id": row.upgrade_id,
            "service": row.upgrade.service,
            "region": row.upgrade.region,
            "purpose": row.purpose,
            "who": row.who,
            "reason": row.reason,
            "ticket": row.ticket,
            "at": iso(row.at),
            "used_at": iso(row.used_at),
            "reviewed_by": row.reviewed_by,
            "reviewed_at": iso(row.reviewed_at),
            "review": row.review,
        }
        for row in Emergency.objects.filter(_within(reach)).select_related("upgrade")[:500]
    ]
