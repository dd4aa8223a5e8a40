"""Shard states of the registry: each report of an upgrade that runs here, with its place and its lease."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.db import connection

from migrations_app.kernel.named_queries import named_queries

SQL = named_queries(Path(__file__).with_suffix(".sql"))


def keep_shards(upgrade_id: str, shards: Sequence[int]) -> None:
    """Let the registry's rows of shards say what their newest reports, checkpoints and leases say.

    Once: in the transaction of the report; a deployment that is no longer registered keeps nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute(SQL["keep"], {"upgrade": upgrade_id, "shards": [*shards]})
