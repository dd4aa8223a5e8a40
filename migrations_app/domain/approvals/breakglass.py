"""Break-glass: going on without the votes, at a price that is written down."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.approvals.policy import Policy
from migrations_app.kernel.errors import Denied, Invalid, Violation
from migrations_app.kernel.messages import NOTHING, message

SHORTEST_REASON = 20


@dataclass(frozen=True, slots=True)
class BreakGlassReason:
    """Why a person goes on without the votes."""

    who: str
    groups: frozenset[str]
    reason: str
    ticket: str
    unreviewed: tuple[str, ...] = ()


def admit(policy: Policy, emergency: BreakGlassReason) -> None:
    """Let an emergency pass.

    Raises: Denied (`break-glass-denied`, `break-glass-review`) for who may not or still owes the review
    of an earlier one; Invalid (`break-glass`) when reason or ticket is missing.
    """
    if policy.break_glass_group not in emergency.groups:
        raise Denied(
            message(
                "Only people with the role or group {break_glass_group} may override approval by break-glass.",
                break_glass_group=policy.break_glass_group,
            ),
            code="break-glass-denied",
            remedy=message("Ask one of them."),
            who_can=(f"people with the role or group {policy.break_glass_group}",),
        )
    if emergency.unreviewed:
        raise Denied(
            message(
                "Your last emergency override ({unreviewed}) was not reviewed yet.",
                unreviewed=emergency.unreviewed[0],
            ),
            code="break-glass-review",
            remedy=message("Have it reviewed by another person first."),
            who_can=(f"people with the role or group {policy.break_glass_group}, except {emergency.who}",),
        )
    wrong = []
    if len(emergency.reason.strip()) < SHORTEST_REASON:
        wrong.append(
            Violation(
                "reason",
                message("Say in {least} characters or more why.", least=SHORTEST_REASON),
                NOTHING,
                "short",
            )
        )
    if not emergency.ticket.strip():
        wrong.append(Violation("ticket", message("Name the ticket."), NOTHING, "blank"))
    if wrong:
        raise Invalid(wrong[0].words, code="break-glass", violations=tuple(wrong))
