"""Approve several requests with one word: only the same change in several places, and only where risk is low."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from migrations_app.control.approval_policies.repository.approvals import policy_of_upgrade
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.repository.risk_inputs import change_digest, risk_now
from migrations_app.control.upgrade_state.repository.evidence import PURPOSE_OF, checks_of
from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.risk import RiskLevel
from migrations_app.domain.approvals.votes import Ballot, VoteVerdict
from migrations_app.kernel.errors import Conflict, Missing, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.models.approvals import ApprovalRequest

STEP_OF = {purpose: step for step, purpose in PURPOSE_OF.items()}


@dataclass(frozen=True, slots=True)
class VoteOutcome:
    """What became of one request: voted for, or the refusal."""

    id: str
    error: SwitchyardError | None = None


def approve_together(actor: Actor, seen: Sequence[tuple[str, str]], comment: str = "") -> list[VoteOutcome]:
    """Approve requests, each for the evidence (its digest) that was seen; one refused stops no other.

    Raises: Missing (`approval-missing`), Conflict (`bulk-mixed`) before any vote when they are not one change.
    """
    rows = [_request(id) for id, _ in seen]
    if len({change_digest(row.upgrade, Purpose(row.purpose)) for row in rows}) > 1:
        raise Conflict(
            message("These requests are about different changes."),
            code="bulk-mixed",
            remedy=message(
                "Approve together only what moves one service between the same versions, with the "
                "same conversion."
            ),
        )
    return [_vote(actor, row, digest, comment) for row, (_, digest) in zip(rows, seen, strict=True)]


def _vote(actor: Actor, row: ApprovalRequest, digest: str, comment: str) -> VoteOutcome:
    try:
        with transaction.atomic():
            _demand_low(row)
            cast_vote(actor, row.id, Ballot(VoteVerdict.APPROVE, digest, comment))
    except SwitchyardError as error:
        return VoteOutcome(row.id, error)
    return VoteOutcome(row.id)


def _demand_low(row: ApprovalRequest) -> None:
    """Let only what is of low risk be approved with others.

    Raises: Conflict (`bulk-risk`).
    """
    purpose = Purpose(row.purpose)
    policy = policy_of_upgrade(row.upgrade, purpose)
    risk = risk_now(row.upgrade, purpose, policy, checks_of(row.upgrade, STEP_OF[purpose]))
    if risk.level is not RiskLevel.LOW:
        raise Conflict(
            message("Its risk is {level}: {reasons}", level=risk.level.value, reasons=" ".join(risk.reasons)),
            code="bulk-risk",
            remedy=message("Open it, read its evidence, and decide on it alone."),
        )


def _request(request_id: str) -> ApprovalRequest:
    row = ApprovalRequest.objects.select_related("upgrade").filter(pk=request_id).first()
    if row is None:
        raise Missing(
            message("There is no request for approval {request_id}.", request_id=request_id),
            code="approval-missing",
        )
    return row
