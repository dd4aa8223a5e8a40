"""Whether a PostgreSQL server takes a new connection."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import psycopg

from migrations_app.ports.processes.probes import ServerProbe, ServerState

ANSWER_SECONDS = 2
"""How long an answer is waited for."""


@dataclass(frozen=True, slots=True)
class PostgresProbe(ServerProbe):
    """Asks the PostgreSQL server at `url`."""

    url: str
    seconds: int = ANSWER_SECONDS

    def look(self) -> ServerState | None:
        """Connect once, and ask for its version, when it started, and whether it is a standby."""
        try:
            # A connection of its own: what is asked is whether a new one can be had.
            with psycopg.connect(self.url, connect_timeout=self.seconds, autocommit=True) as data:
                row = data.execute(
                    "SELECT current_setting('server_version'), pg_postmaster_start_time(), pg_is_in_recovery()"
                ).fetchone()
        except (psycopg.Error, OSError):
            return None
        version, started_at, is_standby = cast("tuple[Any, Any, Any]", row)
        return ServerState("PostgreSQL", str(version), cast("datetime", started_at), bool(is_standby))
