"""Granting: an account grants only what it holds, and no wider than it holds it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_network

from migrations_app.domain.access import PERMISSIONS, ROLES, Actor, ActorKind, Grant, beyond, holds
from migrations_app.domain.methods.permissions import method_permission
from migrations_app.domain.reach import lies_within
from migrations_app.kernel.clock import to_minute
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.messages import message

_NAME = re.compile(r"[a-z][a-z0-9-]{1,19}")


def not_held(actor: Actor, wanted: Grant) -> tuple[str, ...]:
    """List the permissions of a grant that an actor does not hold in the whole of its scope."""
    if actor.kind is ActorKind.SYSTEM:
        return ()
    own = [grant for grant in actor.grants if _within(wanted, grant)]
    return tuple(
        name
        for name in PERMISSIONS
        if wanted.carries(name) and not (any(grant.carries(name) for grant in own) and holds(actor, name))
    )


def check_gives(actor: Actor, wanted: Grant) -> None:
    """Refuse to give more than the giver holds.

    Raises: Denied (`more-than-held`).
    """
    lacking = not_held(actor, wanted)
    if lacking:
        named, more = ", ".join(lacking[:3]), len(lacking) - 3
        raise Denied(
            message(
                "You cannot give what you do not hold there: {permissions} and {count} more.",
                permissions=named,
                count=more,
            )
            if more > 0
            else message("You cannot give what you do not hold there: {permissions}.", permissions=named),
            code="more-than-held",
            remedy=message("Leave it out, narrow where it counts, or ask an account that holds it."),
        )


def check_stands_above(actor: Actor, grants: Iterable[Grant]) -> None:
    """Refuse to hand out what acts for an account that may do more than the one that hands it out.

    Raises: Denied (`more-than-held`).
    """
    for grant in grants:
        lacking = not_held(actor, grant)
        if lacking:
            raise Denied(
                message("That account may do more than you: {lacking}.", lacking=", ".join(lacking[:3])),
                code="more-than-held",
                remedy=message("Ask an account that may do as much."),
            )


def check_role(role: str, made: Collection[str] = ()) -> str:
    """Return the role if there is one of this name, built in or made.

    Raises: Invalid (`unknown-role`).
    """
    if role not in ROLES and role not in made:
        known = ", ".join((*ROLES, *sorted(made)))
        raise Invalid(
            message("There is no role {role}.", role=repr(role)),
            code="unknown-role",
            remedy=message("Use one of {known}.", known=known),
        )
    return role


def check_made(name: str, permissions: Iterable[str]) -> tuple[str, ...]:
    """Return the permissions of a role to be made, in their order, each once.

    Raises: Invalid (`role-name`, `unknown-permission`, `role-empty`).
    """
    if not _NAME.fullmatch(name) or name in ROLES:
        raise Invalid(
            message("{name} is built in.", name=repr(name))
            if name in ROLES
            else message("{name} is no name of a role.", name=repr(name)),
            code="role-name",
            remedy=message("Use 2 to 20 small letters, digits and dashes."),
        )
    wanted = set(permissions)
    unknown = sorted(each for each in wanted if method_permission(each) not in PERMISSIONS)
    if unknown:
        raise Invalid(
            message("There is no permission {unknown}.", unknown=repr(unknown[0])),
            code="unknown-permission",
            remedy=message("Use some of {permissions}.", permissions=", ".join(PERMISSIONS)),
        )
    if not wanted:
        raise Invalid(
            message("A role has at least one permission."),
            code="role-empty",
            remedy=message("Choose a permission."),
        )
    single = sorted(wanted - PERMISSIONS.keys())
    return (*(each for each in PERMISSIONS if each in wanted), *single)


@dataclass(frozen=True, slots=True)
class TokenBounds:
    """What limits a token: its scopes, the networks it is used from (none: any), its end (none: never)."""

    scopes: tuple[str, ...] = ("*",)
    networks: tuple[str, ...] = ()
    expires_at: datetime | None = None


def inherited(wanted: TokenBounds, of: TokenBounds) -> TokenBounds:
    """Bound a token by the token that makes it: what is left open is taken over, what is wider is refused.

    Raises: Invalid (`scope`, `network`, `expiry`).
    """
    if beyond(wanted.scopes, of.scopes):
        raise Invalid(
            message("A token cannot make one with more scopes than its own."),
            code="scope",
            remedy=message("Narrow the scopes."),
        )
    outside = [each for each in wanted.networks if of.networks and not _is_subnet(each, of.networks)]
    if outside:
        raise Invalid(
            message(
                "A token cannot make one for networks that it may not be used from: {outside}.",
                outside=", ".join(outside),
            ),
            code="network",
            remedy=message(
                "Stay within {networks}, or make the token in the console.", networks=", ".join(of.networks)
            ),
        )
    if of.expires_at and wanted.expires_at and wanted.expires_at > of.expires_at:
        raise Invalid(
            message("A token cannot make one that lasts longer than itself."),
            code="expiry",
            remedy=message(
                "End it at {expires_at} or before, or make the token in the console.",
                expires_at=to_minute(of.expires_at),
            ),
        )
    return TokenBounds(wanted.scopes, wanted.networks or of.networks, wanted.expires_at or of.expires_at)


def _is_subnet(network: str, wider: Sequence[str]) -> bool:
    inner = ip_network(network, strict=False)
    return any(_covers(ip_network(each, strict=False), inner) for each in wider)


def _covers(outer: IPv4Network | IPv6Network, inner: IPv4Network | IPv6Network) -> bool:
    if isinstance(outer, IPv4Network):
        return isinstance(inner, IPv4Network) and inner.subnet_of(outer)
    return isinstance(inner, IPv6Network) and inner.subnet_of(outer)


def _within(one: Grant, of: Grant) -> bool:
    pairs = ((one.service, of.service), (one.region, of.region), (one.environment, of.environment))
    return all(lies_within(glob, wider) for glob, wider in pairs) and one.conditions.within(of.conditions)
