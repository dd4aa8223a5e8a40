"""Shard states of the registry: each report of an upgrade that runs here, with its place and its lease."""

from __future__ import annotations

from pathlib import Path

from django.db import connection

from migrations_app.kernel.named_queries import named_queries

SQL = named_queries(Path(__file__).with_suffix(".sql"))


def keep_shard(upgrade_id: str, shard: int) -> None:
    """Let the registry's row of a shard say what its newest report, checkpoint and lease say.

    Once: in the transaction of the report; a deployment that is no longer registered keeps nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute(SQL["keep"], {"upgrade": upgrade_id, "shard": shard})
