"""What tests of streams need that wait for notifications of the control database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from django.db import connection, connections

PATIENCE_SECONDS = 60.0


def end_listeners(channel: str) -> int:
    """End the sessions that listen to a channel, and count them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query = %s",
            [f"LISTEN {channel}"],
        )
        return int(cursor.fetchone()[0])


async def in_thread(work: Callable[[], object]) -> object:
    """Work in a thread that keeps no connection."""

    def run() -> object:
        try:
            return work()
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():
            await asyncio.sleep(0.02)
