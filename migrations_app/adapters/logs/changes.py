"""Reads the resource change log: the feeds of the namespaces, and what left them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from psycopg import errors, sql

from migrations_app.adapters.databases import Connection, Databases, Row
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.rows import LOGS
from migrations_app.ports.logs.resource_changes import ResourceChangeEntry, ResourceChangeQuery
from migrations_app.ports.namespaces import Namespace

_CREATE, _UPDATE, _DELETE = "create", "update", "delete"
# A write that is older than the log tells neither what was there before nor what is there now.
_OPERATIONS = {
    _CREATE: "operation = 'put' AND before IS NULL AND after IS NOT NULL",
    _UPDATE: "operation = 'put' AND before IS NOT NULL",
    _DELETE: "operation = 'delete'",
}


class PostgresResourceChanges:
    """`ports.resource_changes.ResourceChangeLog` over the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def entries(
        self, databases: Sequence[str], namespaces: Sequence[Namespace], query: ResourceChangeQuery
    ) -> list[ResourceChangeEntry]:
        """List entries, the newest first."""
        entries = [
            entry
            for database in databases
            for entry in self._of_database(
                database, [each for each in namespaces if each.database == database], query
            )
        ]
        # Between two reads an entry may leave its feed: it is met twice then.
        unique = {entry.key: entry for entry in entries}
        return sorted(unique.values(), key=lambda entry: entry.key, reverse=True)[: query.limit]

    def forget(self, database: str, days: Mapping[str, float], limit: int) -> int:
        """Delete the entries that are too old."""
        asked = {"deployments": list(days), "days": list(days.values()), "limit": limit}
        with self._databases.connection(database) as connection:
            try:
                return connection.execute(LOGS("forget_changes"), asked).rowcount
            except errors.UndefinedTable:
                return 0

    def _of_database(
        self, database: str, namespaces: Sequence[Namespace], query: ResourceChangeQuery
    ) -> list[ResourceChangeEntry]:
        any_namespace = Namespace(query.deployment, query.version, database, "switchyard")
        with translated(any_namespace), self._databases.connection(database) as connection:
            # Feeds before the log: what moves in between is met twice rather than never.
            rows = [
                row
                for namespace in self._logging(connection, namespaces)
                if query.version in ("", namespace.version)
                for row in connection.execute(_of_feed(namespace, query)).fetchall()
            ]
            if connection.execute(LOGS("exists")).fetchone() == (True,):
                rows += connection.execute(_of_log(query)).fetchall()
        return [_entry(row) for row in rows]

    def _logging(self, connection: Connection, namespaces: Sequence[Namespace]) -> list[Namespace]:
        """Give the namespaces whose feeds carry the log; those of an earlier release do not yet."""
        rows = connection.execute(LOGS("logging"), ([each.schema for each in namespaces],)).fetchall()
        known = {row[0] for row in rows}
        return [each for each in namespaces if each.schema in known]


def _of_feed(namespace: Namespace, query: ResourceChangeQuery) -> sql.Composed:
    conditions = [sql.SQL("origin = '' AND operation <> 'beat'"), *_conditions(query, namespace.version)]
    return LOGS.template("of_feed").format(
        schema=sql.Identifier(namespace.schema),
        version=sql.Literal(namespace.version),
        where=sql.SQL(" AND ").join(conditions),
        limit=sql.Literal(query.limit),
    )


def _of_log(query: ResourceChangeQuery) -> sql.Composed:
    conditions = [sql.SQL("deployment = {}").format(sql.Literal(query.deployment)), *_conditions(query)]
    if query.version:
        conditions.append(sql.SQL("version = {}").format(sql.Literal(query.version)))
    return LOGS.template("of_log").format(
        where=sql.SQL(" AND ").join(conditions), limit=sql.Literal(query.limit)
    )


def _conditions(query: ResourceChangeQuery, version: str | None = None) -> list[sql.Composable]:
    found: list[sql.Composable] = []
    texts: dict[str, object] = {
        "uid = {}": query.uid,
        "name = {}": query.name,
        "type = {}": query.type,
        "split_part(request, ' ', 1) = {}": query.request_id,
        "substr(request, strpos(request, ' ') + 1) = {}": query.caller,
        "at >= {}": query.since,
        "at < {}": query.until,
    }
    found += [sql.SQL(text).format(sql.Literal(value)) for text, value in texts.items() if value]
    if query.operation:
        found.append(sql.SQL(_OPERATIONS[query.operation]))
    if query.before is not None:
        own = sql.SQL("version") if version is None else sql.Literal(version)
        key = sql.SQL(", ").join(map(sql.Literal, query.before))
        found.append(sql.SQL('(at, {} COLLATE "C", seq) < ({})').format(own, key))
    return found


def _entry(row: Row) -> ResourceChangeEntry:
    version, at, seq, operation, type_, name, uid, revision, request, before, after = cast(
        "tuple[Any, ...]", row
    )
    request_id, _, caller = (request or "").partition(" ")
    if operation != _DELETE:
        operation = _CREATE if before is None and after is not None else _UPDATE
    return ResourceChangeEntry(
        version, at, seq, operation, type_, name, uid, revision, request_id, caller, before, after
    )
