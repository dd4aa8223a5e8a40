"""Remember which browsers an account is signed in with, and sign one of them out, or all."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.db import transaction

from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import Actor, ActorKind, Target, require
from migrations_app.kernel.errors import Denied, Missing
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account, SignIn


def remember_session(actor: Actor, session_key: str | None, agent: str, how: str = "password") -> None:
    """Note the browser that was just signed in."""
    account = Account.objects.filter(username=actor.name).first()
    if account is not None and session_key:
        kept = {"account": account, "address": actor.address, "agent": agent[:300], "how": how}
        SignIn.objects.update_or_create(session_key=session_key, defaults=kept)


def renew_session(actor: Actor, before: str | None, session_key: str | None) -> None:
    """Follow a session to its new key, which it gets with a new password; every other one of the account ends."""
    others = SignIn.objects.filter(account__username=actor.name)
    others.filter(session_key=before or "").update(session_key=session_key or "")
    others.exclude(session_key=session_key or "").delete()


def end_session(actor: Actor, id: int) -> None:
    """Sign a browser out, at once and also in its open pages: one's own, or another's for who manages access.

    Raises: Denied, Missing (`session-missing`).
    """
    if not actor.name or actor.kind is ActorKind.TOKEN:
        raise Denied(message("Only a signed-in person ends sessions."), code="needs-session")
    row = SignIn.objects.select_related("account").filter(pk=id).first()
    if row is None or row.account.username != actor.name:
        require(actor, "access.manage", Target("account", row.account.username if row else ""))
    if row is None:
        raise Missing(message("There is no session {id}; it may have ended.", id=id), code="session-missing")
    name = row.account.username
    with transaction.atomic():
        _sign_out(row.session_key)
        ledger.record(
            actor,
            "session.end",
            Target("account", name),
            "done",
            before={"agent": row.agent, "from": row.address},
        )
        outbox.publish("access", "binding", f"account:{name}", patch={})
        row.delete()


def end_every_session(account: Account) -> None:
    """Sign an account out of every browser, at once and also in its open pages; within the caller's transaction."""
    rows = SignIn.objects.filter(account=account)
    for row in rows:
        _sign_out(row.session_key)
    rows.delete()
    outbox.publish("access", "binding", f"account:{account.username}", patch={})


def _sign_out(session_key: str) -> None:
    import_module(settings.SESSION_ENGINE).SessionStore(session_key).delete()
