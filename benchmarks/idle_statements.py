"""The statements that cost an installation most, as pg_stat_statements counts them."""

from __future__ import annotations

from pathlib import Path

import psycopg

from console.embedded.postgres import Postgres

FORGET = "SELECT pg_stat_statements_reset()"
COSTLIEST = """
SELECT base.datname, sum(calls)::float8, sum(total_exec_time + total_plan_time)::float8,
  left(regexp_replace(query, '\\s+', ' ', 'g'), 160) AS said
FROM pg_stat_statements AS statement JOIN pg_database AS base ON base.oid = statement.dbid
GROUP BY base.datname, said ORDER BY 3 DESC LIMIT %s
"""


def record_statements(home: Path) -> None:
    """Make the cluster of an installation that was not started yet, so that it counts statements."""
    postgres = Postgres(home / "postgres")
    postgres.create()
    with (postgres.data / "postgresql.auto.conf").open("a") as settings:
        settings.write(
            "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track_planning = on\n"
        )


def forget_statements(home: Path) -> None:
    """Begin to count again."""
    with psycopg.connect(Postgres(home / "postgres").url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        connection.execute(FORGET)


def costliest(home: Path, count: int, seconds: float) -> list[dict[str, object]]:
    """Tell the statements that took most time, planning included, each per second of the measurement."""
    with psycopg.connect(Postgres(home / "postgres").url("postgres"), autocommit=True) as connection:
        rows = connection.execute(COSTLIEST, [count]).fetchall()
    return [
        {
            "database": database,
            "calls_per_second": round(calls / seconds, 2),
            "ms_per_second": round(took / seconds, 3),
            "statement": said,
        }
        for database, calls, took, said in rows
    ]
