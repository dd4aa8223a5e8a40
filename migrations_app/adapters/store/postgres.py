"""The store on PostgreSQL: a namespace is a schema, a resource type a table in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

import psycopg
from psycopg import IsolationLevel, sql

from migrations_app.adapters.databases import Connection, Databases, Parameters, Row
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store import backfilling, replication_writes
from migrations_app.adapters.store.binary_copy import carried, read, revisions
from migrations_app.adapters.store.constraint_transfer import bring_outcomes, count
from migrations_app.adapters.store.fenced_reads import PostgresFencedRead
from migrations_app.adapters.store.preparing import drop, drop_part, is_current, prepare
from migrations_app.adapters.store.reading import PostgresReading, PostgresSnapshot
from migrations_app.adapters.store.rows import NAMESPACE, RESOURCE, resource_of, table_of
from migrations_app.adapters.store.scopes import BackfillScope, scope_of
from migrations_app.adapters.store.staging import packed
from migrations_app.adapters.store.writing import PostgresTransaction
from migrations_app.domain.conversion.compile.sql_witness import NEVER
from migrations_app.domain.parity.digest import Digest
from migrations_app.domain.sync import check_announced
from migrations_app.ports.conversions import Convert, ConvertText, SqlConversion, SqlPart
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import (
    BatchResult,
    Copied,
    FencedReading,
    KeyRange,
    Layout,
    Put,
    Reading,
    Removal,
    ReplicationToken,
    Snapshot,
    StoredResource,
    Tombstone,
    Transaction,
)

_WORD = 1 << 64


class PostgresStore:
    """Keeps namespaces in the data databases; `committed` is told which of them was written to."""

    def __init__(
        self, databases: Databases, committed: Callable[[Namespace], object] = lambda _: None
    ) -> None:
        self._databases, self._committed = databases, committed

    def prepare(self, namespace: Namespace, layouts: Sequence[Layout]) -> None:
        """Create a namespace or bring it up to these layouts."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            prepare(connection, namespace, layouts)

    def is_current(self, namespace: Namespace) -> bool:
        """Tell whether a namespace is built as `prepare` builds it today."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return is_current(connection, namespace)

    def drop(self, namespace: Namespace) -> None:
        """Remove a namespace with all it holds."""
        with translated(namespace), self._databases.transaction(namespace.database) as connection:
            drop(connection, namespace)

    def drop_part(self, namespace: Namespace) -> bool:
        """Remove one table, or with the last the namespace."""
        with translated(namespace), self._databases.transaction(namespace.database) as connection:
            return drop_part(connection, namespace)

    def types(self, namespace: Namespace) -> tuple[str, ...]:
        """Tell the resource types that a namespace is prepared for."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            place = sql.Identifier(namespace.schema, "resource_type").as_string()
            if connection.execute(NAMESPACE("exists"), (place,)).fetchone() != (True,):
                return ()
            rows = connection.execute(NAMESPACE("types", schema=namespace.schema)).fetchall()
        return tuple(str(row[0]) for row in rows)

    def read(self, namespace: Namespace) -> Reading:
        """Read a namespace, each call for itself."""
        return PostgresReading(namespace, lambda: self._databases.connection(namespace.database))

    @contextmanager
    def snapshot(self, namespace: Namespace) -> Iterator[Snapshot]:
        """Read a namespace and its fence as of one instant."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            try:
                with connection.transaction():
                    yield PostgresSnapshot(namespace, lambda: nullcontext(connection))
            finally:
                if not connection.closed:
                    connection.isolation_level = IsolationLevel.READ_COMMITTED
                    connection.read_only = None

    @contextmanager
    def fenced_read(self, namespace: Namespace, active: str | None) -> Iterator[FencedReading]:
        """Read a namespace by one question."""
        with self._databases.connection(namespace.database) as connection:
            yield PostgresFencedRead(namespace, connection, active)

    @contextmanager
    def transaction(self, namespace: Namespace) -> Iterator[Transaction]:
        """Write: commits at the end of the block, rolls back on an exception."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            try:
                yield PostgresTransaction(namespace, connection)
            except BaseException:
                # A connection that broke has nothing left to undo.
                with suppress(psycopg.OperationalError):
                    connection.rollback()
                raise
            connection.commit()
        self._committed(namespace)

    def page(self, namespace: Namespace, key_range: KeyRange) -> tuple[StoredResource, ...]:
        """Read the resources of a key range in the order of their names' bytes."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            rows = psycopg.Cursor(connection).execute(_page(namespace, key_range), binary=True).fetchall()
        return tuple(resource_of(key_range.type, row) for row in rows)

    def bound(self, namespace: Namespace, type: str, shard: int) -> str | None:
        """Tell the greatest name of a shard."""
        return cast("str | None", self._own(namespace, "bound", type, shard=shard)[0][0])

    def counts(self, namespace: Namespace, type: str) -> dict[int, int]:
        """Count resources per shard."""
        return {cast(int, row[0]): cast(int, row[1]) for row in self._own(namespace, "counts", type)}

    def size(self, namespace: Namespace) -> int:
        """Tell roughly how many bytes the namespace takes."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            row = connection.execute(NAMESPACE("size"), (namespace.schema,)).fetchone()
        return cast(int, cast(Row, row)[0])

    def bring_outcomes(self, source: Namespace, target: Namespace) -> datetime:
        """Bring the outcomes of attempts ahead of a move."""
        with translated(target):
            return bring_outcomes(self._databases, source, target)

    def constraint_rows(self, namespace: Namespace) -> int:
        """Count the dealings with others."""
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return count(connection, namespace.deployment)

    def apply(
        self, namespace: Namespace, changes: Sequence[Put | Removal], replication_token: ReplicationToken
    ) -> BatchResult:
        """Bring followed changes into a passive namespace, in its feed too."""
        if not changes:
            return BatchResult(0, 0, 0)
        shards = {change.origin_shard for change in changes}
        with self._following(namespace, replication_token, shards) as connection:
            return replication_writes.apply(connection, namespace, changes)

    def apply_through(
        self,
        source: Namespace,
        target: Namespace,
        type: str,
        announced: Mapping[str, int],
        target_type: str,
        convert: Convert,
        replication_token: ReplicationToken,
        text: ConvertText | None = None,
    ) -> BatchResult | None:
        """Bring followed resources from one connection to another; none is in a transaction while it converts."""
        asked = RESOURCE.template("named").format(
            schema=sql.Identifier(source.schema),
            table=sql.Identifier(table_of(type)),
            names=sql.Literal(list(announced)),
        )
        with translated(source), self._databases.connection(source.database) as connection:
            found = read(connection, asked)
        for name, revision in revisions(found):
            check_announced(type, name, revision, announced)
        page = carried(found, source, target, convert, text)
        if not page.rows:
            return BatchResult(0, 0, 0)
        if len({name for name, _ in page.rows}) < len(page.rows):
            return None
        with self._following(target, replication_token, set(page.shares)) as connection:
            return replication_writes.apply_page(connection, target, target_type, page)

    def copy(
        self, namespace: Namespace, page: Sequence[Put], replication_token: ReplicationToken
    ) -> BatchResult:
        """Bring a page of a backfill, out of the feed."""
        written = 0
        with self._following(namespace, replication_token, {put.origin_shard for put in page}) as connection:
            for type_ in dict.fromkeys(put.type for put in page):
                mine = [put for put in page if put.type == type_]
                written += backfilling.bring(connection, namespace, type_, packed(mine, namespace.ring), mine)
        return BatchResult(written, 0, len(page) - written)

    def copy_within(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        target_type: str,
        plan: SqlConversion,
        replication_token: ReplicationToken,
        convert: Convert,
    ) -> Copied | None:
        """Copy a page by one statement; what that is unsure about is converted before the transaction."""
        if source.database != target.database:
            return None
        pushed = _pushed(target_type, plan)
        if plan.unsure_expression == NEVER:
            with self._following(target, replication_token, set(key_range.afters)) as connection:
                return backfilling.copy_within(connection, source, target, key_range, [pushed])
        with translated(source), self._databases.connection(source.database) as connection:
            scope = scope_of(connection, source, key_range)
            if scope is None:
                return None
            unsure = read(connection, _page_of_shards(source, key_range, scope, plan.unsure_expression))
        # What changes meanwhile is followed: a page needs no one moment.
        page = carried(unsure, source, target, convert)
        with self._following(target, replication_token, set(key_range.afters)) as connection:
            copied = backfilling.copy_scope(connection, source, target, key_range, scope, [pushed])
            written = backfilling.bring_page(connection, target, target_type, page) if page.rows else 0
        return None if copied is None else replace(copied, written=copied.written + written)

    def copy_parts_within(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        parts: Sequence[SqlPart],
        replication_token: ReplicationToken,
    ) -> Copied | None:
        """Copy a page by one statement for each part."""
        if source.database != target.database or not parts:
            return None
        conversions = [_pushed(each.target_type, each.plan, each.condition_expression) for each in parts]
        with self._following(target, replication_token, set(key_range.afters)) as connection:
            return backfilling.copy_within(connection, source, target, key_range, conversions)

    def copy_through(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        target_type: str,
        convert: Convert,
        replication_token: ReplicationToken,
        text: ConvertText | None = None,
    ) -> Copied | None:
        """Copy a page from one connection to another: no transaction is open while it is converted."""
        with translated(source), self._databases.connection(source.database) as connection:
            scope = scope_of(connection, source, key_range) if key_range.beside else None
            if key_range.beside and scope is None:
                return None
            asked = _page(source, key_range) if scope is None else _page_of_shards(source, key_range, scope)
            found = read(connection, asked)
        page = carried(found, source, target, convert, text)
        many, written = len(page.rows), 0
        if page.rows:
            with self._following(target, replication_token, set(key_range.afters)) as connection:
                written = backfilling.bring_page(connection, target, target_type, page, scope)
        if scope is not None:
            return Copied(many, written, scope.last if scope.more else None, page.shares)
        return Copied(many, written, page.last if many == key_range.limit else None, page.shares)

    def names_by_uid(self, namespace: Namespace, type: str, uids: Sequence[UUID]) -> dict[UUID, str]:
        """Tell the names of resources by uid."""
        rows = self._rows(namespace, "names_by_uid", type, (list(uids),))
        return {cast(UUID, row[0]): str(row[1]) for row in rows}

    def digests(
        self, namespace: Namespace, type: str, by: Literal["shard", "origin_shard", "uid"]
    ) -> dict[int, Digest]:
        """Fingerprint a type in groups."""
        rows = cast("list[tuple[Any, ...]]", self._own(namespace, f"digests_{by}", type, ring=namespace.ring))
        return {
            int(group): Digest(count, int(first) % _WORD, int(second) % _WORD)
            for group, count, first, second in rows
        }

    def tombstones(
        self, namespace: Namespace, type: str, after: str = "", limit: int = 1000
    ) -> tuple[Tombstone, ...]:
        """Read tombstones in the order of their names."""
        rows = cast("list[tuple[Any, ...]]", self._rows(namespace, "tombstones", None, (type, after, limit)))
        return tuple(Tombstone(*row) for row in rows)

    @contextmanager
    def _following(
        self, namespace: Namespace, replication_token: ReplicationToken, shards: set[int]
    ) -> Iterator[Connection]:
        """Open a transaction of a follower in the shards of the origin that it writes."""
        with translated(namespace), self._databases.transaction(namespace.database) as connection:
            replication_writes.begin(connection, namespace, replication_token, shards)
            yield connection
        self._committed(namespace)

    def _own(self, namespace: Namespace, statement: str, type_: str, **asked: object) -> list[Row]:
        """Ask of what this deployment owns: read copies are nothing that a version brings along."""
        return self._rows(namespace, statement, type_, {**asked, "own": list(namespace.own)})

    def _rows(
        self, namespace: Namespace, statement: str, type_: str | None, parameters: Parameters
    ) -> list[Row]:
        place = {"schema": namespace.schema}
        if type_ is not None:
            place["table"] = table_of(type_)
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return connection.execute(RESOURCE(statement, **place), parameters or None).fetchall()


