"""The search index on PostgreSQL's full text: a table of word lists beside the resources of a namespace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Databases, Rows, Statements
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.listing import parent_pattern
from migrations_app.adapters.store.rows import table_of
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.search import SearchEntry, SearchTerms

_SEARCH = Statements(Path(__file__).parent / "sql" / "search.sql")


class PostgresSearch:
    """Keeps the indexes in the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def put(self, namespace: Namespace, type: str, entries: Sequence[SearchEntry]) -> None:
        """Index resources."""
        if entries:
            asked: dict[str, object] = {
                "names": [each.name for each in entries],
                "revisions": [each.revision for each in entries],
                "words": [Jsonb(list(each.words)) for each in entries],
            }
            self._run(namespace, "put", type, asked)

    def remove(self, namespace: Namespace, type: str, names: Sequence[str]) -> None:
        """Take out those of the names that are no resources any more."""
        if names:
            self._run(namespace, "remove", type, {"names": list(names)})

    def behind(self, namespace: Namespace, type: str, limit: int = 1000) -> tuple[str, ...]:
        """Name resources that are not indexed, or at an older revision."""
        return tuple(str(row[0]) for row in self._rows(namespace, "behind", type, {"limit": limit}))

    def remove_lost(self, namespace: Namespace, type: str) -> int:
        """Take out whatever is no resource any more."""
        return self._run(namespace, "remove_lost", type, {})

    def find(self, namespace: Namespace, sought: SearchTerms) -> tuple[str, ...]:
        """Find names."""
        asked: dict[str, object] = {
            "after": sought.after,
            "parent": parent_pattern(sought.parent) if sought.parent else "",
            "words": list(sought.words),
            "limit": sought.limit,
        }
        return tuple(str(row[0]) for row in self._rows(namespace, "find", sought.type, asked))

    def _rows(self, namespace: Namespace, statement: str, type_: str, asked: dict[str, object]) -> Rows:
        place = {"schema": namespace.schema, "table": table_of(type_)}
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return connection.execute(_SEARCH(statement, **place), {**asked, "type": type_}).fetchall()

    def _run(self, namespace: Namespace, statement: str, type_: str, asked: dict[str, object]) -> int:
        place = {"schema": namespace.schema, "table": table_of(type_)}
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return connection.execute(_SEARCH(statement, **place), {**asked, "type": type_}).rowcount
