"""Go on without the votes in an emergency, and have it reviewed by another person afterwards."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import authors_of, policy_of_upgrade
from migrations_app.control.approval_policies.repository.electors import (
    groups_of,
    refuse_borrowed,
    refuse_dependent,
)
from migrations_app.control.audit.ledger import record
from migrations_app.control.events.outbox import publish
from migrations_app.control.upgrade_state.repository.moves import write
from migrations_app.control.upgrade_state.repository.upgrade_rows import expect_rev, locked, target_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals import breakglass
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.switch.states import STATE_SENTENCES, State
from migrations_app.kernel.errors import Conflict, Denied, Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.approvals import Emergency
from migrations_app.ports.upgrades import TimelineEntry


def _not_in_state(state: str) -> Conflict:
    return Conflict(
        STATE_SENTENCES[State(state)]
        + message("Break-glass works only while it is ready to switch, or to roll back."),
        code="upgrade-state",
    )


def break_glass(actor: Actor, upgrade_id: str, reason: str, ticket: str, rev: int | None = None) -> str:
    """Let an upgrade go on without its votes, once; the other guards stay.

    Raises: Missing, Denied (`denied`, `break-glass-*`, `step-up`, `same-person`, `token-of-another`), Invalid (`break-glass`), Conflict (`upgrade-state`),
    Stale (`upgrade-changed`).
    """
    with transaction.atomic():
        row = locked(upgrade_id)
        expect_rev(row, rev)
        forward = row.state == State.READY.value
        if not forward and row.state != State.REVERSIBLE.value:
            raise _not_in_state(row.state)
        purpose = Purpose.SWITCH if forward else Purpose.REVERT
        require(actor, "upgrade.switch" if forward else "upgrade.rollback", target_of(row))
        policy = policy_of_upgrade(row, purpose)
        demand_proof(actor, timezone.now(), tokens=not policy.critical)
        remedy = message("Break-glass in their name is for another person.")
        refuse_borrowed(actor, authors_of(row), row.created_at, remedy)
        breakglass.admit(policy, _emergency(actor, reason, ticket))
        kept = Emergency.objects.create(
            id=f"e{secrets.token_hex(5)}",
            upgrade=row,
            purpose=purpose.value,
            who=actor.person,
            reason=reason.strip(),
            ticket=ticket.strip(),
            at=timezone.now(),
        )
        after: JsonObject = {"emergency": kept.id, "purpose": purpose.value, "ticket": ticket}
        record(actor, "approval.break-glass", target_of(row), "done", after=after, reason=reason)
        values = {"who": actor.person, "ticket": ticket, "reason": reason}
        words = (
            message("{who} overrode approval (break-glass) to switch ({ticket}): {reason}", **values)
            if forward
            else message("{who} overrode approval (break-glass) to roll back ({ticket}): {reason}", **values)
        )
        write(row, actor, TimelineEntry("break-glass", words, {"emergency": kept.id}))
        full: JsonObject = {
            "id": kept.id,
            "who": kept.who,
            "upgrade_id": row.id,
            "purpose": kept.purpose,
            "reason": kept.reason,
            "ticket": kept.ticket,
        }
        publish("approvals", "emergency", kept.id, full=full, places=[(row.service, row.region)])
    return kept.id


def review_emergency(actor: Actor, emergency_id: str, review: str) -> str:
    """Close the review of an emergency; its maker cannot.

    Raises: Missing, Denied (`denied`, `same-person`), Invalid (`review-empty`), Conflict (`reviewed-already`).
    """
    with transaction.atomic():
        kept = Emergency.objects.select_for_update().filter(pk=emergency_id).first()
        if kept is None:
            raise Missing(
                message("There is no emergency {emergency_id}.", emergency_id=emergency_id),
                code="emergency-missing",
            )
        target = target_of(kept.upgrade)
        require(actor, "approval.vote", target)
        if actor.person.lower() == kept.who.lower():
            raise Denied(
                message("The account that overrode approval by break-glass cannot review it."),
                who_can=("another person",),
            )
        if kept.reviewed_at is not None:
            raise Conflict(
                message("{reviewed_by} has reviewed it.", reviewed_by=kept.reviewed_by),
                code="reviewed-already",
            )
        refuse_dependent(
            actor, ((kept.who, kept.at),), kept.at, message("Another person reviews an emergency.")
        )
        if not review.strip():
            raise Invalid(
                message("The review is empty."),
                code="review-empty",
                remedy=message("Describe what you found."),
            )
        kept.reviewed_by, kept.reviewed_at, kept.review = actor.name, timezone.now(), review.strip()
        kept.save()
        record(actor, "approval.review", target, "done", after={"emergency": kept.id}, reason=review)
    return emergency_id


def _emergency(actor: Actor, reason: str, ticket: str) -> breakglass.BreakGlassReason:
    owed = Emergency.objects.filter(who=actor.person, reviewed_at__isnull=True).values_list(
        "ticket", flat=True
    )
    return breakglass.BreakGlassReason(actor.person, groups_of(actor), reason, ticket, tuple(owed))
