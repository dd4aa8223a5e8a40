"""Which addresses may be connected to: public ones, listed networks, and hosts that the operator names."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Origin = tuple[str, int]

NAT64 = IPv6Network("64:ff9b::/96")
_NAMED = tuple(
    ip_network(network)
    for network in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7",
    )
)  # fmt: skip
"""Networks that are not public, in which a host named by a setting may be."""
_METADATA = tuple(
    ip_network(network) for network in ("100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::254/128")
)
"""Where clouds answer with credentials outside the link-local networks."""
_NEVER_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "192.88.99.0/24",  # anycast of 6to4 relays
        "64:ff9b:1::/48",  # NAT64 of local use: the address behind it is a private one
        "2001::/32",  # Teredo holds the address of its client
        "2002::/16",  # 6to4 holds an IPv4 address
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fec0::/10",  # site-local
    )
)
_ISATAP = (0x00005EFE, 0x02005EFE)


@dataclass(frozen=True, slots=True)
class Destinations:
    """The addresses one kind of outbound call may use.

    Shape: `networks` come from SWITCHYARD_EGRESS_NETWORKS; `origins` are (host, port) pairs named by other settings.
    """

    networks: tuple[Network, ...] = ()
    origins: frozenset[Origin] = frozenset()

    def admit(self, host: str, port: int, address: Address) -> bool:
        """Tell whether a host may be reached at the address that its name was resolved to."""
        real = carried(address)
        if is_public(real) or any(real in network or address in network for network in self.networks):
            return True
        return (
            (host.lower(), port) in self.origins
            and any(real in network for network in _NAMED)
            and not any(real in network for network in _METADATA)
        )


def origin_of(url: str) -> Origin:
    """Read the host and port of an address."""
    parts = urlsplit(url)
    default = {"http": 80, "https": 443, "smtp": 25, "smtps": 465, "grpc": 80, "grpcs": 443}.get(
        parts.scheme, 0
    )
    return (parts.hostname or "").lower(), parts.port or default


def carried(address: Address) -> Address:
    """Give the IPv4 address that an IPv6 one stands for where packets end there; else the address itself."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_public(address: Address) -> bool:
    """Tell whether an address belongs to the public internet and to nothing else."""
    special = (
        address.is_multicast
        or address.is_reserved
        or address.is_unspecified
        or address.is_loopback
        or address.is_link_local
        or address.is_private
    )
    if special or not address.is_global:
        return False
    if isinstance(address, IPv6Address) and (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return False
    return not any(address in network for network in (*_NEVER_PUBLIC, *_METADATA))


def parse_address(text: str) -> Address:
    """Read an address as the resolver writes it, without the name of an interface."""
    return ip_address(text.partition("%")[0])
