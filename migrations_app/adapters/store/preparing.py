"""Creates, evolves and removes the tables, triggers and indexes of a PostgreSQL namespace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.statements import Statements
from migrations_app.adapters.store.constraints import CONSTRAINTS
from migrations_app.adapters.store.rows import NAMESPACE, TOUCHING, lock_key, shortened, table_of
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Layout

DROPPING = Statements(Path(__file__).parent / "sql" / "dropping.sql")
# One at a time in a database: CREATE … IF NOT EXISTS and CREATE OR REPLACE race with themselves.
_SCHEMA_LOCK = 7_203_977_661
_SHARED_LOCK_STATEMENT = sql.SQL("SELECT pg_advisory_xact_lock({})").format(sql.Literal(_SCHEMA_LOCK))
_QUIET = sql.SQL("SET LOCAL client_min_messages = warning")
# What everything here is built from: with another one, `prepare` is due again.
_EDITION = f"{NAMESPACE.digest}.{CONSTRAINTS.digest}.{TOUCHING.digest}"
_PATIENCE = sql.SQL("SET LOCAL lock_timeout = '2s'")


def prepare_shared(connection: Connection) -> None:
    """Create what all namespaces of a data database share: the fences and the functions.

    What stands is left alone: even a statement that finds nothing to do takes locks that writers wait for.
    """
    if _is_built(connection, "switchyard"):
        return
    connection.execute(_QUIET)
    connection.execute(_SHARED_LOCK_STATEMENT)
    connection.execute(_PATIENCE)
    connection.execute(NAMESPACE("shared"))
    connection.execute(CONSTRAINTS("tables"))
    connection.execute(TOUCHING("table"))
    _note_edition(connection, "switchyard")


def prepare(connection: Connection, namespace: Namespace, layouts: Sequence[Layout]) -> None:
    """Create or complete a namespace; one that stands with these layouts is left alone, for its writers' sake."""
    prepare_shared(connection)
    if _is_built(connection, namespace.schema) and _has(connection, namespace, layouts):
        return
    connection.execute(_QUIET)
    connection.execute(_SHARED_LOCK_STATEMENT)
    connection.execute(_PATIENCE)
    schema = sql.Identifier(namespace.schema)
    connection.execute(NAMESPACE("create", schema=namespace.schema))
    connection.execute(
        NAMESPACE.template("guard_function").format(
            schema=schema,
            deployment=sql.Literal(namespace.deployment),
            version=sql.Literal(namespace.version),
            key=sql.Literal(lock_key(namespace.deployment)),
        )
    )
    for table in ("shadow", "reference"):
        _guard(connection, namespace, table)
    for layout in layouts:
        _prepare_type(connection, namespace, layout)
    for type_ in _other_types(connection, namespace, layouts):
        _guard(connection, namespace, table_of(type_))
    _note_edition(connection, namespace.schema)


def is_current(connection: Connection, namespace: Namespace) -> bool:
    """Tell whether a namespace was built from the statements of today."""
    return _is_built(connection, namespace.schema)


def _is_built(connection: Connection, schema: str) -> bool:
    found = connection.execute(NAMESPACE("edition"), (sql.Identifier(schema).as_string(),)).fetchone()
    return found == (_EDITION,)


def _note_edition(connection: Connection, schema: str) -> None:
    places = {"schema": sql.Identifier(schema), "edition": sql.Literal(_EDITION)}
    connection.execute(NAMESPACE.template("note_edition").format(**places))


def _has(connection: Connection, namespace: Namespace, layouts: Sequence[Layout]) -> bool:
    rows = connection.execute(NAMESPACE("layouts", schema=namespace.schema)).fetchall()
    known = {(name, by_uid, tuple(cast("list[str]", indexes))) for name, by_uid, indexes in rows}
    return all((each.type, each.by_uid, tuple(each.indexes)) in known for each in layouts)


def drop(connection: Connection, namespace: Namespace) -> None:
    """Remove a namespace."""
    connection.execute(_QUIET)
    connection.execute(NAMESPACE("drop", schema=namespace.schema))


def drop_part(connection: Connection, namespace: Namespace) -> bool:
    """Remove one table of a namespace, or with the last one the namespace; tell whether something is left."""
    connection.execute(_QUIET)
    connection.execute(_PATIENCE)
    found = connection.execute(DROPPING("tables"), (namespace.schema,)).fetchone()
    if found is None:
        drop(connection, namespace)
        return False
    # What lacks a table does not stand any more.
    connection.execute(DROPPING("unmark", schema=namespace.schema))
    connection.execute(DROPPING("table", schema=namespace.schema, table=str(found[0])))
    return True


def _prepare_type(connection: Connection, namespace: Namespace, layout: Layout) -> None:
    table = table_of(layout.type)
    schema = sql.Identifier(namespace.schema)
    connection.execute(
        NAMESPACE.template("table").format(
            schema=schema,
            table=sql.Identifier(table),
            shard_index=sql.Identifier(shortened(f"{table}_shard")),
            type=sql.Literal(layout.type),
        )
    )
    _guard(connection, namespace, table)
    if layout.by_uid:
        connection.execute(
            NAMESPACE("uid_index", schema=namespace.schema, table=table, index=shortened(f"{table}_uid"))
        )
    for path in layout.indexes:
        connection.execute(
            NAMESPACE.template("body_index").format(
                schema=schema,
                table=sql.Identifier(table),
                index=sql.Identifier(shortened(f"{table}_{path}")),
                path=sql.Literal(path.split(".")),
            )
        )
    connection.execute(
        NAMESPACE("note_type", schema=namespace.schema), (layout.type, layout.by_uid, list(layout.indexes))
    )


def _guard(connection: Connection, namespace: Namespace, table: str) -> None:
    connection.execute(NAMESPACE("guard", schema=namespace.schema, table=table))


def _other_types(connection: Connection, namespace: Namespace, layouts: Sequence[Layout]) -> Sequence[str]:
    """Name the types of an earlier definition, whose tables are there still."""
    known = {layout.type for layout in layouts}
    rows = connection.execute(NAMESPACE("types", schema=namespace.schema)).fetchall()
    return [str(row[0]) for row in rows if row[0] not in known]
