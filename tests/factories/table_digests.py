"""What tables hold, as digests; when they are compared later, only those are read that were written to meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import connection

# PostgreSQL counts the rows that a transaction writes, also those that a savepoint takes back.
WRITES = """
SELECT relname, pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid)
       + pg_stat_get_xact_tuples_deleted(oid)
FROM pg_class WHERE oid = ANY(%s::text[]::regclass[]::oid[])
"""


@dataclass(frozen=True)
class TableDigests:
    """What tables held at a moment of a transaction.

    It is compared within the same transaction, and only savepoints that began afterwards may have been rolled back
    since. What other connections wrote since to a table that this one left alone is not noticed.
    """

    digests: Mapping[str, str]
    writes: Mapping[str, int]

    @classmethod
    def of(cls, tables: Collection[str]) -> TableDigests:
        """Read tables."""
        assert connection.in_atomic_block, "rows are counted for a transaction"
        writes = rows_written(tables)
        return cls(digests(tables), writes)

    def now(self) -> Mapping[str, str]:
        """Read again what was written to since; the rest is as it was."""
        writes = rows_written(self.digests)
        return {
            **self.digests,
            **digests([each for each in self.digests if writes[each] != self.writes[each]]),
        }

    def differing(self) -> list[str]:
        """Name the tables that hold something else by now."""
        now = self.now()
        return sorted(table for table, digest in self.digests.items() if now[table] != digest)


def digests(tables: Collection[str]) -> dict[str, str]:
    """Digest tables, in one statement."""
    if not tables:
        return {}
    parts = " UNION ALL ".join(
        f"SELECT '{table}', md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) FROM \"{table}\" t"
        for table in sorted(tables)
    )
    with connection.cursor() as cursor:
        cursor.execute(parts)
        return {str(table): str(digest) for table, digest in cursor.fetchall()}


def rows_written(tables: Collection[str]) -> dict[str, int]:
    """Count the rows of tables that this transaction has written so far."""
    with connection.cursor() as cursor:
        cursor.execute(WRITES, [[f'"{table}"' for table in tables]])
        return {str(table): int(rows) for table, rows in cursor.fetchall()}
