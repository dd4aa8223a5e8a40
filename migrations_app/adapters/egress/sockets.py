"""Sockets to admitted addresses, with one deadline for everything: the name, the connection, TLS, and each byte."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_network
from threading import BoundedSemaphore, Thread
from typing import Any

import certifi
from django.conf import settings

from migrations_app.domain.destinations import Address, Destinations, Network, origin_of, parse_address
from migrations_app.ports.processes.outbound import AddressRefused, Deadline

LOOKUPS_AT_ONCE = 32
_LOOKUPS = BoundedSemaphore(LOOKUPS_AT_ONCE)

Found = tuple[socket.AddressFamily, Address, Any]
"""A family, the address, and the same as `socket.connect` takes it."""


class TimedSocket(socket.socket):
    """A socket whose waits end with its deadline."""

    deadline: Deadline

    def recv_into(self, *args: Any, **options: Any) -> int:
        """Receive before the deadline."""
        self.settimeout(self.deadline.wait_seconds())
        return super().recv_into(*args, **options)

    def sendall(self, *args: Any, **options: Any) -> None:
        """Send everything before the deadline."""
        self.settimeout(self.deadline.wait_seconds())
        super().sendall(*args, **options)


class TimedTLSSocket(ssl.SSLSocket):
    """The same under TLS."""

    deadline: Deadline

    def read(self, *args: Any, **options: Any) -> Any:
        """Receive before the deadline."""
        self.settimeout(self.deadline.wait_seconds())
        return super().read(*args, **options)

    def send(self, *args: Any, **options: Any) -> int:
        """Send a part before the deadline."""
        self.settimeout(self.deadline.wait_seconds())
        return super().send(*args, **options)


def open_socket(host: str, port: int, destinations: Destinations, deadline: Deadline) -> TimedSocket:
    """Resolve a name once and connect to an address that was resolved and may be connected to.

    Raises: AddressRefused · OSError when nothing answers there before the deadline.
    """
    admitted = [each for each in resolve(host, port, deadline) if destinations.admit(host, port, each[1])]
    if not admitted:
        raise AddressRefused
    error: OSError = OSError("no address")
    for number, (family, _, address) in enumerate(admitted):
        try:
            return _connect(family, address, deadline, share=len(admitted) - number)
        except OSError as raised:
            error = raised
    raise error


def resolve(host: str, port: int, deadline: Deadline) -> list[Found]:
    """Look a name up, in a thread that is left alone when it takes too long: the system's resolver knows no deadline.

    Raises: OSError when the name is not known, or not in time.
    """
    found: list[Any] = []
    if not _LOOKUPS.acquire(timeout=deadline.wait_seconds()):
        raise TimeoutError("the resolver is busy")
    thread = Thread(target=_look_up, args=(host, port, found), name="resolver", daemon=True)
    thread.start()
    thread.join(deadline.wait_seconds())
    if not found:
        raise OSError("the name is not known")
    return [
        (family, parse_address(address[0]), address)
        for family, _, _, _, address in found[0]
        if family in (socket.AF_INET, socket.AF_INET6)
    ]


def tls_context(deadline: Deadline | None = None) -> ssl.SSLContext:
    """Give what verifies certificates and host names; with a deadline, for sockets that keep it."""
    if deadline is None:
        return _shared_context()
    context = _new_context()
    context.sslsocket_class = type("TLSSocket", (TimedTLSSocket,), {"deadline": deadline})
    return context


def _look_up(host: str, port: int, found: list[Any]) -> None:
    try:
        found.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except (OSError, ValueError):
        return
    finally:
        _LOOKUPS.release()


def _connect(family: socket.AddressFamily, address: Any, deadline: Deadline, *, share: int) -> TimedSocket:
    opened = TimedSocket(family, socket.SOCK_STREAM)
    try:
        opened.deadline = deadline
        opened.settimeout(deadline.wait_seconds() / share)
        opened.connect(address)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        opened.close()
        raise
    return opened


@lru_cache(maxsize=1)
def _shared_context() -> ssl.SSLContext:
    return _new_context()


def _new_context() -> ssl.SSLContext:
    # The system's authorities (SSL_CERT_FILE counts), and the usual ones where an image has none.
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def public_destinations() -> Destinations:
    """Give the addresses for hosts that users of the console type in: public ones and the listed networks."""
    return Destinations(_networks(settings.SWITCHYARD.egress_networks))


def named_destinations(urls: Iterable[str]) -> Destinations:
    """Give the addresses for hosts that settings name: these hosts may be in private networks as well."""
    return Destinations(
        _networks(settings.SWITCHYARD.egress_networks), frozenset(origin_of(url) for url in urls)
    )


@lru_cache
def _networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ip_network(text) for text in texts)
