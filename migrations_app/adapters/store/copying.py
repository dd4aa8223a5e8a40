"""Read copies in PostgreSQL namespaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar, cast

from psycopg import errors
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Connection, Databases, Rows
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store import replication_writes
from migrations_app.adapters.store.preparing import prepare, prepare_shared
from migrations_app.adapters.store.rows import COPYING, FOLLOWING, table_of
from migrations_app.adapters.store.staging import packed
from migrations_app.kernel.errors import Missing, Stale
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import kept_message, phrases_as_json
from migrations_app.ports.copies import (
    ComparisonStage,
    CopyScope,
    CopySource,
    FeedLook,
    OwnedIdentity,
    ResourceIdentity,
)
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import BatchResult, Put, Removal, ReplicationToken

_Result = TypeVar("_Result")


class PostgresCopies:
    """Keeps read copies beside what the deployment owns."""

    def __init__(
        self, databases: Databases, committed: Callable[[Namespace], object] = lambda _: None
    ) -> None:
        self._databases, self._committed = databases, committed

    def source(self, namespace: Namespace, region: str) -> CopySource:
        """Read where a namespace stands with a source."""
        found = self._sources(namespace, region)
        return found[0] if found else CopySource(region)

    def sources(self, namespace: Namespace) -> tuple[CopySource, ...]:
        """Read where a namespace stands with every source."""
        return self._sources(namespace, None)

    def note(self, namespace: Namespace, source: CopySource) -> CopySource:
        """Keep where a namespace stands."""
        return self._brought_up_to_date(namespace, lambda connection: _note(connection, namespace, source))

    def note_look(self, place: Namespace, look: FeedLook) -> None:
        """Note since when sources have not moved."""
        try:
            self._note_look(place, look)
        except Missing:
            # Nothing was served from this database since an earlier release set it up.
            with translated(place), self._databases.connection(place.database) as connection:
                prepare_shared(connection)
            self._note_look(place, look)

    def _note_look(self, place: Namespace, look: FeedLook) -> None:
        asked = {
            "watched": look.watched,
            "at": look.at,
            "deployments": list(look.rests_since),
            "since": list(look.rests_since.values()),
        }
        with (
            translated(place),
            self._databases.transaction(place.database) as connection,
            connection.pipeline(),
        ):
            for namespace, region in look.moved:
                kept = {"region": region, "service": _service_of(namespace)}
                connection.execute(COPYING("keep_level", schema=namespace.schema), kept)
            connection.execute(COPYING("note_look"), asked)

    def bring(
        self,
        namespace: Namespace,
        source: CopySource,
        changes: Sequence[Put | Removal],
        replication_token: ReplicationToken | None = None,
    ) -> tuple[CopySource, BatchResult]:
        """Write copies, and where the namespace stands after them."""
        shown = f"{replication_token.source_version}@{replication_token.epoch}" if replication_token else ""

        def write(connection: Connection) -> tuple[CopySource, BatchResult]:
            with connection.transaction():
                noted = _note(connection, namespace, source)
                # The statements note their own changes: the trigger would bury what is no deletion of ours.
                connection.execute(FOLLOWING("warrant"), (shown, "off"))
                return noted, _apply(connection, namespace, source.region, changes)

        written = self._brought_up_to_date(namespace, write)
        self._committed(namespace)
        return written

    def forget(self, namespace: Namespace, source: CopySource) -> None:
        """Forget a source."""
        asked = {"region": source.region, "rev": source.rev}
        with translated(namespace), self._databases.transaction(namespace.database) as connection:
            if not connection.execute(COPYING("forget", schema=namespace.schema), asked).rowcount:
                raise _moved(source)

    def held(
        self, namespace: Namespace, region: str, type: str, after: str, limit: int
    ) -> tuple[ResourceIdentity, ...]:
        """List copies."""
        rows = self._rows(namespace, "held", type, region=region, after=after, limit=limit)
        return _held(type, rows)

    def known(self, namespace: Namespace, region: str, type: str, names: Sequence[str]) -> dict[str, int]:
        """Tell the revisions of copies."""
        rows = self._rows(namespace, "known", type, region=region, names=list(names))
        return {str(row[0]): cast(int, row[1]) for row in rows}

    def owned(
        self, namespace: Namespace, scope: CopyScope, after: str, limit: int
    ) -> tuple[OwnedIdentity, ...]:
        """List what the deployment itself owns."""
        asked = {"own": list(namespace.own), "reader": scope.reader, "after": after, "limit": limit}
        statement = "owned_below" if scope.prefix else "owned"
        rows = self._rows(namespace, statement, scope.type, **asked, prefix=scope.prefix)
        return tuple(OwnedIdentity(scope.type, *row) for row in cast("list[tuple[Any, ...]]", rows))

    def _sources(self, namespace: Namespace, region: str | None) -> tuple[CopySource, ...]:
        asked = {"region": region, "service": _service_of(namespace)}

        def read(connection: Connection) -> Rows:
            return connection.execute(COPYING("sources", schema=namespace.schema), asked).fetchall()

        rows = self._brought_up_to_date(namespace, read)
        return tuple(_source(row) for row in cast("list[tuple[Any, ...]]", rows))

    def _brought_up_to_date(self, namespace: Namespace, work: Callable[[Connection], _Result]) -> _Result:
        """Do some work; a namespace that an earlier release built, and that is not served from, is brought up to date first."""
        with translated(namespace):
            try:
                with self._databases.connection(namespace.database) as connection:
                    return work(connection)
            except errors.UndefinedColumn:
                with self._databases.connection(namespace.database) as connection:
                    prepare(connection, namespace, ())
                    return work(connection)

    def _rows(self, namespace: Namespace, statement: str, type_: str, **asked: object) -> Rows:
        place = {"schema": namespace.schema, "table": table_of(type_)}
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return connection.execute(COPYING(statement, **place), asked).fetchall()


def _service_of(namespace: Namespace) -> str:
    """Give what the names of all deployments of a namespace's service begin with."""
    return namespace.deployment.rpartition("/")[0] + "/"


