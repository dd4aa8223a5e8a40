"""Issue a token that acts for an account."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters import ledger
from migrations_app.adapters.repositories.access import grants_of, new_secret, token_as_json
from migrations_app.domain.access import Actor, Target, beyond, check_scopes, require
from migrations_app.domain.granting import check_stands_above
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.models.access import Account, Token


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token and its secret, which is shown this once."""

    token: JsonObject
    secret: str


def issue_token(
    actor: Actor,
    account: str,
    name: str,
    *,
    scopes: tuple[str, ...] = ("*",),
    networks: tuple[str, ...] = (),
    expires_at: datetime | None = None,
) -> IssuedToken:
    """Make a token; for another account only whoever manages access may.

    Raises: Denied (`denied`, `more-than-held`), Missing (`account`), Invalid (`unknown-scope`, `network`, `expiry`).
    """
    target = Target("account", account)
    require(actor, "token.own" if account == actor.name else "access.manage", target)
    owner = Account.objects.filter(username=account, is_active=True).first()
    if owner is None:
        raise Missing(f"There is no account {account!r}.", code="account")
    if account != actor.name:
        check_stands_above(actor, grants_of(owner))
    check_scopes(scopes)
    _check_networks(networks)
    if expires_at is not None and expires_at <= timezone.now():
        raise Invalid("The token would already have expired.", code="expiry", remedy="Choose a later end.")
    if beyond(scopes, actor.scopes):
        raise Invalid(
            "A token cannot make one with more scopes than its own.",
            code="scope",
            remedy="Narrow the scopes.",
        )
    identity, secret, digest = new_secret()
    with transaction.atomic():
        row = Token.objects.create(
            id=identity,
            account=owner,
            name=name,
            digest=digest,
            scopes=list(scopes),
            networks=list(networks),
            created_by=actor.name,
            expires_at=expires_at,
        )
        shown = token_as_json(row)
        ledger.record(actor, "token.issue", target, "done", after=shown)
    return IssuedToken(shown, secret)


def _check_networks(networks: tuple[str, ...]) -> None:
    for network in networks:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError as error:
            raise Invalid(
                f"{network!r} is no network.", code="network", remedy="Write it as 10.0.0.0/8."
            ) from error
