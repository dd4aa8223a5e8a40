"""Creates, evolves and removes the tables, triggers and indexes of a PostgreSQL namespace."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias, cast

from psycopg import errors, sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.statements import Statements
from migrations_app.adapters.store.constraints import CONSTRAINTS
from migrations_app.adapters.store.indexing import build_beside, indexes_of
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
_IMPATIENT = sql.SQL("SET LOCAL lock_timeout = '100ms'")
_PATIENCE_SECONDS = 3.0
Piece: TypeAlias = Callable[[Connection], object]


def prepare_shared(connection: Connection) -> None:
    """Create what all namespaces of a data database share: the fences and the functions.

    What stands is left alone: even a statement that finds nothing to do takes locks that writers wait for.
    """
    if not _is_built(connection, "switchyard"):
        _briefly(connection, _share)


def prepare(connection: Connection, namespace: Namespace, layouts: Sequence[Layout]) -> None:
    """Create or complete a namespace, on a connection that commits each statement.

    One that stands with these layouts is left alone, for its writers' sake. What it lacks is added table by table, each
    in a commit of its own that comes back later rather than make writers wait; indexes are built beside the writers.
    """
    prepare_shared(connection)
    known = _known(connection, namespace)
    if not _is_built(connection, namespace.schema):
        pieces = _pieces(namespace, layouts, known)
    else:
        pieces = [partial(_add_type, namespace, each) for each in layouts if each.type not in known]
    if known:
        for piece in pieces:
            _briefly(connection, piece)
    elif pieces:
        _briefly(connection, lambda within: [piece(within) for piece in pieces])
    for each in layouts:
        stands = known.get(each.type, each)
        missing = [index for index in indexes_of(each) if index not in indexes_of(stands)]
        if missing:
            build_beside(connection, namespace, missing)
            both = (*stands.indexes, *(index.path for index in missing if index.path))
            _note_type(connection, namespace, Layout(each.type, both, each.by_uid or stands.by_uid))


def is_current(connection: Connection, namespace: Namespace) -> bool:
    """Tell whether a namespace was built from the statements of today."""
    return _is_built(connection, namespace.schema)


def _is_built(connection: Connection, schema: str) -> bool:
    found = connection.execute(NAMESPACE("edition"), (sql.Identifier(schema).as_string(),)).fetchone()
    return found == (_EDITION,)


def _note_edition(connection: Connection, schema: str) -> None:
    places = {"schema": sql.Identifier(schema), "edition": sql.Literal(_EDITION)}
    connection.execute(NAMESPACE.template("note_edition").format(**places))


def _known(connection: Connection, namespace: Namespace) -> dict[str, Layout]:
    """Tell what a namespace was prepared for, type by type."""
    place = sql.Identifier(namespace.schema, "resource_type").as_string()
    if connection.execute(NAMESPACE("exists"), (place,)).fetchone() != (True,):
        return {}
    rows = connection.execute(NAMESPACE("layouts", schema=namespace.schema)).fetchall()
    return {
        str(name): Layout(str(name), tuple(cast("list[str]", indexes)), bool(by_uid))
        for name, by_uid, indexes in rows
    }


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


def _briefly(connection: Connection, piece: Piece) -> None:
    """Do a piece in a commit of its own, again and again rather than let writers queue behind it for long."""
    until, pause = time.monotonic() + _PATIENCE_SECONDS, 0.05
    while True:
        try:
            with connection.transaction():
                connection.execute(_QUIET)
                connection.execute(_SHARED_LOCK_STATEMENT)
                connection.execute(_IMPATIENT)
                piece(connection)
            return
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            if time.monotonic() > until:
                raise
        time.sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311
        pause = min(pause * 2, 0.5)


def _share(connection: Connection) -> None:
    connection.execute(NAMESPACE("shared"))
    connection.execute(CONSTRAINTS("tables"))
    connection.execute(TOUCHING("table"))
    _note_edition(connection, "switchyard")


def _pieces(namespace: Namespace, layouts: Sequence[Layout], known: Mapping[str, Layout]) -> list[Piece]:
    """List what builds a namespace, or brings one of an earlier edition up to date; no piece locks two tables.

    Types of an earlier definition have their tables still.
    """
    guarded = ["shadow", "reference", *(table_of(type_) for type_ in known)]
    return [
        partial(_create, namespace),
        *(partial(_renew_type, namespace, type_) for type_ in known),
        *(partial(_guard, namespace, table) for table in guarded),
        *(partial(_add_type, namespace, each) for each in layouts if each.type not in known),
        lambda connection: _note_edition(connection, namespace.schema),
    ]


def _create(namespace: Namespace, connection: Connection) -> None:
    connection.execute(NAMESPACE("create", schema=namespace.schema))
    connection.execute(
        NAMESPACE.template("guard_function").format(
            schema=sql.Identifier(namespace.schema),
            deployment=sql.Literal(namespace.deployment),
            version=sql.Literal(namespace.version),
            key=sql.Literal(lock_key(namespace.deployment)),
        )
    )


def _renew_type(namespace: Namespace, type_: str, connection: Connection) -> None:
    table = table_of(type_)
    connection.execute(
        NAMESPACE.template("table").format(
            schema=sql.Identifier(namespace.schema),
            table=sql.Identifier(table),
            shard_index=sql.Identifier(shortened(f"{table}_shard")),
            type=sql.Literal(type_),
        )
    )


def _add_type(namespace: Namespace, layout: Layout, connection: Connection) -> None:
    """Create the table of a type that is new here: nobody writes it yet."""
    _renew_type(namespace, layout.type, connection)
    _guard(namespace, table_of(layout.type), connection)
    for index in indexes_of(layout):
        connection.execute(index.statement(namespace, beside=False))
    _note_type(connection, namespace, layout)


def _note_type(connection: Connection, namespace: Namespace, layout: Layout) -> None:
    noted = (layout.type, layout.by_uid, list(layout.indexes))
    connection.execute(NAMESPACE("note_type", schema=namespace.schema), noted)


def _guard(namespace: Namespace, table: str, connection: Connection) -> None:
    connection.execute(NAMESPACE("guard", schema=namespace.schema, table=table))
