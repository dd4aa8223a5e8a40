"""Indexes of tables that are being written: built beside their writers, who wait for none of it."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg import sql

from migrations_app.adapters.databases import Connection, Statements
from migrations_app.adapters.store.rows import shortened, table_of
from migrations_app.kernel.errors import DatabaseBusy
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Layout

_INDEXING = Statements(Path(__file__).parent / "sql" / "indexing.sql")
# Asked for again and again, never waited for: who waits within a statement is in the way of the one that builds.
_TURN = 7_203_977_662
_TURN_SECONDS = 10.0
WRITERS_PATIENCE = "5s"
"""How long a build waits for transactions that are older than it; it delays no other transaction meanwhile."""


@dataclass(frozen=True, slots=True)
class Index:
    """One index of a resource type's table: by uid, or by a field of the body."""

    type: str
    path: str = ""

    @property
    def name(self) -> str:
        """Name it."""
        return shortened(f"{table_of(self.type)}_{self.path or 'uid'}")

    def statement(self, namespace: Namespace, *, beside: bool) -> sql.Composed:
        """Write the statement that builds it: beside the table's writers, or within a transaction."""
        return _INDEXING.template("body" if self.path else "uid").format(
            beside=sql.SQL("CONCURRENTLY" if beside else ""),
            schema=sql.Identifier(namespace.schema),
            table=sql.Identifier(table_of(self.type)),
            index=sql.Identifier(self.name),
            path=sql.Literal(self.path.split(".")),
        )


def indexes_of(layout: Layout) -> list[Index]:
    """List the indexes that a layout asks for."""
    return [Index(layout.type)] * layout.by_uid + [Index(layout.type, path) for path in layout.indexes]


def build_beside(connection: Connection, namespace: Namespace, indexes: Iterable[Index]) -> None:
    """Build what is missing of these indexes; what an interrupted build has left is cleared away first.

    Raises: Busy when another process works on it · LockNotAvailable when a transaction stays open for too long.
    """
    with _turn(connection, namespace):
        connection.execute(_INDEXING("unlimited"))
        connection.execute(_INDEXING("patience"), (WRITERS_PATIENCE,))
        try:
            schema = sql.Identifier(namespace.schema).as_string()
            broken = {str(row[0]) for row in connection.execute(_INDEXING("invalid"), (schema,)).fetchall()}
            for index in indexes:
                if index.name in broken:
                    connection.execute(_INDEXING("drop", schema=namespace.schema, index=index.name))
                connection.execute(index.statement(namespace, beside=True))
        finally:
            if not connection.closed:
                connection.execute(_INDEXING("patience_over"))
                connection.execute(_INDEXING("limited"))


@contextmanager
def _turn(connection: Connection, namespace: Namespace) -> Iterator[None]:
    until = time.monotonic() + _TURN_SECONDS
    while connection.execute(_INDEXING("turn"), (_TURN,)).fetchone() != (True,):
        if time.monotonic() > until:
            raise DatabaseBusy(
                message(
                    "Indexes are being built in {database} for another upgrade.", database=namespace.database
                )
            )
        time.sleep(random.uniform(0.02, 0.1))  # noqa: S311
    try:
        yield
    finally:
        if not connection.closed:
            connection.execute(_INDEXING("turn_over"), (_TURN,))
