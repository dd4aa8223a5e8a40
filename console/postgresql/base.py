"""The backend that `ENGINE` names: kept connections are checked by their socket instead of by a statement."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base

__all__ = ["DatabaseWrapper"]


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the control database.

    Django checks a kept connection by `SELECT 1` before each piece of work, which is a round trip for every slice of a
    worker. A server that restarts, fails over or ends the session sends a message or closes the socket, so a socket
    with nothing to read belongs to a session that lives, as far as either way could know: a peer that vanished without
    a packet would let the statement wait as well, until the keep-alive of TCP ends it.
    """

    def is_usable(self) -> bool:
        """Tell whether the session lives; only when its socket has something to read, the server is asked."""
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN | select.POLLRDHUP)
        return not waiting.poll(0) or bool(super().is_usable())
