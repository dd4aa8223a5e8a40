"""Vote on a request for approval: one word a person and round, bound to the evidence it was given for."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.actions.acting import DIRECTOR
from migrations_app.adapters.ledger import record
from migrations_app.adapters.outbox import publish
from migrations_app.adapters.repositories.approvals import (
    digest_now,
    evidence_of,
    policy_for,
    request_of,
    state_now,
)
from migrations_app.adapters.repositories.upgrade_evidence import PURPOSE_OF, checks_of
from migrations_app.adapters.repositories.upgrade_moves import add_line, close_request, locked
from migrations_app.adapters.repositories.voided import bound_now, why_void
from migrations_app.adapters.repositories.voters import approval_target, values_of, voter_of
from migrations_app.domain.access import SYSTEM, Actor, require
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.approvals.votes import Ballot, RequestState, Verdict, Vote, cast
from migrations_app.domain.switch.words import count
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote
from migrations_app.ports.upgrades import Line
from migrations_app.wiring import dispatch

WORDS = {
    Verdict.APPROVE: "approved",
    Verdict.REJECT: "rejected",
    Verdict.CHANGES: "asked for changes before",
}


def cast_vote(actor: Actor, request_id: str, ballot: Ballot) -> str:
    """Record a vote; the evidence is looked at afresh first, so that nobody votes for what is gone.

    Raises: Missing, Denied (`denied`, `vote-denied`, `step-up`, `step-up-token`), Stale (`evidence-changed`),
    Conflict (`request-settled`, `voted-already`, `changes-asked`), Invalid (`comment-needed`).
    """
    require(actor, "approval.vote", approval_target(_found(request_id)))
    freshen(request_id)
    with transaction.atomic():
        row = locked_request(request_id)
        target = approval_target(row)
        if request_of(row).policy.critical:
            demand_proof(actor, timezone.now())
        vote = cast(request_of(row), voter_of(actor, row), ballot, timezone.now())
        ApprovalVote.objects.create(request=row, **values_of(vote))
        after: JsonObject = {"verdict": vote.verdict.value, "digest": vote.digest, "round": vote.round}
        after["for"] = [lent.who for lent in row.delegations.filter(to=actor.name)]
        record(actor, f"approval.{vote.verdict.value}", target, "done", after=after, reason=vote.comment)
        add_line(row.upgrade_id, actor.name, _line(row, actor, vote))
        _settle(row, vote.verdict, actor)
    return request_id


def freshen(request_id: str) -> bool:
    """Begin a new round when the evidence changed, with every vote of the old one void; tell whether it was.

    Raises: Missing (`approval-missing`).
    """
    with transaction.atomic():
        row = locked_request(request_id)
        policy = policy_for(row.upgrade.service, row.upgrade.region, Purpose(row.purpose))
        if row.closed_at is not None or digest_now(row.upgrade, policy) == row.digest:
            return False
        why = why_void(row, policy)
        said = begin_round(row, SYSTEM, "approval.void", why)
        add_line(row.upgrade_id, SYSTEM.name, Line("votes-void", f"{said} void. {why}"))
    return True


def begin_round(row: ApprovalRequest, actor: Actor, action: str, reason: str) -> str:
    """Begin a round on a locked request with the evidence as it is now; say how many votes are void by it."""
    policy = policy_for(row.upgrade.service, row.upgrade.region, Purpose(row.purpose))
    voided = row.votes.filter(round=row.round, void_reason="").update(void_reason=reason)
    before: JsonObject = {"digest": row.digest, "round": row.round}
    step = next(step for step, purpose in PURPOSE_OF.items() if purpose.value == row.purpose)
    row.digest, row.policy = digest_now(row.upgrade, policy), policy.as_json()
    row.bound = bound_now(row.upgrade, policy)
    row.round, row.rev = row.round + 1, row.rev + 1
    row.evidence = evidence_of(checks_of(row.upgrade, step))
    row.save()
    after: JsonObject = {"digest": row.digest, "round": row.round}
    record(actor, action, approval_target(row), "done", before, after, reason=reason)
    tell(row, "OPEN")
    return f"{count(voided, 'vote')} {'is' if voided == 1 else 'are'}"


def _settle(row: ApprovalRequest, verdict: Verdict, actor: Actor) -> None:
    row.rev += 1
    row.save()
    if verdict is Verdict.REJECT:
        close_request(row, RequestState.REJECTED, f"{actor.name} rejected it.")
        return
    fresh = ApprovalRequest.objects.select_related("upgrade").get(pk=row.pk)
    tell(fresh, state_now(fresh, timezone.now()).value)
    dispatch().poke(DIRECTOR, row.upgrade_id)


def tell(row: ApprovalRequest, state: str) -> None:
    """Tell watchers how a request stands."""
    patch: JsonObject = {"state": state, "digest": row.digest, "rev": row.rev}
    publish("approvals", "approval", row.id, patch=patch, rev=row.rev)
    publish(f"upgrade:{row.upgrade_id}", "approval", row.id, patch=patch, rev=row.rev)


def _line(row: ApprovalRequest, actor: Actor, vote: Vote) -> Line:
    lent = "".join(f" for {each.who}" for each in row.delegations.filter(to=actor.name))
    said = f": {vote.comment}" if vote.comment else "."
    text = f"{actor.name} {WORDS[vote.verdict]} the {row.purpose}{lent}{said}"
    return Line(f"vote-{vote.verdict.value}", text, {"approval": row.id})


def _found(request_id: str) -> ApprovalRequest:
    row = ApprovalRequest.objects.select_related("upgrade").filter(pk=request_id).first()
    if row is None:
        raise Missing(f"There is no request for approval {request_id}.", code="approval-missing")
    return row


def locked_request(request_id: str) -> ApprovalRequest:
    """Read a request and keep others from changing it until the transaction ends.

    Raises: Missing (`approval-missing`).
    """
    # The upgrade first, as whoever moves or edits it does: a vote writes into its story and would wait for it later.
    locked(_found(request_id).upgrade_id)
    return (
        ApprovalRequest.objects.select_for_update(of=("self",)).select_related("upgrade").get(pk=request_id)
    )