def _note(connection: Connection, namespace: Namespace, source: CopySource) -> CopySource:
    problem = {
        "problem": str(source.problem),
        "problem_phrases": Jsonb(phrases_as_json(source.problem.phrases)),
    }
    asked = asdict(source) | problem
    row = connection.execute(COPYING("note", schema=namespace.schema), asked).fetchone()
    if row is None:
        raise _moved(source)
    return replace(source, rev=cast(int, row[0]))


def _source(row: tuple[Any, ...]) -> CopySource:
    region, position, stage, *progress, problem, phrases, rev = row
    source = CopySource(region, position, ComparisonStage(stage), *progress)
    return replace(source, problem=kept_message(problem, phrases), rev=rev)


def _moved(source: CopySource) -> Stale:
    return Stale(message("Another worker copies from {region}.", region=source.region), code="copies-moved")


def _apply(
    connection: Connection, namespace: Namespace, region: str, changes: Sequence[Put | Removal]
) -> BatchResult:
    if not changes:
        return BatchResult(0, 0, 0)
    replication_writes.stage(connection, packed(changes, namespace.ring))
    written = removed = 0
    for type_ in sorted({change.type for change in changes}):
        place = {"schema": namespace.schema, "table": table_of(type_)}
        asked = {"type": type_, "region": region, "origin": f"@{region}", "own": list(namespace.own)}
        kinds = {type(change) for change in changes if change.type == type_}
        if Removal in kinds:
            removed += connection.execute(COPYING("remove", **place), asked).rowcount
        if Put in kinds:
            written += connection.execute(COPYING("upsert", **place), asked).rowcount
    return BatchResult(written, removed, len(changes) - written - removed)


def _held(type_: str, rows: Rows) -> tuple[ResourceIdentity, ...]:
    return tuple(ResourceIdentity(type_, *row) for row in cast("list[tuple[Any, ...]]", rows))
