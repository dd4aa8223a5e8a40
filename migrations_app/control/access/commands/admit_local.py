"""Admit a person with a local account, as the installation allows it: freely, in an emergency, or not at all."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import Actor, Target, decide
from migrations_app.domain.approvals.breakglass import SHORTEST_REASON
from migrations_app.kernel.errors import Denied, Invalid, Violation
from migrations_app.kernel.messages import NOTHING, message

FREELY, EMERGENCY = "on", "emergency"


def admit_local(actor: Actor, mode: str, reason: str) -> bool:
    """Admit a person that has shown name and password; tell whether the sign-in was by break-glass.

    With a `reason` it is an emergency: only those who manage access may, and everybody who watches is told.
    Raises: Denied (`sign-in-local`), Invalid (`break-glass`).
    """
    said = reason.strip()
    if not said and mode == FREELY:
        return False
    if mode not in (FREELY, EMERGENCY):
        raise Denied(
            message("Local accounts cannot sign in here."),
            code="sign-in-local",
            remedy=message("Use single sign-on."),
        )
    if not decide(actor, "access.manage").allowed:
        raise Denied(
            message("Only an admin may sign in by break-glass."),
            code="sign-in-local",
            remedy=message("Use single sign-on, or ask an admin."),
            who_can=("role admin",),
        )
    if len(said) < SHORTEST_REASON:
        words = message("Say in {least} characters or more why.", least=SHORTEST_REASON)
        raise Invalid(words, code="break-glass", violations=(Violation("reason", words, NOTHING, "short"),))
    with transaction.atomic():
        ledger.record(actor, "session.break_glass", Target("account", actor.name), "done", reason=said)
        told = {"id": actor.name, "who": actor.name, "purpose": "sign-in", "reason": said}
        outbox.publish("approvals", "emergency", f"sign-in:{actor.name}", full={**told})
    return True
