"""Who sent a request, as authentication found it, and from where."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from rest_framework.request import Request

from migrations_app.domain.access import ANONYMOUS, Actor

IPV6_PREFIX = 64


def actor_of_request(request: Request) -> Actor:
    """Give who asks, or an empty actor."""
    return request.auth if isinstance(request.auth, Actor) else ANONYMOUS


def address_of(request: Request) -> str:
    """Give the caller's address; behind a proxy the server has already put the forwarded one here."""
    return str(request.META.get("REMOTE_ADDR") or "")


def request_id_of(request: Request) -> str:
    """Give the request's id."""
    return str(getattr(request._request, "request_id", ""))


def network_of(address: str) -> str:
    """Give what counts as one address: a single one of IPv4, and the network that one subscriber has of IPv6."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed.packed, IPV6_PREFIX), strict=False))
