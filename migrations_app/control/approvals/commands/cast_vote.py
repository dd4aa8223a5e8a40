"""Vote on a request for approval: one word a person and round, bound to the evidence it was given for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import (
    evidence_of,
    policy_of,
    request_of,
    state_now,
)
from migrations_app.control.approval_policies.repository.electors import (
    approval_target,
    values_of,
    voter_of,
    with_control,
)
from migrations_app.control.approvals.repository.rounds import (
    STEP_OF,
    found_request,
    freshen,
    locked_request,
    tell,
    void_lost_votes,
)
from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.repository.evidence import checks_of
from migrations_app.control.upgrade_state.repository.upgrade_rows import DIRECTOR, add_line, close_request
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.approvals.votes import Ballot, RequestState, Vote, VoteVerdict, cast
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.one_reading import one_reading
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote
from migrations_app.ports.upgrades import TimelineEntry
from migrations_app.wiring import dispatch

_VERDICTS: Mapping[tuple[VoteVerdict, bool], Callable[[str], WordedMessage]] = {
    (VoteVerdict.APPROVE, False): lambda who: message("{who} approved the switch.", who=who),
    (VoteVerdict.REJECT, False): lambda who: message("{who} rejected the switch.", who=who),
    (VoteVerdict.CHANGES, False): lambda who: message("{who} asked for changes before the switch.", who=who),
    (VoteVerdict.APPROVE, True): lambda who: message("{who} approved the rollback.", who=who),
    (VoteVerdict.REJECT, True): lambda who: message("{who} rejected the rollback.", who=who),
    (VoteVerdict.CHANGES, True): lambda who: message("{who} asked for changes before the rollback.", who=who),
}
"""What a vote says, by whether it is about a rollback."""


def cast_vote(actor: Actor, request_id: str, ballot: Ballot) -> str:
    """Record a vote; the evidence is read again first, so that no vote is for what is gone.

    Raises: Missing, Denied (`denied`, `vote-denied`, `step-up`, `step-up-token`), Stale (`evidence-changed`),
    Conflict (`request-settled`, `voted-already`, `changes-asked`), Invalid (`comment-needed`).
    """
    require(actor, "approval.vote", approval_target(found_request(request_id)))
    freshen(request_id)
    with transaction.atomic():
        row = locked_request(request_id)
        # Again under the lock: a vote that is void by now must be so in its row before the same person votes again.
        with one_reading(afresh=True):
            void_lost_votes(row)
        # Read again after each writing into the ledger: it may have waited for others who wrote there.
        with one_reading(afresh=True):
            vote = _vote(actor, row, ballot)
        with one_reading(afresh=True):
            _settle(row, vote.verdict, actor)
    return request_id


def _vote(actor: Actor, row: ApprovalRequest, ballot: Ballot) -> Vote:
    target = approval_target(row)
    if policy_of(row.policy).critical:
        demand_proof(actor, timezone.now())
    voter = with_control(voter_of(actor, row), row.upgrade.created_at)
    vote = cast(request_of(row), voter, ballot, timezone.now())
    evidence = evidence_of(checks_of(row.upgrade, STEP_OF[row.purpose]))
    ApprovalVote.objects.create(request=row, evidence=evidence, **values_of(vote))
    after: JsonObject = {"verdict": vote.verdict.value, "digest": vote.digest, "round": vote.round}
    after["for"] = [lent.who for lent in row.delegations.filter(to=actor.name)]
    record(actor, f"approval.{vote.verdict.value}", target, "done", after=after, reason=vote.comment)
    add_line(row.upgrade_id, actor.name, _line(row, actor, vote))
    return vote


def _settle(row: ApprovalRequest, verdict: VoteVerdict, actor: Actor) -> None:
    row.rev += 1
    row.save()
    if verdict is VoteVerdict.REJECT:
        close_request(row, RequestState.REJECTED, message("{who} rejected it.", who=actor.name))
        return
    fresh = ApprovalRequest.objects.select_related("upgrade").get(pk=row.pk)
    tell(fresh, state_now(fresh, timezone.now()).value)
    dispatch().poke(DIRECTOR, row.upgrade_id)


def _line(row: ApprovalRequest, actor: Actor, vote: Vote) -> TimelineEntry:
    words = _VERDICTS[vote.verdict, Purpose(row.purpose) is Purpose.REVERT](actor.name)
    givers = [lent.who for lent in row.delegations.filter(to=actor.name)]
    if givers:
        words += message("The vote is given for {givers}.", givers=", ".join(givers))
    if vote.comment:
        words += message("Comment: {comment}", comment=vote.comment)
    return TimelineEntry(f"vote-{vote.verdict.value}", words, {"approval": row.id})
