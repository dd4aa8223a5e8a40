"""The activity log in the data databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from psycopg import errors, sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.rows import LOGS
from migrations_app.ports.logs.activity import (
    ActivityBatch,
    ActivityEntry,
    ActivityQuery,
    ActivityWriterState,
)
from migrations_app.ports.namespaces import Namespace


class PostgresActivity:
    """`ports.activity.ActivityLog` over the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def append(self, database: str, batches: Mapping[str, ActivityBatch]) -> None:
        """Write a batch for each deployment."""
        entries = [_document(entry) for batch in batches.values() for entry in batch.entries]
        with translated(_anywhere(database)), self._databases.transaction(database) as connection:
            if entries:
                connection.execute(LOGS("append_activity"), {"entries": Jsonb(entries)})
            for deployment, batch in sorted(batches.items()):
                asked = {
                    "deployment": deployment,
                    "process": batch.process,
                    "entries": len(batch.entries),
                    "dropped": batch.dropped,
                    "settled": batch.settled,
                }
                connection.execute(LOGS("note_writer"), asked)

    def entries(self, databases: Sequence[str], query: ActivityQuery) -> list[ActivityEntry]:
        """List entries, the newest first."""
        statement = LOGS.template("activity").format(
            where=sql.SQL(" AND ").join(_conditions(query)), limit=sql.Literal(query.limit)
        )
        found = [
            ActivityEntry(*cast("tuple[Any, ...]", row))
            for database in databases
            for row in self._rows(database, statement)
        ]
        return sorted(found, key=lambda entry: entry.key, reverse=True)[: query.limit]

    def writers(self, databases: Sequence[str], deployment: str) -> list[ActivityWriterState]:
        """Tell what each process wrote."""
        return [
            ActivityWriterState(*cast("tuple[Any, ...]", row))
            for database in databases
            for row in self._rows(database, LOGS("writers"), (deployment,))
        ]

    def forget(self, database: str, days: Mapping[str, float], limit: int) -> int:
        """Delete the entries that are too old."""
        asked = {"deployments": list(days), "days": list(days.values()), "limit": limit}
        with translated(_anywhere(database)), self._databases.connection(database) as connection:
            try:
                return connection.execute(LOGS("forget_activity"), asked).rowcount
            except errors.UndefinedTable:
                return 0

    def _rows(
        self, database: str, statement: sql.Composed, parameters: tuple[object, ...] | None = None
    ) -> list[tuple[object, ...]]:
        with translated(_anywhere(database)), self._databases.connection(database) as connection:
            if connection.execute(LOGS("has_activity")).fetchone() != (True,):
                return []
            return connection.execute(statement, parameters).fetchall()


def _conditions(query: ActivityQuery) -> list[sql.Composable]:
    texts: dict[str, object] = {
        "deployment = {}": query.deployment,
        "version = {}": query.version,
        "method = {}": query.method,
        "type = {}": query.type,
        "name = {}": query.name,
        "caller = {}": query.caller,
        "request_id = {}": query.request_id,
        "at >= {}": query.since,
        "at < {}": query.until,
    }
    found: list[sql.Composable] = [
        sql.SQL(text).format(sql.Literal(value)) for text, value in texts.items() if value
    ]
    if query.statuses is not None:
        least, most = map(sql.Literal, query.statuses)
        found.append(sql.SQL("status BETWEEN {} AND {}").format(least, most))
    if query.reads is not None:
        found.append(sql.SQL("reads = {}").format(sql.Literal(query.reads)))
    if query.before is not None:
        key = sql.SQL(", ").join(map(sql.Literal, query.before))
        found.append(sql.SQL("(at, number) < ({})").format(key))
    return found


def _document(entry: ActivityEntry) -> dict[str, object]:
    found = asdict(entry)
    del found["number"]
    return {**found, "at": entry.at.isoformat()}


def _anywhere(database: str) -> Namespace:
    return Namespace("the activity log", "", database, "switchyard")
