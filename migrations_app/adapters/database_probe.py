"""Whether a data database takes a new connection."""

from __future__ import annotations

from datetime import datetime

import psycopg


def probe(url: str) -> tuple[str, datetime | None, bool] | None:
    """Connect once, and give the server's version, when it started, and whether it is a standby; None if it does not answer."""
    try:
        # A connection of its own: what is asked is whether a new one can be had.
        with psycopg.connect(url, connect_timeout=2, autocommit=True) as data:
            row = data.execute(
                "SELECT current_setting('server_version'), pg_postmaster_start_time(), pg_is_in_recovery()"
            ).fetchone()
    except (psycopg.Error, OSError):
        return None
    return row or ("?", None, False)
