"""Issue a token that acts for an account."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from migrations_app.control.access.repository.access import grants_of, new_secret, token_as_json
from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, Target, check_scopes, require
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.granting import TokenBounds, check_stands_above, inherited
from migrations_app.kernel.errors import Denied, Invalid, Missing, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
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
    scopes: tuple[str, ...] | None = None,
    networks: tuple[str, ...] = (),
    expires_at: datetime | None = None,
) -> IssuedToken:
    """Make a token; for another account only an account that manages access may.

    One that a token makes takes over the bounds of that one where none are named, and is never wider.
    Raises: Denied (`denied`, `more-than-held`, `token-of-another`, `step-up`), Missing (`account`),
    Invalid (`unknown-scope`, `scope`, `network`, `expiry`).
    """
    target = Target("account", account)
    require(actor, "token.own" if account == actor.name else "access.manage", target)
    _refuse_token_of_another(actor)
    # Otherwise an open browser becomes a token, which outlives the session.
    demand_proof(actor, timezone.now(), tokens=True)
    owner = Account.objects.filter(username=account, is_active=True).first()
    if owner is None:
        raise Missing(message("There is no account {account}.", account=repr(account)), code="account")
    if account != actor.name:
        check_stands_above(actor, grants_of(owner))
    held = _bounds_of(actor)
    wanted = TokenBounds(held.scopes if scopes is None else scopes, networks, expires_at)
    check_scopes(wanted.scopes)
    _check_networks(networks)
    if expires_at is not None and expires_at <= timezone.now():
        words = message("The end of the token is in the past.")
        raise Invalid(words, code="expiry", remedy=message("Choose a later end."))
    bounds = inherited(wanted, held)
    identity, secret, digest = new_secret()
    with transaction.atomic():
        row = Token.objects.create(
            id=identity,
            account=owner,
            name=name,
            digest=digest,
            scopes=list(bounds.scopes),
            networks=list(bounds.networks),
            created_by=actor.person,
            expires_at=bounds.expires_at,
        )
        shown = token_as_json(row)
        ledger.record(actor, "token.issue", target, "done", after=shown)
    return IssuedToken(shown, secret)


def _refuse_token_of_another(actor: Actor) -> None:
    """Refuse a token to a token that another account made: its owner would be unknown."""
    if actor.by_token_of_another:
        raise Denied(
            message(
                "{token_maker} made this token for {name}; it makes no tokens.",
                token_maker=actor.token_maker,
                name=actor.name,
            ),
            code="token-of-another",
            remedy=message(
                "{token_maker} makes the next one, or {name} does after signing in.",
                token_maker=actor.token_maker,
                name=actor.name,
            ),
            who_can=(actor.token_maker, actor.name),
        )


def _bounds_of(actor: Actor) -> TokenBounds:
    """Read what bounds the token that acts; a session is bound by nothing."""
    row = Token.objects.filter(pk=actor.token).first() if actor.token else None
    if row is None:
        return TokenBounds(actor.scopes or ("*",))
    return TokenBounds(tuple(row.scopes), tuple(row.networks), row.expires_at)


def _check_networks(networks: tuple[str, ...]) -> None:
    for network in networks:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError as error:
            words = message("{network} is no network.", network=repr(network))
            remedy = message("Write it as 10.0.0.0/8.")
            violation = Violation("networks", words, remedy, "invalid")
            raise Invalid(words, code="network", remedy=remedy, violations=(violation,)) from error
