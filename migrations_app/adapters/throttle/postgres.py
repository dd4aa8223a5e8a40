"""The throttle on PostgreSQL: how busy the server is, and how long a commit takes; asked at most twice a second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from psycopg import sql

from migrations_app.adapters.databases import Connection, Databases, Statements
from migrations_app.domain.sync.throttle_reasons import (
    commit_slow,
    commits_waiting,
    load_unknown,
    replica_behind,
    sessions_active,
    text_of,
)
from migrations_app.ports.namespaces import Namespace

_THROTTLE = Statements(Path(__file__).parent / "throttle.sql")
ASK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class ThrottleLimits:
    """Beyond which a copy rests. `question` is a query of the operator's own: a row of text stops the copy."""

    active_sessions: int = 48
    waiting_commits: int = 12
    replica_seconds: float = 2.0
    commit_milliseconds: int = 200
    question: str = ""


class PostgresThrottle:
    """Asks the server how busy it is; in doubt the copy rests."""

    def __init__(self, databases: Databases, limits: ThrottleLimits | None = None) -> None:
        self._databases = databases
        self._limits = limits or ThrottleLimits()
        self._said: dict[str, tuple[float, str]] = {}
        self._lock = Lock()

    def reason(self, namespace: Namespace) -> str:
        """Say why copying must rest now, or nothing."""
        with self._lock:
            at, said = self._said.get(namespace.database, (0.0, ""))
        if time.monotonic() - at < ASK_SECONDS:
            return said
        try:
            said = self._ask(namespace.database)
        except Exception as error:
            said = text_of(load_unknown(namespace.database, str(error)))
        with self._lock:
            self._said[namespace.database] = (time.monotonic(), said)
        return said

    def _ask(self, alias: str) -> str:
        with self._databases.connection(alias) as connection:
            # A commit only where nothing is known to hold commits up: it would wait with them.
            return self._crowded(connection) or self._forbidden(connection) or self._slow(connection)

    def _crowded(self, connection: Connection) -> str:
        limits = self._limits
        row = connection.execute(_THROTTLE("load")).fetchone()
        active, waiting, replica = (float(str(each)) for each in row or (0, 0, 0))
        if active > limits.active_sessions:
            return text_of(sessions_active(round(active), limits.active_sessions))
        if waiting > limits.waiting_commits:
            return text_of(commits_waiting(round(waiting), limits.waiting_commits))
        if replica > limits.replica_seconds:
            return text_of(replica_behind(f"{replica:.1f}"))
        return ""

    def _forbidden(self, connection: Connection) -> str:
        if not self._limits.question:
            return ""
        own = connection.execute(sql.SQL(self._limits.question)).fetchone()
        return str(own[0]) if own and own[0] else ""

    def _slow(self, connection: Connection) -> str:
        began = time.monotonic()
        connection.execute(_THROTTLE("commit"))
        took, most = (time.monotonic() - began) * 1000, self._limits.commit_milliseconds
        return text_of(commit_slow(round(took), most)) if took > most else ""
