"""Change a password: one's own by showing the old one, another's as an account that manages access."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.commands.create_account import check_password_strength
from migrations_app.control.access.commands.keep_sessions import end_every_session
from migrations_app.control.access.commands.revoke_token import revoke_token
from migrations_app.control.access.repository.access import grants_of
from migrations_app.control.access.repository.account_changes import note_change
from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import Actor, ActorKind, Target, require
from migrations_app.domain.approvals.account_control import RESET, ChangeKind
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.granting import check_stands_above
from migrations_app.kernel.errors import Conflict, Denied, Missing
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account


def change_own_password(actor: Actor, current: str, new: str) -> Account:
    """Change one's own password; every other session of the account ends.

    Raises: Denied (`needs-session`, `sign-in`), Invalid (`password`).
    """
    if actor.kind is not ActorKind.USER or not actor.name:
        raise Denied(message("Only a signed-in person changes their password."), code="needs-session")
    account = Account.objects.get(username=actor.name)
    if not account.check_password(current):
        raise Denied(message("The current password is wrong."), code="sign-in")
    return _set(actor, account, new)


def set_password(actor: Actor, name: str, new: str) -> None:
    """Set another account's password; its sessions end, and the tokens that it made for itself are revoked.

    Raises: Denied (`denied`, `more-than-held`, `step-up`, `step-up-token`), Missing (`account`), Invalid (`password`),
    Conflict (`own-account`).
    """
    require(actor, "access.manage", Target("account", name))
    if name == actor.name:
        raise Conflict(
            message("You cannot set your own password like this."),
            code="own-account",
            remedy=message("Change it under Your account, with the current password."),
        )
    # Otherwise a stolen token or an open browser becomes a password, which outlives both.
    demand_proof(actor, timezone.now())
    account = Account.objects.filter(username=name, kind="user").first()
    if account is None:
        raise Missing(message("There is no person's account {name}.", name=repr(name)), code="account")
    check_stands_above(actor, grants_of(account))
    _set(actor, account, new, detail=RESET)
    end_every_session(account)


def _set(actor: Actor, account: Account, new: str, detail: str = "") -> Account:
    check_password_strength(account, new)
    # Hashed before anything is locked: it may have to wait for its turn.
    account.set_password(new)
    with transaction.atomic():
        account.save(update_fields=["password"])
        if detail == RESET:
            _revoke_own_tokens(actor, account)
        note_change(actor, ChangeKind.PASSWORD, account.username, detail=detail)
        ledger.record(actor, "session.password", Target("account", account.username), "done")
        outbox.publish("access", "binding", f"account:{account.username}", patch={})
    return account


def _revoke_own_tokens(actor: Actor, account: Account) -> None:
    """Revoke what the account made for itself: another person who knew its password may have made it."""
    own = account.tokens.filter(revoked_at=None, created_by=account.username)
    for token in own.values_list("pk", flat=True):
        revoke_token(actor, token)
