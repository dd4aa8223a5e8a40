"""Writes of clients to one PostgreSQL namespace, inside one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import NoReturn, cast
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Connection, Row, Rows
from migrations_app.adapters.refusals import refuse_copy, translated
from migrations_app.adapters.store.constraints import PostgresConstraints
from migrations_app.adapters.store.reading import PostgresReading
from migrations_app.adapters.store.rows import RESOURCE, resource_of
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import (
    AlreadyExists,
    BeingDeleted,
    NotFound,
    RevisionConflict,
)
from migrations_app.kernel.messages import message
from migrations_app.kernel.request_origin import current_origin
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import ABSENT, Draft, Reference, Shadow, ShadowState, StoredResource

_BEGIN = b"BEGIN ISOLATION LEVEL READ COMMITTED"


class PostgresTransaction(PostgresReading):
    """Reads and writes over the one connection that holds the transaction."""

    def __init__(self, namespace: Namespace, connection: Connection) -> None:
        super().__init__(namespace, lambda: nullcontext(connection))
        self._connection = connection
        self._begun = False
        self._passed = False
        self._constraints: PostgresConstraints | None = None

    def begin(self) -> None:
        """Begin the transaction with its first lock or write; what is read before sees single instants anyway."""
        if not self._begun:
            self._begun = True
            self._connection.run(_BEGIN)

    def put(self, draft: Draft, expected: int | None = None, *, alone: bool = False) -> StoredResource:
        """Write a resource, its references and its shadow."""
        # One statement commits by itself.
        if not alone or draft.references or expected is None:
            self.begin()
        row = None
        if expected != ABSENT:
            row = self._update(draft, expected)
        if row is None and expected in (None, ABSENT):
            row = self._insert(draft)
            if row is None and expected is None:
                row = self._update(draft, None)
        if row is None:
            self._explain(draft.type, draft.name, expected)
        self._passed = self._begun
        return resource_of(draft.type, row)

    def delete(self, type: str, name: str, expected: int | None = None) -> StoredResource:
        """Delete a resource with its references and shadow."""
        self.begin()
        row = self._one(
            "delete",
            type,
            {
                "name": name,
                "expected": expected,
                "own": list(self._namespace.own),
                "request": request_text(),
            },
        )
        if row is None:
            self._explain(type, name, expected)
        gone = resource_of(type, row)
        self._clear(type, [name], [gone.uid])
        return gone

    def delete_all(self, type: str, names: Sequence[str]) -> int:
        """Delete those of the resources that exist, with all that is kept of them."""
        self.begin()
        rows = self._rows(self._about("delete_all", type), {"names": list(names), "request": request_text()})
        uids = [cast(UUID, row[0]) for row in rows]
        self._clear(type, list(names), uids)
        self.constraints.owners.forget(*uids)
        return len(uids)

    def _clear(self, type_: str, names: list[str], uids: Sequence[UUID]) -> None:
        self._run("clear_references", (type_, names))
        self._run("drop_shadows", (type_, names))
        self.constraints.forget_active(*uids)

    def lock_all(self, keys: Sequence[tuple[str, str]]) -> None:
        """Lock the shadows of many resources, planting the rows of those that have none yet."""
        self.begin()
        chosen: dict[str, object] = {
            "types": [type_ for type_, _ in keys],
            "names": [name for _, name in keys],
        }
        for statement in ("plant_shadows", "lock_shadows"):
            with translated(self._namespace):
                self._connection.execute(self._about(statement), chosen)
        self._passed = True

    def lock(self, type: str, name: str, *, shared: bool = False) -> Shadow | None:
        """Lock a shadow, planting the row if the resource has none yet."""
        if self.shadow(type, name) is None:
            return None
        self.begin()
        self._run("plant_shadow", (type, name))
        self._rows(self._about("share_shadow" if shared else "lock_shadow"), (type, name))
        # Read only now: it may have changed while the lock was waited for.
        return self.shadow(type, name)

    def hold(self, targets: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShadowState]:
        """Lock shadows shared."""
        self.begin()
        types, names = ([each[part] for each in targets] for part in (0, 1))
        self._rows(self._about("hold"), (types, names))
        # Read only now: it may have changed while the locks were waited for.
        return {
            (type_, str(row[0])): ShadowState(str(row[1]))
            for type_ in dict.fromkeys(types)
            for row in self._rows(
                self._about("held", type_),
                (self._namespace.deployment, [name for each, name in targets if each == type_]),
            )
        }

    def put_shadow(self, shadow: Shadow) -> None:
        """Write a shadow as given."""
        if shadow.uid is None:
            found = self.shadow(shadow.type, shadow.name)
            shadow = replace(shadow, uid=found.uid if found else None)
        self.constraints.write(shadow)

    @property
    def constraints(self) -> PostgresConstraints:
        """The rows of the deployment's dealings with others."""
        if self._constraints is None:
            self._constraints = PostgresConstraints(self._namespace, self._rows, self._count)
        if self._passed:
            self._constraints.entered()
        return self._constraints

    def _count(self, statement: sql.Composed, parameters: dict[str, object]) -> Rows:
        self.begin()
        with translated(self._namespace):
            return [(self._connection.run(statement, parameters),)]

    def _insert(self, draft: Draft) -> Row | None:
        row = self._one(
            "insert",
            draft.type,
            {
                "deployment": self._namespace.deployment,
                "version": self._namespace.version,
                "type": draft.type,
                "name": draft.name,
                "shard": shard_of(draft.name, self._namespace.ring),
                "origin_shard": draft.origin_shard,
                "uid": draft.uid,
                "body": Jsonb(draft.body),
                "metadata": Jsonb(draft.metadata),
                "owning_region": draft.owning_region,
                "request": request_text(),
            },
        )
        if row is not None and draft.references:
            write_references(self._connection, self._namespace, draft.type, draft.name, draft.references)
        return row

    def _update(self, draft: Draft, expected: int | None) -> Row | None:
        row = self._one(
            "update_without_references" if draft.references == () else "update",
            draft.type,
            {
                "type": draft.type,
                "name": draft.name,
                "origin_shard": draft.origin_shard,
                "body": Jsonb(draft.body),
                "metadata": Jsonb(draft.metadata),
                "owning_region": draft.owning_region,
                "expected": expected,
                "own": list(self._namespace.own),
                "request": request_text(),
            },
        )
        if row is not None and draft.references:
            self._replace_references(draft.type, draft.name, draft.references)
        return row

    def _replace_references(self, type_: str, name: str, references: Sequence[Reference]) -> None:
        if self.references(type_, name) == tuple(references):
            return
        self._run("clear_references", (type_, [name]))
        write_references(self._connection, self._namespace, type_, name, references)

    def _explain(self, type_: str, name: str, expected: int | None) -> NoReturn:
        found = self.get(type_, name)
        refuse_copy(self._namespace, found)
        # What is being deleted may still have its row: until both are gone, no other resource gets the name.
        creates = expected == ABSENT or (found is None and expected is None)
        if creates and self._barred(type_, name) is not None:
            raise BeingDeleted(
                message("{name} is still being deleted.", name=name),
                remedy=message("Wait until its deletion is done."),
                name=name,
            )
        if found is None:
            raise NotFound(message("There is no {type} {name}.", type=type_, name=name), name=name)
        if expected == ABSENT:
            raise AlreadyExists(message("{name} exists already.", name=name), name=name)
        raise RevisionConflict(
            message(
                "{name} is at revision {revision}, not {expected}.",
                name=name,
                revision=found.revision,
                expected=str(expected),
            ),
            remedy=message("Read it again, then decide again."),
            name=name,
            found=found.revision,
        )

    def _one(self, statement: str, type_: str, parameters: dict[str, object]) -> Row | None:
        rows = self._rows(self._about(statement, type_), parameters)
        return rows[0] if rows else None

    def _run(self, statement: str, parameters: tuple[object, ...]) -> None:
        with translated(self._namespace):
            self._connection.run(self._about(statement), parameters)


def request_text() -> str:
    """Give the request that is carried out as the change log keeps it: its id, a space, and the caller."""
    origin = current_origin()
    return f"{origin.request_id} {origin.caller}" if origin.request_id or origin.caller else ""


def write_references(
    connection: Connection, namespace: Namespace, type_: str, name: str, references: Sequence[Reference]
) -> None:
    """Add the rows of a resource's references, of which there is at least one."""
    columns = map(list, zip(*map(reference_columns, references), strict=True))
    with translated(namespace):
        connection.run(
            RESOURCE("add_references", schema=namespace.schema),
            (type_, name, *columns, list(range(len(references)))),
        )


def reference_columns(reference: Reference) -> tuple[str, ...]:
    """Give the columns of a reference in the order the statements write them."""
    return (
        reference.path,
        reference.kind.value,
        reference.target_service,
        reference.target_region,
        reference.target_version,
        reference.target_type,
        reference.target_name,
    )
