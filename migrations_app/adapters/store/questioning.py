"""Questions about the stored resources of a type: all are counted, or a sample of them, and the answer says which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from psycopg import errors, sql

from migrations_app.adapters.databases import Connection, Databases
from migrations_app.adapters.statements import Statements
from migrations_app.adapters.store.rows import table_of
from migrations_app.domain.compatibility.stored import Asked, Told, tally
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.namespaces import Namespace

_STATEMENTS = Statements(Path(__file__).parent / "sql" / "questioning.sql")
_ALL = 10_000
"""So many resources are looked at one by one; of more, a sample of about as many."""
_AT_ONCE = 100
_FETCHED = 500


class StoredQuestions:
    """Asks the data databases. A count that takes too long gives way to a sample."""

    def __init__(self, databases: Databases, *, patience_seconds: float = 4.0, most: int = _ALL) -> None:
        self._databases, self._patience, self._most = databases, patience_seconds, most

    def resources(self, namespace: Namespace, type_: str) -> int:
        """Count the resources of a type that a deployment owns.

        Raises: Busy (`database-busy`).
        """
        with self._table(namespace, type_) as connection:
            return 0 if connection is None else self._resources(connection, namespace, type_)

    def misnamed(self, namespace: Namespace, type_: str, patterns: Sequence[str]) -> int:
        """Count the resources whose name none of some regular expressions admits.

        Raises: Busy (`database-busy`).
        """
        with self._table(namespace, type_) as connection:
            if connection is None:
                return 0
            statement = _STATEMENTS("misnamed", schema=namespace.schema, table=table_of(type_))
            given: dict[str, object] = {"own": [*namespace.own], "patterns": [*patterns]}
            return cast(int, connection.rows(statement, given)[0][0])

    def ask(self, namespace: Namespace, type_: str, asked: Sequence[Asked]) -> dict[Asked, Told]:
        """Answer questions about the resources of a type that a deployment owns.

        Raises: Busy (`database-busy`).
        """
        with self._table(namespace, type_) as connection:
            if connection is None:
                return {each: Told() for each in asked}
            total = self._resources(connection, namespace, type_)
            if total <= self._most:
                return tally(asked, self._documents(connection, namespace, type_), total)
            told = self._counted(
                connection, namespace, type_, [each for each in asked if each.json_path], total
            )
            left = [each for each in asked if each not in told]
            return {**told, **tally(left, self._sample(connection, namespace, type_, total), total)}

    @contextmanager
    def _table(self, namespace: Namespace, type_: str) -> Iterator[Connection | None]:
        """Lend a connection in a transaction that only reads; None where the type was never stored."""
        with self._databases.transaction(namespace.database) as connection:
            connection.run(_STATEMENTS("patience"), (f"{int(self._patience * 1000)}ms",))
            name = sql.Identifier(namespace.schema, table_of(type_)).as_string(connection)
            there = connection.rows(_STATEMENTS("exists"), (name,))[0][0]
            yield connection if there else None

    def _resources(self, connection: Connection, namespace: Namespace, type_: str) -> int:
        statement = _STATEMENTS("resources", schema=namespace.schema, table=table_of(type_))
        return cast(int, connection.rows(statement, {"own": [*namespace.own]})[0][0])

    def _documents(self, connection: Connection, namespace: Namespace, type_: str) -> Iterator[JsonObject]:
        statement = _STATEMENTS("documents", schema=namespace.schema, table=table_of(type_))
        yield from _bodies(connection, statement, {"own": [*namespace.own]})

    def _sample(
        self, connection: Connection, namespace: Namespace, type_: str, total: int
    ) -> Iterator[JsonObject]:
        statement = _STATEMENTS("sample", schema=namespace.schema, table=table_of(type_))
        percent = min(100.0, 150.0 * self._most / total)
        given: dict[str, object] = {"own": [*namespace.own], "percent": percent, "limit": self._most}
        yield from _bodies(connection, statement, given)

    def _counted(
        self,
        connection: Connection,
        namespace: Namespace,
        type_: str,
        asked: Sequence[Asked],
        total: int,
    ) -> dict[Asked, Told]:
        """Count in the database; what it does not manage in time has no answer."""
        told: dict[Asked, Told] = {}
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
            try:
                with connection.transaction():
                    [row] = connection.rows(statement)
            except errors.QueryCanceled:
                return told
            told.update(
                (each, Told(cast(int, hits), total, total)) for each, hits in zip(part, row, strict=True)
            )
        return told


def _bodies(
    connection: Connection, statement: sql.Composed, given: dict[str, object]
) -> Iterator[JsonObject]:
    with connection.cursor(name="questions") as cursor:
        cursor.itersize = _FETCHED
        for row in cursor.execute(statement, given):
            yield cast(JsonObject, row[0])
