"""Addresses of databases as libpq reads them: sockets, escaped passwords, several hosts of which one takes writes."""

from __future__ import annotations

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo


def parts_of_address(url: str) -> dict[str, str]:
    """Take an address apart: `host` and `port` with commas where there are several, `dbname`, `user`, `password`, options.

    Raises: ValueError, without a part of the address: it may hold a password.
    """
    try:
        return {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except ProgrammingError:
        raise ValueError("not an address that PostgreSQL understands") from None


def url_for_reading(url: str) -> str:
    """Give the address for sessions that only read: libpq takes none of them for a `read-write` one, wherever it asks."""
    if parts_of_address(url).get("target_session_attrs") == "read-write":
        return make_conninfo(url, target_session_attrs="primary")
    return url
