"""Let another person vote in one's place on one request, and take that back."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.repository.access import actor_of
from migrations_app.control.approval_policies.repository.approvals import request_now, state_now
from migrations_app.control.approval_policies.repository.electors import (
    account_named,
    approval_target,
    voter_in_own_right,
)
from migrations_app.control.approvals.repository.rounds import locked_request, tell
from migrations_app.control.audit.ledger import record
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line
from migrations_app.domain.access import Actor, decide, require
from migrations_app.domain.approvals.votes import may_delegate
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.approvals import ApprovalDelegation, ApprovalRequest
from migrations_app.ports.upgrades import TimelineEntry


def delegate_vote(actor: Actor, request_id: str, to: str, comment: str = "") -> str:
    """Let `to` vote instead of `actor` on one request; naming oneself takes it back.

    The named person needs the right to vote there; what is lent is the membership in the policy's group. It
    gives no person a second vote, and is worth nothing once the giver could not vote themselves.

    Raises: Missing, Denied (`denied`, `delegate-denied`), Invalid (`delegate-unfit`).
    """
    with transaction.atomic():
        row = locked_request(request_id)
        target = approval_target(row)
        require(actor, "approval.vote", target)
        reason = may_delegate(request_now(row), voter_in_own_right(actor, target), to, timezone.now())
        if reason:
            raise Denied(reason, code="delegate-denied", remedy=message("Look at the request again."))
        own = to == actor.name
        if not own:
            _check(row, to)
        row.delegations.filter(who=actor.name).delete()
        if not own:
            ApprovalDelegation.objects.create(
                request=row, who=actor.name, to=to, comment=comment.strip(), at=timezone.now()
            )
        row.rev += 1
        row.save()
        after: JsonObject = {"to": to}
        record(actor, "approval.delegate", target, "done", after=after, reason=comment.strip())
        words = (
            message("{who} votes in person.", who=actor.name)
            if own
            else message("{who} lets {deputy} vote in their place.", who=actor.name, deputy=to)
        )
        add_line(row.upgrade_id, actor.name, TimelineEntry("delegated", words, {"approval": row.id}))
        tell(row, state_now(row, timezone.now()).value)
    return request_id


def _check(row: ApprovalRequest, to: str) -> None:
    account = account_named(to)
    if account is None:
        raise Invalid(
            message("There is no person {to} who can sign in.", to=to),
            code="delegate-unfit",
            remedy=message("Write the name of their account."),
        )
    decision = decide(actor_of(account), "approval.vote", approval_target(row))
    if not decision.allowed:
        raise Invalid(
            message("{to} has no right to vote here.", to=to),
            code="delegate-unfit",
            remedy=message("Name an account that has: {who_can}.", who_can=" or ".join(decision.who_can)),
        )
