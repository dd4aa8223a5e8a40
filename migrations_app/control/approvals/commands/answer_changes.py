"""Answer the changes that a voter asked for: a new round, in which everybody may vote again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import request_of
from migrations_app.control.approval_policies.repository.electors import approval_target
from migrations_app.control.approvals.repository.rounds import begin_round, freshen, locked_request
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.votes import RequestState, may_answer, state_of
from migrations_app.kernel.errors import Conflict, Denied, Invalid
from migrations_app.kernel.messages import message
from migrations_app.ports.upgrades import TimelineEntry


def answer_changes(actor: Actor, request_id: str, comment: str) -> str:
    """Say what became of the changes, and have the votes begin again with the evidence as it is now.

    Raises: Missing, Denied (`denied`, `answer-denied`), Conflict (`no-changes-asked`), Invalid (`comment-needed`).
    """
    said = comment.strip()
    freshen(request_id)
    with transaction.atomic():
        row = locked_request(request_id)
        require(actor, "approval.request", approval_target(row))
        request, now = request_of(row), timezone.now()
        reason = may_answer(request, actor.person, now)
        if reason and (row.closed_at is not None or state_of(request, now) is not RequestState.CHANGES):
            raise Conflict(reason, code="no-changes-asked", remedy=message("Read the request again."))
        if reason:
            raise Denied(
                reason, code="answer-denied", remedy=message("Leave it to them."), who_can=request.authors
            )
        if not said:
            raise Invalid(
                message("An answer needs a text."),
                code="comment-needed",
                remedy=message("Say what was done."),
            )
        words = message("{who} answered: {answer}", who=actor.name, answer=said)
        begin_round(row, actor, "approval.answer", words)
        add_line(
            row.upgrade_id,
            actor.name,
            TimelineEntry("answer", words, {"approval": row.id}),
        )
    return request_id