def _page_of_shards(
    namespace: Namespace, key_range: KeyRange, scope: BackfillScope, condition: str = "true"
) -> sql.Composed:
    return RESOURCE.template("page_abreast").format(
        schema=sql.Identifier(namespace.schema),
        table=sql.Identifier(table_of(key_range.type)),
        scope=sql.SQL("{} AND ({})").format(scope.condition, sql.SQL(condition)),
        own=sql.Literal(list(namespace.own)),
    )


def _page(namespace: Namespace, key_range: KeyRange) -> sql.Composed:
    name = "page_open" if key_range.upto is None else "page"
    return RESOURCE.template(name).format(
        schema=sql.Identifier(namespace.schema),
        table=sql.Identifier(table_of(key_range.type)),
        documents=RESOURCE.template("bare" if key_range.bare else "documents"),
        shard=sql.Literal(key_range.shard),
        after=sql.Literal(key_range.after),
        upto=sql.Literal(key_range.upto),
        limit=sql.Literal(key_range.limit),
        own=sql.Literal(list(namespace.own)),
    )


def _pushed(target_type: str, plan: SqlConversion, condition: str = "true") -> backfilling.PushedConversion:
    if plan.unsure_expression != NEVER:
        condition = f"({condition}) AND ({plan.unsure_expression}) IS NOT TRUE"
    return backfilling.PushedConversion(
        target_type, plan.name_expression, plan.body_expression, plan.references or (), condition
    )
