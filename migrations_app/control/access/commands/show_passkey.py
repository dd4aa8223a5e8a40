"""Come in by a passkey, or show with one, in the middle of a session, that the person is still there."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.access.commands.set_second_factor import own_account
from migrations_app.control.access.passkeys import account_of_answer, check_answer
from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, Target
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account


def account_by_passkey(kept: JsonObject, answer: JsonObject) -> Account:
    """Find the open, local account whose passkey was shown.

    Raises: Denied (`passkey-expired`, `passkey-wrong`, `sign-in-closed`, `sign-in-sso`).
    """
    with transaction.atomic():
        account, _ = account_of_answer(kept, answer)
        if not account.is_active or account.kind != "user":
            raise Denied(
                message("This account is closed."),
                code="sign-in-closed",
                remedy=message("Ask an admin."),
                account=account.username,
            )
        if not account.has_usable_password():
            # An account that the provider closed must not sign in past it.
            raise Denied(
                message("This account signs in by single sign-on; its passkey is for critical decisions."),
                code="sign-in-sso",
                remedy=message("Use single sign-on."),
                account=account.username,
            )
    return account


def prove_by_passkey(actor: Actor, kept: JsonObject, answer: JsonObject) -> None:
    """Check that a passkey of the very person was shown, just now and in this session.

    Raises: Denied (`needs-session`, `passkey-expired`, `passkey-wrong`).
    """
    account = own_account(actor)
    target = Target("account", actor.name)
    try:
        with transaction.atomic():
            row = check_answer(account, kept, answer)
    except Denied as refused:
        ledger.record(actor, "session.prove", target, "denied", reason=refused.words)
        raise
    ledger.record(
        actor,
        "session.prove",
        target,
        "done",
        reason=message("by passkey {passkey}", passkey=str(row.data["name"])),
    )
