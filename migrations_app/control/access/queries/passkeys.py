"""The passkeys of an account, and where passkeys work."""

from __future__ import annotations

from migrations_app.control.access.passkeys import passkey_as_json, passkey_host, passkeys_of
from migrations_app.domain.access import Actor
from migrations_app.kernel.json import JsonObject
from migrations_app.models.access import Account


def passkeys(actor: Actor) -> list[JsonObject]:
    """List one's own passkeys, the oldest first."""
    account = Account.objects.filter(username=actor.name).first()
    return [passkey_as_json(row) for row in passkeys_of(account)] if account else []


def where_passkeys_work() -> str:
    """Give the host name under which a browser makes and shows passkeys; empty where it cannot."""
    return passkey_host()
