"""What serving processes write beside their requests, ended as a process ends it."""

from __future__ import annotations

from migrations_app import wiring


def end_notes() -> None:
    """Write what is noted of requests, and end the threads that do it."""
    wiring.usage().close()
    wiring.activity_notes().close()
    wiring.open_sessions().end()
    for noting in (wiring.usage, wiring.activity_notes, wiring.open_sessions):
        noting.cache_clear()
