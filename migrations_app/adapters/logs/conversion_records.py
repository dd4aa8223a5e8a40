"""Recorded conversions in the data databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from psycopg import errors, sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.rows import LOGS
from migrations_app.ports.logs.conversion_records import ConversionRecord
from migrations_app.ports.namespaces import Namespace


class PostgresConversionRecords:
    """`ports.conversion_records.ConversionRecords` over the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def append(self, database: str, records: Sequence[ConversionRecord], most: int) -> int:
        """Keep records of one session."""
        session = records[0].session
        asked = {"session": session, "records": Jsonb([_document(each) for each in records]), "most": most}
        with translated(_anywhere(database)), self._databases.transaction(database) as connection:
            # One process at a time counts and adds.
            connection.execute(LOGS("lock_session"), (session,))
            return connection.execute(LOGS("append_records"), asked).rowcount

    def records(
        self, databases: Sequence[str], session: str, *, after: int = 0, limit: int = 50
    ) -> list[ConversionRecord]:
        """List the records of a session in their order."""
        asked = {"session": session, "after": after, "limit": limit}
        rows = [row for each in databases for row in self._rows(each, LOGS("records"), asked)]
        return [ConversionRecord(*cast("tuple[Any, ...]", row)) for row in rows][:limit]

    def counts(self, databases: Sequence[str], sessions: Sequence[str]) -> Mapping[str, int]:
        """Count the records of sessions."""
        found: dict[str, int] = {}
        for database in databases:
            for session, count in self._rows(database, LOGS("record_counts"), (list(sessions),)):
                found[str(session)] = found.get(str(session), 0) + cast(int, count)
        return found

    def forget(self, database: str, days: Mapping[str, float], limit: int) -> int:
        """Delete the records that are too old."""
        asked = {"deployments": list(days), "days": list(days.values()), "limit": limit}
        with translated(_anywhere(database)), self._databases.connection(database) as connection:
            try:
                return connection.execute(LOGS("forget_records"), asked).rowcount
            except errors.UndefinedTable:
                return 0

    def _rows(
        self, database: str, statement: sql.Composed, parameters: dict[str, object] | tuple[object, ...]
    ) -> list[tuple[object, ...]]:
        with translated(_anywhere(database)), self._databases.connection(database) as connection:
            if connection.execute(LOGS("has_records")).fetchone() != (True,):
                return []
            return connection.execute(statement, parameters).fetchall()


def _document(record: ConversionRecord) -> dict[str, object]:
    return {**asdict(record), "at": record.at.isoformat()}


def _anywhere(database: str) -> Namespace:
    return Namespace("the conversion records", "", database, "switchyard")
