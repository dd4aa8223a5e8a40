"""Writes of followers to a passive PostgreSQL namespace: by staging, or within the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.store.referring import refer
from migrations_app.adapters.store.rows import FOLLOWING, RESOURCE, table_of
from migrations_app.adapters.store.staging import packed
from migrations_app.adapters.store.writing import reference_columns, write_references
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import (
    Applied,
    Copied,
    Put,
    Reference,
    Removal,
    Stretch,
    Trail,
    Warrant,
)


def begin(
    connection: Connection, namespace: Namespace, warrant: Warrant, shards: set[int], capture: bool
) -> None:
    """Show the warrant to the fence, and wait for one's turn in the shards that are written.

    Taking turns keeps a deletion and an older image of the same resource, brought by two processes at
    once, from missing each other.
    """
    connection.execute(
        FOLLOWING("warrant"), (f"{warrant.source_version}@{warrant.epoch}", "" if capture else "off")
    )
    connection.execute(FOLLOWING("own_shards"), (f"{namespace.schema}/", sorted(shards)))


def apply(connection: Connection, namespace: Namespace, changes: Sequence[Put | Removal]) -> Applied:
    """Stage changes and let what is newer win, type by type."""
    stage(connection, namespace, changes)
    written = removed = 0
    for type_ in dict.fromkeys(change.type for change in changes):
        place = {"schema": namespace.schema, "table": table_of(type_)}
        mine = [change for change in changes if change.type == type_]
        puts = [change for change in mine if isinstance(change, Put)]
        if len(puts) < len(mine):
            connection.execute(FOLLOWING("bury", **place), (type_,))
            removed += connection.execute(FOLLOWING("remove", **place), (type_,)).rowcount
        if puts:
            written += connection.execute(FOLLOWING("upsert", **place), (type_,)).rowcount
        _apply_references(connection, namespace, type_, puts, removals=len(puts) < len(mine))
    return Applied(written, removed, len(changes) - written - removed)


def stage(connection: Connection, namespace: Namespace, changes: Sequence[Put | Removal]) -> None:
    """Put changes into the staging table of the transaction."""
    connection.execute(FOLLOWING("staging"))
    with connection.cursor() as cursor, cursor.copy(FOLLOWING("stage")) as copy:
        for piece in packed(changes, namespace.ring):
            copy.write(piece)


def _apply_references(
    connection: Connection, namespace: Namespace, type_: str, puts: Sequence[Put], *, removals: bool
) -> None:
    telling = [put for put in puts if put.references is not None]
    if not telling and not removals:
        return
    place = {"schema": namespace.schema, "table": table_of(type_)}
    connection.execute(FOLLOWING("clear_staged_references", **place), (type_, [put.name for put in telling]))
    rows = [
        (type_, ordinal, *reference_columns(reference), put.name, put.revision)
        for put in telling
        for ordinal, reference in enumerate(put.references or ())
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(FOLLOWING("add_staged_reference", **place), rows)


def replace_references(
    connection: Connection, namespace: Namespace, type_: str, references: Mapping[str, tuple[Reference, ...]]
) -> None:
    """Replace the references of resources by name."""
    connection.execute(RESOURCE("clear_references", schema=namespace.schema), (type_, list(references)))
    for name, found in references.items():
        if found:
            write_references(connection, namespace, type_, name, found)


def copy_within(
    connection: Connection,
    source: Namespace,
    target: Namespace,
    stretch: Stretch,
    target_type: str,
    expressions: tuple[str, str],
    trails: Sequence[Trail] = (),
) -> Copied:
    """Copy one page by a single statement, after finding where the page ends."""
    place = {"schema": source.schema, "table": table_of(stretch.type)}
    asked = {
        "shard": stretch.shard,
        "after": stretch.after,
        "upto": stretch.upto,
        "limit": stretch.limit,
        "own": list(source.own),
    }
    row = connection.execute(FOLLOWING("stretch", **place), asked).fetchone()
    read, last = cast(tuple[int, str | None], row)
    if last is None:
        return Copied(0, 0, None)
    name_expression, body_expression = expressions
    same_name = name_expression.strip().strip("()") in ("name", '"name"')
    shard = (
        sql.SQL("c.shard")
        if same_name and source.ring == target.ring
        else sql.SQL("switchyard.shard_of(c.name, {})").format(sql.Literal(target.ring))
    )
    statement = FOLLOWING.template("copy_within").format(
        schema=sql.Identifier(target.schema),
        table=sql.Identifier(table_of(target_type)),
        source_schema=sql.Identifier(source.schema),
        source_table=sql.Identifier(table_of(stretch.type)),
        name_expression=sql.SQL(name_expression),
        body_expression=sql.SQL(body_expression),
        target_shard=shard,
        type=sql.Literal(target_type),
        shard=sql.Literal(stretch.shard),
        after=sql.Literal(stretch.after),
        last=sql.Literal(last),
        own=sql.Literal(list(source.own)),
        returning=sql.SQL("RETURNING t.name" if trails else ""),
    )
    cursor = connection.execute(statement)
    if trails:
        refer(connection, target, target_type, [str(row[0]) for row in cursor.fetchall()], trails)
    return Copied(read, cursor.rowcount, last if read == stretch.limit else None)
