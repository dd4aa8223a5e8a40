"""Creates, evolves and removes the tables, triggers and indexes of a PostgreSQL namespace."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

from psycopg import errors, sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Connection, Statements
from migrations_app.adapters.store.constraints import CONSTRAINTS
from migrations_app.adapters.store.indexing import build_beside, indexes_of
from migrations_app.adapters.store.rows import LOGS, NAMESPACE, TOUCHING, lock_key, shortened, table_of
from migrations_app.kernel import json
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Layout

DROPPING = Statements(Path(__file__).parent / "sql" / "dropping.sql")
# One at a time in a database: CREATE … IF NOT EXISTS and CREATE OR REPLACE race with themselves.
_SCHEMA_LOCK = 7_203_977_661
_SHARED_LOCK_STATEMENT = sql.SQL("SELECT pg_advisory_xact_lock({})").format(sql.Literal(_SCHEMA_LOCK))
# A session looks into the catalogue's cache until it takes the lock of a table: without this, it would not know of what
# another one created while it waited, and fail over it.
_CATALOGUE = sql.SQL("SELECT FROM pg_catalog.pg_namespace LIMIT 0")
_QUIET = sql.SQL("SET LOCAL client_min_messages = warning")
# What everything here is built from: with another one, `prepare` is due again.
_EDITION = f"{NAMESPACE.digest}.{CONSTRAINTS.digest}.{TOUCHING.digest}.{LOGS.digest}"
_PATIENCE = sql.SQL("SET LOCAL lock_timeout = '2s'")
_IMPATIENT = sql.SQL("SET LOCAL lock_timeout = '100ms'")
_PATIENCE_SECONDS = 3.0
_LOGGED_AT_ONCE = 5_000
Piece: TypeAlias = Callable[[Connection], object]
_Result = TypeVar("_Result")


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
        pieces = [
            *(partial(_add_type, namespace, each) for each in layouts if each.type not in known),
            *(partial(_hide_sensitive, namespace, each) for each in _less_hidden(layouts, known)),
        ]
    if known:
        for piece in pieces:
            _briefly(connection, piece)
    elif pieces:
        built = _briefly(connection, partial(_build_new, namespace, pieces))
        if not built:
            prepare(connection, namespace, layouts)
            return
    for each in layouts:
        stands = known.get(each.type, each)
        missing = [index for index in indexes_of(each) if index not in indexes_of(stands)]
        if missing:
            build_beside(connection, namespace, missing)
            both = (*stands.indexes, *(index.path for index in missing if index.path))
            by_uid, sensitive = each.by_uid or stands.by_uid, _sensitive(each, stands)
            _note_type(connection, namespace, Layout(each.type, both, by_uid, sensitive))


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
        str(name): Layout(
            str(name),
            tuple(cast("list[str]", indexes)),
            bool(by_uid),
            tuple(tuple(path) for path in cast("list[list[str]]", sensitive)),
        )
        for name, by_uid, indexes, sensitive in rows
    }


def _sensitive(layout: Layout, stands: Layout | None) -> tuple[tuple[str, ...], ...]:
    if layout.sensitive is not None:
        return layout.sensitive
    return (stands.sensitive if stands else None) or ()


def _less_hidden(layouts: Sequence[Layout], known: Mapping[str, Layout]) -> list[Layout]:
    """Give the types that stand, of which the change log hides other fields than it should."""
    return [
        replace(known[each.type], sensitive=each.sensitive)
        for each in layouts
        if each.type in known and each.sensitive not in (None, known[each.type].sensitive)
    ]


def drop(connection: Connection, namespace: Namespace) -> None:
    """Remove a namespace."""
    connection.execute(_QUIET)
    while _keep_log(connection, namespace):
        pass
    connection.execute(NAMESPACE("drop", schema=namespace.schema))


def drop_part(connection: Connection, namespace: Namespace) -> bool:
    """Remove one table of a namespace, or with the last one the namespace; tell whether something is left."""
    connection.execute(_QUIET)
    connection.execute(_PATIENCE)
    found = connection.execute(DROPPING("tables"), (namespace.schema,)).fetchone()
    if found is None:
        drop(connection, namespace)
        return False
    if found == ("change",) and _keep_log(connection, namespace):
        return True
    # What lacks a table does not stand any more.
    connection.execute(DROPPING("unmark", schema=namespace.schema))
    connection.execute(DROPPING("table", schema=namespace.schema, table=str(found[0])))
    return True


def _keep_log(connection: Connection, namespace: Namespace) -> bool:
    """Move entries of the change log out of a feed that is dropped; tell whether there were some."""
    if connection.execute(DROPPING("keeps_log"), (namespace.schema,)).fetchone() != (True,):
        return False
    asked = {"deployment": namespace.deployment, "version": namespace.version, "limit": _LOGGED_AT_ONCE}
    return connection.execute(DROPPING("keep_log", schema=namespace.schema), asked).fetchone() != (0,)


def _build_new(namespace: Namespace, pieces: Sequence[Piece], connection: Connection) -> bool:
    """Build all of a namespace; False when another process built it meanwhile, perhaps for other types."""
    if _known(connection, namespace):
        return False
    for piece in pieces:
        piece(connection)
    return True


def _briefly(connection: Connection, piece: Callable[[Connection], _Result]) -> _Result:
    """Do a piece in a commit of its own, again and again rather than let writers queue behind it for long."""
    until, pause = time.monotonic() + _PATIENCE_SECONDS, 0.05
    while True:
        try:
            with connection.transaction():
                connection.execute(_QUIET)
                connection.execute(_SHARED_LOCK_STATEMENT)
                connection.execute(_CATALOGUE)
                connection.execute(_IMPATIENT)
                return piece(connection)
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            if time.monotonic() > until:
                raise
        time.sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311
        pause = min(pause * 2, 0.5)


def _share(connection: Connection) -> None:
    if _is_built(connection, "switchyard"):
        return
    connection.execute(NAMESPACE("shared"))
    connection.execute(CONSTRAINTS("tables"))
    connection.execute(TOUCHING("table"))
    connection.execute(LOGS("tables"))
    _note_edition(connection, "switchyard")


def _pieces(namespace: Namespace, layouts: Sequence[Layout], known: Mapping[str, Layout]) -> list[Piece]:
    """List what builds a namespace, or brings one of an earlier edition up to date; no piece locks two tables.

    Types of an earlier definition have their tables still.
    """
    guarded = ["shadow", "reference", *(table_of(type_) for type_ in known)]
    hidden = {each.type: _sensitive(each, known.get(each.type)) for each in (*known.values(), *layouts)}
    return [
        partial(_create, namespace),
        *(
            partial(_hide_sensitive, namespace, replace(each, sensitive=hidden[each.type]))
            for each in known.values()
        ),
        *(partial(_guard, namespace, table) for table in guarded),
        *(partial(_add_type, namespace, each) for each in layouts if each.type not in known),
        lambda connection: _note_edition(connection, namespace.schema),
    ]


def _create(namespace: Namespace, connection: Connection) -> None:
    connection.execute(NAMESPACE("create", schema=namespace.schema))
    connection.execute(
        NAMESPACE.template("guard_function").format(
            schema=sql.Identifier(namespace.schema),
            deployment=sql.Literal(namespace.fence_key),
            version=sql.Literal(namespace.version),
            key=sql.Literal(lock_key(namespace.fence_key)),
        )
    )


def _hide_sensitive(namespace: Namespace, layout: Layout, connection: Connection) -> None:
    """Bring the table and the triggers of a type up to date, with what its layout hides."""
    _renew_type(namespace, layout, connection)
    _note_type(connection, namespace, layout)


def _renew_type(namespace: Namespace, layout: Layout, connection: Connection) -> None:
    table = table_of(layout.type)
    connection.execute(
        NAMESPACE.template("table").format(
            schema=sql.Identifier(namespace.schema),
            table=sql.Identifier(table),
            shard_index=sql.Identifier(shortened(f"{table}_shard")),
            type=sql.Literal(layout.type),
            sensitive=sql.Literal(json.encode(_listed(layout)).decode()),
        )
    )


def _add_type(namespace: Namespace, layout: Layout, connection: Connection) -> None:
    """Create the table of a type that is new here: no client writes it yet."""
    _renew_type(namespace, layout, connection)
    _guard(namespace, table_of(layout.type), connection)
    for index in indexes_of(layout):
        connection.execute(index.statement(namespace, beside=False))
    _note_type(connection, namespace, layout)


def _note_type(connection: Connection, namespace: Namespace, layout: Layout) -> None:
    noted = (layout.type, layout.by_uid, list(layout.indexes), Jsonb(_listed(layout)))
    connection.execute(NAMESPACE("note_type", schema=namespace.schema), noted)


def _listed(layout: Layout) -> list[list[str]]:
    return [list(path) for path in layout.sensitive or ()]


def _guard(namespace: Namespace, table: str, connection: Connection) -> None:
    connection.execute(NAMESPACE("guard", schema=namespace.schema, table=table))
