"""Questions about the stored resources of a type: all are counted, or a sample of them, and the answer says which."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import cast

from psycopg import errors, sql

from migrations_app.adapters.databases import Connection, Databases, Row, Statement, Statements
from migrations_app.adapters.store.rows import table_of
from migrations_app.domain.compatibility.stored import CountRequest, StoredCount, tally
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.namespaces import Namespace

_STATEMENTS = Statements(Path(__file__).parent / "sql" / "questioning.sql")
_ALL = 10_000
"""So many resources of a type are looked at one by one; of more, a sample of about as many."""
_ALTOGETHER = 100_000
"""So many resources of all types are looked at for one decision; of the types after that, a sample of `_FEWEST` each."""
_FEWEST = 300
_AT_ONCE = 100
_FETCHED = 500


class StoredQuestions:
    """Asks the data databases for one decision. Counts that take too long together give way to samples."""

    def __init__(
        self,
        databases: Databases,
        *,
        patience_seconds: float = 5.0,
        most: int = _ALL,
        altogether: int = _ALTOGETHER,
    ) -> None:
        self._databases, self._most, self._unread = databases, most, altogether
        self._left = patience_seconds

    def resources(self, namespace: Namespace, type_: str) -> int:
        """Count the resources of a type that a deployment owns.

        Raises: Busy (`database-busy`).
        """
        with self._table(namespace, type_) as connection:
            return 0 if connection is None else self._resources(connection, namespace, type_)

    def misnamed(self, namespace: Namespace, type_: str, patterns: Sequence[str]) -> StoredCount:
        """Count the resources whose name none of some regular expressions admits, or those of a sample.

        Raises: Busy (`database-busy`).
        """
        with self._table(namespace, type_) as connection:
            if connection is None:
                return StoredCount()
            total = self._resources(connection, namespace, type_)
            given: dict[str, object] = {"own": [*namespace.own], "patterns": [*patterns]}
            place = {"schema": namespace.schema, "table": table_of(type_)}
            row = self._in_time(connection, _STATEMENTS("misnamed", **place), given)
            if row is not None:
                return StoredCount(cast(int, row[0]), total, total)
            sampled = {**given, "percent": self._percent(total, self._most), "limit": self._most}
            [(hits, looked)] = connection.rows(_STATEMENTS("misnamed_sample", **place), sampled)
            if not looked:
                sampled["percent"] = 100.0
                [(hits, looked)] = connection.rows(_STATEMENTS("misnamed_sample", **place), sampled)
            return StoredCount(cast(int, hits), total, cast(int, looked))

    def ask(
        self, namespace: Namespace, type_: str, asked: Sequence[CountRequest]
    ) -> dict[CountRequest, StoredCount]:
        """Answer questions about the resources of a type that a deployment owns.

        Raises: Busy (`database-busy`).
        """
        with self._table(namespace, type_) as connection:
            if connection is None:
                return {each: StoredCount() for each in asked}
            total = self._resources(connection, namespace, type_)
            most = min(self._most, max(_FEWEST, self._unread))
            self._unread -= min(total, most)
            if total <= most:
                return tally(asked, self._documents(connection, namespace, type_), total)
            told = self._counted(
                connection, namespace, type_, [each for each in asked if each.json_path], total
            )
            left = [each for each in asked if each not in told]
            sample = self._sample(connection, namespace, type_, total, most)
            return {**told, **tally(left, sample, total)} if left else told

    @contextmanager
    def _table(self, namespace: Namespace, type_: str) -> Iterator[Connection | None]:
        """Lend a connection in a transaction that only reads; None where the type was never stored."""
        with self._databases.transaction(namespace.database) as connection:
            name = sql.Identifier(namespace.schema, table_of(type_)).as_string(connection)
            there = connection.rows(_STATEMENTS("exists"), (name,))[0][0]
            yield connection if there else None

    def _resources(self, connection: Connection, namespace: Namespace, type_: str) -> int:
        place = {"schema": namespace.schema, "table": table_of(type_)}
        row = self._in_time(connection, _STATEMENTS("resources", **place), {"own": [*namespace.own]})
        if row is None:
            name = sql.Identifier(*place.values()).as_string(connection)
            [row] = connection.rows(_STATEMENTS("estimate"), (name,))
        return cast(int, row[0])

    def _in_time(
        self, connection: Connection, statement: Statement, given: dict[str, object] | None = None
    ) -> Row | None:
        """Run a statement of one row in what is left of the time; None when that is not enough."""
        if self._left <= 0:
            return None
        started = time.monotonic()
        try:
            with connection.transaction():
                connection.run(_STATEMENTS("patience"), (f"{max(1, int(self._left * 1000))}ms",))
                [row] = connection.rows(statement, given)
                connection.run(_STATEMENTS("patience"), ("0",))
                return row
        except errors.QueryCanceled:
            return None
        finally:
            self._left -= time.monotonic() - started

    def _percent(self, total: int, most: int) -> float:
        return min(100.0, 150.0 * most / max(total, 1))

    def _documents(self, connection: Connection, namespace: Namespace, type_: str) -> Iterator[JsonObject]:
        statement = _STATEMENTS("documents", schema=namespace.schema, table=table_of(type_))
        yield from _bodies(connection, statement, {"own": [*namespace.own]})

    def _sample(
        self, connection: Connection, namespace: Namespace, type_: str, total: int, most: int
    ) -> Iterator[JsonObject]:
        statement = _STATEMENTS("sample", schema=namespace.schema, table=table_of(type_))
        given: dict[str, object] = {
            "own": [*namespace.own],
            "percent": self._percent(total, most),
            "limit": most,
        }
        is_empty = True
        for body in _bodies(connection, statement, given):
            is_empty = False
            yield body
        if is_empty:
            # Of few large pages the draw may take none.
            yield from islice(self._documents(connection, namespace, type_), most)

    def _counted(
        self,
        connection: Connection,
        namespace: Namespace,
        type_: str,
        asked: Sequence[CountRequest],
        total: int,
    ) -> dict[CountRequest, StoredCount]:
        """Count in the database; what it does not manage in time has no answer."""
        told: dict[CountRequest, StoredCount] = {}
        for at in range(0, len(asked), _AT_ONCE):
            part = asked[at : at + _AT_ONCE]
            columns = sql.SQL(", ").join(
                _STATEMENTS.template("applying").format(path=sql.Literal(each.json_path)) for each in part
            )
            statement = _STATEMENTS.template("counts").format(
                columns=columns,
                schema=sql.Identifier(namespace.schema),
                table=sql.Identifier(table_of(type_)),
                own=sql.Literal([*namespace.own]),
            )
            row = self._in_time(connection, statement)
            if row is None:
                return told
            told.update(
                (each, StoredCount(cast(int, hits), total, total))
                for each, hits in zip(part, row, strict=True)
            )
        return told


def _bodies(
    connection: Connection, statement: sql.Composed, given: dict[str, object]
) -> Iterator[JsonObject]:
    with connection.cursor(name="questions") as cursor:
        cursor.itersize = _FETCHED
        for row in cursor.execute(statement, given):
            yield cast(JsonObject, row[0])
