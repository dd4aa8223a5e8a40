"""Change a password: one's own by showing the old one, another's as whoever manages access."""

from __future__ import annotations

from django.db import transaction

from migrations_app.actions.create_account import check_password_strength
from migrations_app.adapters import ledger, outbox
from migrations_app.adapters.repositories.access import grants_of
from migrations_app.domain.access import Actor, ActorKind, Target, require
from migrations_app.domain.granting import check_stands_above
from migrations_app.kernel.errors import Denied, Missing
from migrations_app.models.access import Account


def change_own_password(actor: Actor, current: str, new: str) -> Account:
    """Change one's own password; every other session of the account ends.

    Raises: Denied (`needs-session`, `sign-in`), Invalid (`password`).
    """
    if actor.kind is not ActorKind.USER or not actor.name:
        raise Denied("Only a signed-in person changes their password.", code="needs-session")
    account = Account.objects.get(username=actor.name)
    if not account.check_password(current):
        raise Denied("The current password is wrong.", code="sign-in")
    return _set(actor, account, new)


def set_password(actor: Actor, name: str, new: str) -> None:
    """Set another account's password; all its sessions end.

    Raises: Denied (`denied`, `more-than-held`), Missing (`account`), Invalid (`password`).
    """
    require(actor, "access.manage", Target("account", name))
    account = Account.objects.filter(username=name, kind="user").first()
    if account is None:
        raise Missing(f"There is no person's account {name!r}.", code="account")
    check_stands_above(actor, grants_of(account))
    _set(actor, account, new)


def _set(actor: Actor, account: Account, new: str) -> Account:
    check_password_strength(account, new)
    with transaction.atomic():
        account.set_password(new)
        account.save(update_fields=["password"])
        ledger.record(actor, "session.password", Target("account", account.username), "done")
        outbox.publish("access", "binding", f"account:{account.username}", patch={})
    return account
