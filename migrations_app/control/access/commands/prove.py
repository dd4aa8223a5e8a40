"""Show again, in the middle of a session, that the person behind it is who signed in."""

from __future__ import annotations

from migrations_app.control.access.commands.set_second_factor import check_second_factor
from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, ActorKind, Target
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account


def prove(actor: Actor, password: str, code: str) -> None:
    """Check the password, and the second factor where one is set up.

    Raises: Denied (`needs-session`, `step-up-sso`, `step-up-wrong`, `totp-required`, `totp-wrong`).
    """
    if actor.kind is not ActorKind.USER or not actor.name:
        raise Denied(message("Only a signed-in person can confirm their identity."), code="needs-session")
    account = Account.objects.get(username=actor.name)
    if not account.has_usable_password():
        raise Denied(
            message("This account has no password here."),
            code="step-up-sso",
            remedy=message("Sign in again by single sign-on; that counts for five minutes."),
        )
    if not account.check_password(password):
        wrong = message("The password is wrong.")
        ledger.record(actor, "session.prove", Target("account", actor.name), "denied", reason=wrong)
        raise Denied(wrong, code="step-up-wrong")
    check_second_factor(account, code)
    ledger.record(actor, "session.prove", Target("account", actor.name), "done")
