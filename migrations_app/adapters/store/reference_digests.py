"""Reference indexes of PostgreSQL namespaces held against the documents, by digests and within the database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from psycopg import sql

from migrations_app.adapters.databases import Databases, Statements
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store import replication_writes
from migrations_app.adapters.store.reference_queries import trail_query
from migrations_app.adapters.store.rows import table_of
from migrations_app.domain.parity import EMPTY, Digest
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.reference_indexes import IndexDigest, IndexDigests
from migrations_app.ports.stored import ReferencePath, ReplicationToken

_STATEMENTS = Statements(Path(__file__).parent / "sql" / "reference_digests.sql")
_WORD = 1 << 64
_NO_RESOURCE = -1
_NAMED = 1000


class PostgresReferenceIndexes:
    """`ports.reference_indexes.ReferenceIndexes` over the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def digests(self, namespace: Namespace, type: str, paths: Sequence[ReferencePath] | None) -> IndexDigests:
        """Digest rows and documents by one statement."""
        key = _STATEMENTS.template("key")
        places = {
            "schema": sql.Identifier(namespace.schema),
            "table": sql.Identifier(table_of(type)),
            "type": sql.Literal(type),
            "own": sql.Literal(list(namespace.own)),
        }
        said: sql.Composable = sql.SQL("")
        if paths:
            found = sql.SQL(" UNION ALL ").join(
                trail_query(namespace, type, each, restricted=False) for each in paths
            )
            said = _STATEMENTS.template("said").format(**places, found=found, key=key)
        asked = _STATEMENTS.template("digests").format(
            **places, kept=key, said=said, most=sql.Literal(_NAMED)
        )
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            rows = cast(
                "list[tuple[int, bool, int, int, int, list[str] | None]]",
                connection.execute(asked).fetchall(),
            )
        return _digests(rows, documents=paths is not None)

    def clear(
        self, namespace: Namespace, type: str, names: Sequence[str], token: ReplicationToken | None
    ) -> int:
        """Delete rows of no resource, as a writer of the version served, or as a replicator."""
        asked = _STATEMENTS.template("clear").format(
            schema=sql.Identifier(namespace.schema),
            table=sql.Identifier(table_of(type)),
            type=sql.Literal(type),
            names=sql.Literal(list(names)),
        )
        with translated(namespace), self._databases.transaction(namespace.database) as connection:
            if token is not None:
                replication_writes.begin(connection, namespace, token, set())
            return connection.execute(asked).rowcount


def _digests(
    rows: Sequence[tuple[int, bool, int, int, int, list[str] | None]], *, documents: bool
) -> IndexDigests:
    sides: dict[tuple[int, bool], Digest] = {}
    orphans: tuple[str, ...] = ()
    for shard, said, count, first, second, names in rows:
        if shard == _NO_RESOURCE:
            orphans = tuple(names or ())
        else:
            sides[shard, said] = Digest(count, int(first) % _WORD, int(second) % _WORD)
    shards = {shard for shard, _ in sides} if documents else set()
    return IndexDigests(
        {
            shard: IndexDigest(sides.get((shard, False), EMPTY), sides.get((shard, True), EMPTY))
            for shard in shards
        },
        orphans,
    )
