"""The statements that processes send to PostgreSQL through a proxy, by the connection they are sent on."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from tests.proxy import Proxy

_NEGOTIATIONS = {80877103, 80877104}
"""The codes with which a client asks for TLS or GSSAPI before its startup message."""


@dataclass
class Connection:
    """What one client has sent: its startup message, and the text of every statement."""

    startup: bytes = b""
    statements: list[str] = field(default_factory=list)
    _rest: bytes = b""

    def hear(self, data: bytes) -> None:
        """Take in bytes of the protocol's client side."""
        self._rest += data
        while (message := self._next()) is not None:
            kind, body = message
            if kind == b"Q":
                self.statements.append(body.rstrip(b"\0").decode())
            elif kind == b"P":
                self.statements.append(body.split(b"\0")[1].decode())
            elif kind == b"B" and (prepared := body.split(b"\0")[1]):
                self.statements.append(f"prepared {prepared.decode()}")

    def _next(self) -> tuple[bytes, bytes] | None:
        """Take the next whole message; one without a kind begins the connection."""
        head = 0 if not self.startup else 1
        if len(self._rest) < head + 4:
            return None
        (length,) = struct.unpack("!I", self._rest[head : head + 4])
        if len(self._rest) < head + length:
            return None
        kind, body = self._rest[:head], self._rest[head + 4 : head + length]
        self._rest = self._rest[head + length :]
        if not head and struct.unpack("!I", body[:4])[0] not in _NEGOTIATIONS:
            self.startup = body
        return kind, body


class PostgresProxy(Proxy):
    """A proxy before PostgreSQL that keeps what it forwards; connections are not encrypted."""

    def __init__(self, url: str, socket_path: str = "") -> None:
        self.heard: dict[int, Connection] = {}
        super().__init__(url, socket_path)

    def hear(self, connection: int, data: bytes) -> None:
        """Note what a client sent."""
        self.heard.setdefault(connection, Connection()).hear(data)
