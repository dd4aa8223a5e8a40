"""The port of the web process: chosen once and held by the supervisor, so that no other process takes it meanwhile."""

from __future__ import annotations

import errno
import socket

from console.embedded.failure import CannotStart

FIRST_PORT = 8000
TRIED_PORTS = 200
WAITING_CONNECTIONS = 2048


def hold_port(wanted: int, bind: str) -> socket.socket:
    """Listen on the port that was asked for, or on the first free one from 8000.

    The web process serves what arrives here. Two starts at once cannot choose the same port, and while the
    web process is started again, connections wait instead of being refused.

    Raises: CannotStart when the port asked for is taken, or the address is none of this machine.
    """
    if wanted:
        held = _listen(wanted, bind)
        if held is None:
            raise CannotStart(
                f"Port {wanted} is taken by another program. Stop that one, or choose another SWITCHYARD_PORT."
            )
        return held
    for port in range(FIRST_PORT, FIRST_PORT + TRIED_PORTS):
        if (held := _listen(port, bind)) is not None:
            return held
    last = FIRST_PORT + TRIED_PORTS - 1
    raise CannotStart(f"No port from {FIRST_PORT} to {last} is free. Set SWITCHYARD_PORT.")


def free_port(wanted: int, bind: str, after: int) -> int:
    """Choose the port of a server that opens its socket itself: the one asked for, or the first free one after another.

    Raises: CannotStart when the port asked for is taken, or none is free.
    """
    for port in [wanted] if wanted else range(after + 1, after + 1 + TRIED_PORTS):
        if (held := _listen(port, bind)) is not None:
            held.close()
            return port
    if wanted:
        raise CannotStart(
            f"Port {wanted} is taken by another program. Stop that one, or choose another SWITCHYARD_GRPC_PORT."
        )
    raise CannotStart(f"No port from {after + 1} to {after + TRIED_PORTS} is free. Set SWITCHYARD_GRPC_PORT.")


def _listen(port: int, bind: str) -> socket.socket | None:
    """Listen on one port; nothing when it is taken."""
    held: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        held = socket.socket(family, kind, protocol)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(address)
        held.listen(WAITING_CONNECTIONS)
    except OSError as error:
        if held is not None:
            held.close()
        if error.errno == errno.EADDRINUSE:
            return None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise CannotStart(
                f"You may not listen on port {port}. Choose a SWITCHYARD_PORT of 1024 or more."
            ) from None
        raise CannotStart(
            f"SWITCHYARD_BIND={bind!r} is no address of this machine ({error.strerror}). Leave it out, or "
            "give 127.0.0.1 or 0.0.0.0."
        ) from None
    return held
