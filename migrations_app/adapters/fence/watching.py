"""Who has frozen a fence is watched over: the database notices at once when its process is gone.

A process holds a lock of its session for each epoch that it froze. PostgreSQL drops it with the connection, so a
process that meets the freeze can tell in one question that no process is left to end it, long before its deadline.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from pathlib import Path
from threading import Lock

import psycopg

from migrations_app.adapters.databases import Connection, Databases, Statements
from migrations_app.ports.fence import FenceLocation, FenceState, Mode

_FENCE = Statements(Path(__file__).parent / "sql" / "fence.sql")


def watch_key(site: FenceLocation, epoch: int) -> int:
    """Tell the key of the lock that the process holds that froze this epoch."""
    text = f"frozen {site.key}@{epoch}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


class Watches:
    """The locks of the freezes that this process has made, one for each fence."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        self._held: dict[FenceLocation, tuple[int, ExitStack]] = {}
        self._lock = Lock()

    def take(self, site: FenceLocation, epoch: int) -> None:
        """Be watched from now on: before the freeze is made, so that no process finds it without an owner."""
        self.drop(site)
        key, stack = watch_key(site, epoch), ExitStack()
        connection = stack.enter_context(self._databases.connection(site.database))
        connection.execute(_FENCE("watch"), (key,))
        stack.callback(_release, connection, key)
        with self._lock:
            self._held[site] = (epoch, stack)

    def drop(self, site: FenceLocation) -> None:
        """End being watched; the freeze is over, or was never made."""
        with self._lock:
            _, stack = self._held.pop(site, (0, ExitStack()))
        stack.close()

    def look(self, state: FenceState) -> None:
        """End being watched if another process has ended the freeze."""
        with self._lock:
            over = state.epoch > self._held.get(state.site, (state.epoch, None))[0]
        if over:
            self.drop(state.site)

    def mine(self, state: FenceState) -> bool:
        """Tell whether this very process has made a freeze."""
        with self._lock:
            return self._held.get(state.site, (0, None))[0] == state.epoch


def orphaned(connection: Connection, state: FenceState) -> bool:
    """Tell whether the process that made a freeze is gone."""
    if state.mode is not Mode.FROZEN:
        return False
    return connection.execute(_FENCE("orphaned"), (watch_key(state.site, state.epoch),)).fetchone() == (True,)


def _release(connection: Connection, key: int) -> None:
    try:
        connection.execute(_FENCE("unwatch"), (key,))
    except psycopg.Error:
        # With the connection the lock is gone.
        connection.close()
