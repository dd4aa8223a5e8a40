"""Pages of a backfill in PostgreSQL: copied within the database, or brought by staging.

What the other side does not hold yet goes in unguarded: a guarded insert looks every key up, and writes a note of its
own for each row. The shard's lock, held since before the look, keeps others from bringing the same resources meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.store.binary_copy import CopyPage
from migrations_app.adapters.store.reference_queries import refer
from migrations_app.adapters.store.replication_writes import (
    ReferenceSource,
    apply_references,
    fill_references,
    stage,
    upsert,
)
from migrations_app.adapters.store.rows import FOLLOWING, table_of
from migrations_app.adapters.store.scopes import BackfillScope, scope_of
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Copied, KeyRange, ReferencePath


def bring(
    connection: Connection,
    namespace: Namespace,
    type_: str,
    rows: Iterable[bytes],
    told: Sequence[ReferenceSource],
) -> int:
    """Stage packed rows of one type and take them; tell how many were written."""
    stage(connection, rows)
    places = _places(namespace, type_)
    held = _held(connection, places, "held_named", brought=_filled("staged", places))
    written = 0
    for way, restriction in _ways(held, len(told)):
        written += connection.execute(upsert(namespace, type_, way, restriction)).rowcount
    apply_references(connection, namespace, type_, told, removals=False)
    return written


def bring_page(
    connection: Connection,
    namespace: Namespace,
    type_: str,
    page: CopyPage,
    scope: BackfillScope | None = None,
) -> int:
    """Put a carried page where it belongs: straight into the table, or by staging where something is held already."""
    places = _places(namespace, type_)
    told = page.references
    held = _held_of(connection, places, page, scope)
    written = 0
    if len(held) < len(page.rows):
        with connection.cursor() as cursor:
            with cursor.copy(_filled("straight", places)) as copy:
                for piece in page.packed_rows(held):
                    copy.write(piece)
            written = cursor.rowcount
        fill_references(
            connection, namespace, type_, [each for each in told if each.name.encode() not in held]
        )
    if held:
        stage(connection, page.staged(type_, held))
        written += connection.execute(upsert(namespace, type_, "guarded")).rowcount
        still = [each for each in told if each.name.encode() in held]
        apply_references(connection, namespace, type_, still, removals=False)
    return written


def _held_of(
    connection: Connection, places: dict[str, sql.Composable], page: CopyPage, scope: BackfillScope | None
) -> set[bytes]:
    """Tell which names of a page the other side holds, or has held.

    Names that stay the same are asked for by their range, as long as there is less in it than the page has.
    """
    if scope is not None and page.alike:
        ends = {"after": sql.Literal(scope.after), "last": sql.Literal(scope.last)}
        parts = places | ends | {"scope": scope.condition, "most": sql.Literal(len(page.rows))}
        between = {
            str(row[0]).encode() for row in connection.execute(_filled("held_between", parts)).fetchall()
        }
        if len(between) < len(page.rows):
            return between & {name for name, _ in page.rows}
    rows = connection.execute(_filled("held_among", places), (page.names,)).fetchall()
    return {str(row[0]).encode() for row in rows}


@dataclass(frozen=True, slots=True)
class PushedConversion:
    """How the resources of a page for which a condition holds become those of a type, in the words of the database."""

    target_type: str
    name_expression: str
    body_expression: str
    trails: Sequence[ReferencePath] = ()
    condition: str = "true"


def copy_within(
    connection: Connection,
    source: Namespace,
    target: Namespace,
    key_range: KeyRange,
    conversions: Sequence[PushedConversion],
) -> Copied | None:
    """Copy one page by set-based statements, after finding where the page ends; None where it cannot be found.

    None also when a resource of it meets no condition.
    """
    scope = scope_of(connection, source, key_range)
    return None if scope is None else copy_scope(connection, source, target, key_range, scope, conversions)


def copy_scope(
    connection: Connection,
    source: Namespace,
    target: Namespace,
    key_range: KeyRange,
    scope: BackfillScope,
    conversions: Sequence[PushedConversion],
) -> Copied | None:
    """Copy a page whose end is known; None when a resource of it meets no condition of several."""
    if not scope.read:
        return Copied(0, 0, scope.last if scope.more else None)
    places = {
        "source_schema": sql.Identifier(source.schema),
        "source_table": sql.Identifier(table_of(key_range.type)),
        "scope": scope.condition,
        "after": sql.Literal(min(key_range.afters.values())),
        "last": sql.Literal(scope.last),
        "own": sql.Literal(list(source.own)),
    }
    if len(conversions) > 1:
        any_of = sql.SQL(" OR ").join(sql.SQL(f"({each.condition})") for each in conversions)
        if connection.execute(_filled("of_no_part", places | {"condition": any_of})).fetchone():
            return None
    written = sum(_copy_part(connection, (source, target), each, scope, places) for each in conversions)
    return Copied(scope.read, written, scope.last if scope.more else None, scope.shares)


def _copy_part(
    connection: Connection,
    ends: tuple[Namespace, Namespace],
    conversion: PushedConversion,
    scope: BackfillScope,
    page: dict[str, sql.Composable],
) -> int:
    """Copy what of a page becomes one type; tell how many were written."""
    source, target = ends
    same_name = conversion.name_expression.strip().strip("()") in ("name", '"name"')
    alike = same_name and source.ring == target.ring
    shard = "c.shard" if alike else "switchyard.shard_of(c.name, {})"
    places = _places(target, conversion.target_type) | page
    places |= {
        "name_expression": sql.SQL(conversion.name_expression),
        "body_expression": sql.SQL(conversion.body_expression),
        "target_shard": sql.SQL(shard).format(sql.Literal(target.ring)),
        "condition": sql.SQL(conversion.condition),
        "returning": sql.SQL("RETURNING t.name" if conversion.trails else ""),
    }
    if alike:
        held = _held(connection, places, "held_alike")
    else:
        held = _held(connection, places, "held_named", brought=_filled("brought_within", places))
    written = 0
    for way, restriction in _ways(held, scope.read):
        where = FOLLOWING.template(way).format(**places | {"held": restriction})
        cursor = connection.execute(_filled("copy_within", places | {"where": where}))
        written += cursor.rowcount
        if conversion.trails:
            names = [str(row[0]) for row in cursor.fetchall()]
            refer(connection, target, conversion.target_type, names, conversion.trails)
    return written


def _places(target: Namespace, type_: str) -> dict[str, sql.Composable]:
    return {
        "schema": sql.Identifier(target.schema),
        "table": sql.Identifier(table_of(type_)),
        "type": sql.Literal(type_),
    }


def _held(
    connection: Connection, places: dict[str, sql.Composable], look: str, **more: sql.Composable
) -> list[str]:
    """Name what the other side holds of a page, or has held: resources that were followed, and tombstones."""
    return [str(row[0]) for row in connection.execute(_filled(look, places | more)).fetchall()]


def _ways(held: list[str], page: int) -> Iterable[tuple[str, sql.Composable]]:
    """Choose how a page is written, and of which names."""
    if len(held) < page:
        yield "fresh", sql.Literal(held)
    if held:
        yield "guarded", FOLLOWING.template("held").format(held=sql.Literal(held))


def _filled(name: str, places: dict[str, sql.Composable]) -> sql.Composed:
    return FOLLOWING.template(name).format(**places)
