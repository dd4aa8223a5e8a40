"""Writes of followers to a passive PostgreSQL namespace, by staging."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.store.binary_copy import CopyPage
from migrations_app.adapters.store.rows import FOLLOWING, RESOURCE, table_of
from migrations_app.adapters.store.staging import packed
from migrations_app.adapters.store.writing import reference_columns
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import BatchResult, Put, Reference, Removal, ReplicationToken

_ANY = sql.SQL("")


class ReferenceSource(Protocol):
    """A written resource as far as its references go; None when they are unknown."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def revision(self) -> int:
        """The revision that was brought."""
        ...

    @property
    def references(self) -> tuple[Reference, ...] | None:
        """What it refers to."""
        ...


def begin(
    connection: Connection, namespace: Namespace, replication_token: ReplicationToken, shards: set[int]
) -> None:
    """Show the replication token to the fence, and wait for one's turn in the shards that are written.

    The trigger that notes changes row by row is left out where that is allowed, and else notes nothing: what is to
    be noted the statements note themselves.

    Taking turns keeps a deletion and an older image of the same resource, brought by two processes at
    once, from missing each other.
    """
    connection.execute(
        FOLLOWING("warrant"), (f"{replication_token.source_version}@{replication_token.epoch}", "off")
    )
    connection.execute(FOLLOWING("aside"), (namespace.schema,))
    connection.execute(FOLLOWING("own_shards"), (f"{namespace.schema}/", sorted(shards)))


def apply(connection: Connection, namespace: Namespace, changes: Sequence[Put | Removal]) -> BatchResult:
    """Stage changes and let what is newer win, type by type."""
    stage(connection, packed(changes, namespace.ring))
    written = removed = 0
    for type_ in dict.fromkeys(change.type for change in changes):
        place = {"schema": namespace.schema, "table": table_of(type_)}
        mine = [change for change in changes if change.type == type_]
        puts = [change for change in mine if isinstance(change, Put)]
        if len(puts) < len(mine):
            connection.execute(FOLLOWING("bury", **place), (type_,))
            removed += connection.execute(FOLLOWING("remove", **place), (type_, type_)).rowcount
        if puts:
            written += _take(connection, namespace, type_)
        apply_references(connection, namespace, type_, puts, removals=len(puts) < len(mine))
    return BatchResult(written, removed, len(changes) - written - removed)


def apply_page(connection: Connection, namespace: Namespace, type_: str, page: CopyPage) -> BatchResult:
    """Stage what was carried of one type and let what is newer win."""
    stage(connection, page.staged(type_))
    written = _take(connection, namespace, type_)
    apply_references(connection, namespace, type_, page.references, removals=False)
    return BatchResult(written, 0, len(page.rows) - written)


def _take(connection: Connection, namespace: Namespace, type_: str) -> int:
    """Take what is staged of a type, and note it in the feed."""
    statement = FOLLOWING.template("noted").format(
        schema=sql.Identifier(namespace.schema),
        type=sql.Literal(type_),
        upsert=upsert(namespace, type_, "guarded"),
    )
    return connection.execute(statement).rowcount


def upsert(namespace: Namespace, type_: str, way: str, held: sql.Composable = _ANY) -> sql.Composed:
    """Write the statement that takes what is staged: `fresh`, what is not held there; `guarded`, what is newer."""
    places = {
        "schema": sql.Identifier(namespace.schema),
        "table": sql.Identifier(table_of(type_)),
        "type": sql.Literal(type_),
    }
    where = FOLLOWING.template(way).format(held=held, **places)
    return FOLLOWING.template("upsert").format(where=where, **places)


def stage(connection: Connection, rows: Iterable[bytes]) -> None:
    """Put packed changes into the staging table of the transaction."""
    connection.execute(FOLLOWING("staging"))
    with connection.cursor() as cursor, cursor.copy(FOLLOWING("stage")) as copy:
        for piece in rows:
            copy.write(piece)


def apply_references(
    connection: Connection,
    namespace: Namespace,
    type_: str,
    told: Sequence[ReferenceSource],
    *,
    removals: bool,
) -> None:
    """Replace the references of staged resources whose references are told; those of removed ones go."""
    telling = [each for each in told if each.references is not None]
    if not telling and not removals:
        return
    place = {"schema": namespace.schema, "table": table_of(type_)}
    names = [each.name for each in telling]
    connection.execute(FOLLOWING("clear_staged_references", **place), (type_, names))
    _add_references(connection, namespace, type_, telling)


def fill_references(
    connection: Connection, namespace: Namespace, type_: str, told: Sequence[ReferenceSource]
) -> None:
    """Write the references of resources that were not there before, where they are told."""
    telling = [each for each in told if each.references is not None]
    if telling:
        names = [each.name for each in telling]
        connection.execute(RESOURCE("clear_references", schema=namespace.schema), (type_, names))
        _add_references(connection, namespace, type_, telling)


def _add_references(
    connection: Connection, namespace: Namespace, type_: str, telling: Sequence[ReferenceSource]
) -> None:
    rows = [
        (each.name, each.revision, ordinal, *reference_columns(reference))
        for each in telling
        for ordinal, reference in enumerate(each.references or ())
    ]
    if rows:
        place = {"schema": namespace.schema, "table": table_of(type_)}
        columns = [list(column) for column in zip(*rows, strict=True)]
        connection.execute(FOLLOWING("add_staged_references", **place), (type_, *columns))
