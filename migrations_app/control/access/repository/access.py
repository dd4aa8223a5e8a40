"""Accounts, bindings and tokens as the values that decisions are made from."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from migrations_app.domain.access import PERMISSIONS, ROLES, Actor, ActorKind, Grant, counting
from migrations_app.domain.conditions import ALWAYS, conditions_from
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.json import JsonObject, digest
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.named_queries import named_queries
from migrations_app.kernel.one_reading import read_once
from migrations_app.models.access import Account, MadeRole, RoleBinding, Token

PREFIX = "swy_"
SQL = named_queries(Path(__file__).with_suffix(".sql"))


def environment() -> str:
    """Name the environment that this installation is."""
    return str(settings.SWITCHYARD.environment)


def grants_of(account: Account) -> tuple[Grant, ...]:
    """Give the roles bound to an account or to one of its groups, as long as they last, whenever they count."""
    asked = {"account": account.username, "groups": list(account.groups), "now": timezone.now()}
    # Every request asks this: to compose the query anew each time took longer than to carry it out.
    return grants_in(list(RoleBinding.objects.raw(SQL["bindings"], asked)))


def grants_in(rows: Sequence[RoleBinding]) -> tuple[Grant, ...]:
    """Give what bindings give."""
    made = permissions_of_made({row.role for row in rows} - set(ROLES))
    return tuple(
        Grant(
            role=row.role,
            service=row.service,
            region=row.region,
            environment=row.environment,
            through=f"group {row.subject}" if row.subject_kind == "group" else "",
            permissions=made.get(row.role, None if row.role in ROLES else ()),
            conditions=conditions_from(row.conditions),
        )
        for row in rows
    )


def stale_groups(account: Account, now: datetime) -> WordedMessage:
    """Say why roles through groups do not count any more: the provider may have taken them away meanwhile."""
    hours = int(settings.SWITCHYARD.groups_hours)
    if not account.groups or now - account.groups_read_at < timedelta(hours=hours):
        return NOTHING
    return message(
        "the identity provider named your groups more than {hours} hours ago; sign in again.", hours=hours
    )


def permissions_of_made(names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Read what roles that were made carry; asks for nothing when there are none."""
    if not names:
        return {}
    return {row.name: tuple(row.permissions) for row in MadeRole.objects.filter(name__in=names)}


@read_once
def made_roles() -> dict[str, tuple[str, ...]]:
    """Read all roles that were made, with what they carry."""
    return {row.name: tuple(row.permissions) for row in MadeRole.objects.all()}


def role_as_json(row: MadeRole) -> JsonObject:
    """Give a role that was made as the API shows it."""
    return {
        "role": row.name,
        "title": row.title,
        "made": True,
        "rev": row.rev,
        "permissions": [{"permission": each, "title": PERMISSIONS.get(each, "")} for each in row.permissions],
        "changed_by": row.changed_by,
        "changed_at": _iso(row.changed_at),
    }


def actor_of(
    account: Account,
    *,
    token: Token | None = None,
    address: str = "",
    request_id: str = "",
    at: datetime | None = None,
) -> Actor:
    """Make the actor that an account, or a token of it, acts as from an address, now or at another instant."""
    now = at or timezone.now()
    grants, withheld = counting(grants_of(account), now, address, environment())
    if stale := stale_groups(account, now):
        withheld = (*withheld, *((grant, stale) for grant in grants if grant.through))
        grants = tuple(grant for grant in grants if not grant.through)
    service = account.kind == "service"
    kind = ActorKind.TOKEN if token else ActorKind.SERVICE if service else ActorKind.USER
    return Actor(
        kind=kind,
        name=account.username,
        grants=grants,
        made=cache(made_roles),
        withheld=withheld,
        scopes=tuple(token.scopes) if token else None,
        email=account.email,
        token=token.id if token else "",
        token_maker=token.created_by if token else "",
        address=address,
        request_id=request_id,
        service_account=service,
    )


def lasting_actor_of(account: Account) -> Actor:
    """Make the actor that an account is by all that it holds here, at whatever hour and from wherever."""
    lasting = tuple(replace(grant, conditions=ALWAYS) for grant in grants_of(account))
    grants, _ = counting(lasting, timezone.now(), "", environment())
    return Actor(ActorKind.USER, account.username, grants, made=cache(made_roles))


def new_secret() -> tuple[str, str, str]:
    """Make a token's secret: its public id, the whole secret, and the digest to keep."""
    identity = secrets.token_hex(6)
    secret = f"{PREFIX}{identity}_{secrets.token_urlsafe(32)}"
    return identity, secret, digest_of(secret)


def digest_of(secret: str) -> str:
    """Digest a secret; it has 256 random bits, so that a plain hash cannot be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def token_refusal(token: Token, address: str, now: datetime) -> WordedMessage:
    """Say why a token may not act from this address now, or nothing."""
    if token.revoked_at is not None:
        return message("This token was revoked.")
    if token.expires_at is not None and token.expires_at <= now:
        expired_at = to_minute(token.expires_at)
        return message("This token expired at {expired_at}; make a new one.", expired_at=expired_at)
    if not token.account.is_active:
        return message("The account of this token is closed.")
    if token.networks and not _within(address, token.networks):
        if not address:
            return message("This token may not be used from an unknown address.")
        return message("This token may not be used from {address}.", address=address)
    return NOTHING


def _within(address: str, networks: list[str]) -> bool:
    try:
        at = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(at in ipaddress.ip_network(network, strict=False) for network in networks)


def account_as_json(account: Account) -> JsonObject:
    """Give an account as the API shows it."""
    return {
        "name": account.username,
        "email": account.email,
        "display_name": account.display_name,
        "kind": account.kind,
        "groups": list(account.groups),
        "active": account.is_active,
        "created_at": _iso(account.date_joined),
        "last_sign_in": _iso(account.last_login),
    }


def token_as_json(token: Token) -> JsonObject:
    """Give a token as the API shows it; never its secret."""
    return {
        "id": token.id,
        "account": token.account.username,
        "name": token.name,
        "scopes": list(token.scopes),
        "networks": list(token.networks),
        "created_by": token.created_by,
        "created_at": _iso(token.created_at),
        "expires_at": _iso(token.expires_at),
        "last_used_at": _iso(token.last_used_at),
        "last_used_from": token.last_used_from,
        "revoked_at": _iso(token.revoked_at),
    }


def binding_as_json(row: RoleBinding) -> JsonObject:
    """Give a role binding as the API shows it; `tag` names its content, for who changes it."""
    bounds = (row.service, row.region, row.environment, _iso(row.expires_at))
    conditions = conditions_from(row.conditions)
    # Bindings without conditions keep the tag they had before there were any.
    told = [
        row.pk,
        row.subject_kind,
        row.subject,
        row.role,
        *bounds,
        *([row.conditions] if row.conditions else []),
    ]
    return {
        "id": row.pk,
        "tag": digest(told)[:16],
        "subject_kind": row.subject_kind,
        "subject": row.subject,
        "role": row.role,
        "service": row.service,
        "region": row.region,
        "environment": row.environment,
        "expires_at": _iso(row.expires_at),
        "conditions": conditions.as_json(),
        "counts": str(conditions) or "always",
        "counts_now": not replace(conditions, networks=()).failing(timezone.now(), ""),
        "created_by": row.created_by,
        "created_at": _iso(row.created_at),
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z") if at else None
