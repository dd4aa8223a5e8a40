"""Ask for the approvals that a switch or a rollback needs, with the evidence as it is now."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import (
    current_request,
    digest_now,
    evidence_of,
    policy_of_upgrade,
    state_now,
)
from migrations_app.control.approvals.repository.rounds import bound_now
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.upgrade_state.commands.acting import acting
from migrations_app.control.upgrade_state.repository.evidence import checks_of, needed_now
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import close_request, target_of
from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.request_states import REQUEST_SENTENCES
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, counted, message
from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry


def request_approval(
    actor: Actor, upgrade_id: str, comment: str = "", ticket: str = "", rev: int | None = None
) -> str:
    """Open a request for approval and give its id; what for follows from the upgrade's state.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `approval-not-needed`, `approval-open`).
    """
    with acting(actor, upgrade_id, "request-approval", rev) as row:
        purpose = Purpose.REVERT if row.state == State.REVERSIBLE.value else Purpose.SWITCH
        policy = policy_of_upgrade(row, purpose)
        if not needed_now(row, policy, timezone.now()):
            raise Conflict(
                message("The policy {name} asks for no approval yet.", name=policy.name)
                if policy.total
                else message("The policy {name} asks for no approval.", name=policy.name),
                code="approval-not-needed",
                remedy=message("Go ahead."),
            )
        return open_request(row, actor, policy, comment, ticket)


def open_request(row: Upgrade, actor: Actor, policy: Policy, comment: str = "", ticket: str = "") -> str:
    """Open a request on a locked upgrade and give its id.

    Raises: Conflict (`approval-open`).
    """
    purpose = policy.purpose
    _clear(row, purpose)
    now = timezone.now()
    step = "rollback" if purpose is Purpose.REVERT else "switch"
    asked = ApprovalRequest.objects.create(
        id=f"a{secrets.token_hex(5)}",
        upgrade=row,
        purpose=purpose.value,
        digest=digest_now(row, policy),
        policy=policy.as_json(),
        evidence=evidence_of(checks_of(row, step)),
        bound=bound_now(row, policy),
        asked_by=actor.person,
        comment=comment,
        ticket=ticket,
        created_at=now,
        deadline=now + timedelta(seconds=policy.expires_seconds),
    )
    after: JsonObject = {"approval": asked.id, "digest": asked.digest, "needed": policy.total}
    record(actor, "approval.request", target_of(row), "done", after=after, reason=comment)
    write(row, actor, TimelineEntry("approval-asked", _asks(actor, policy), {"approval": asked.id}))
    publish(
        "approvals",
        "approval",
        asked.id,
        full={"id": asked.id, "state": "OPEN"},
        rev=asked.rev,
        places=[(row.service, row.region)],
    )
    return str(asked.id)


def _asks(actor: Actor, policy: Policy) -> WordedMessage:
    values = {"who": actor.name, "groups": policy.groups}
    if policy.purpose is Purpose.REVERT:
        return counted(
            policy.total,
            "{who} asks {groups} for {count} approval to roll back.",
            "{who} asks {groups} for {count} approvals to roll back.",
            **values,
        )
    return counted(
        policy.total,
        "{who} asks {groups} for {count} approval to switch.",
        "{who} asks {groups} for {count} approvals to switch.",
        **values,
    )


def _clear(row: Upgrade, purpose: Purpose) -> None:
    """End what can come to nothing any more; refuse while a request is still good.

    Raises: Conflict (`approval-open`).
    """
    found = current_request(row, purpose)
    if found is None or found.closed_at is not None:
        return
    state = state_now(found, timezone.now())
    if state is not RequestState.EXPIRED:
        raise Conflict(
            message(
                "{asked_by} has requested approval already, by request {id}.",
                asked_by=found.asked_by,
                id=found.id,
            )
            + REQUEST_SENTENCES[state],
            code="approval-open",
            remedy=message("Vote on that one."),
            approval_id=found.id,
        )
    close_request(found, RequestState.EXPIRED, message("Its time ran out."))
