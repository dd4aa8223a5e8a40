"""One read of a PostgreSQL namespace: a single statement, which also returns the fence of its instant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, cast

from psycopg import sql

from migrations_app.adapters.databases import Connection, Parameters, Rows
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store import listing
from migrations_app.adapters.store.rows import RESOURCE, fence_missing, resource_of, table_of
from migrations_app.kernel.errors import Missing, NotActive
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Listing, NeedsSnapshot, Query, StoredResource


class PostgresFencedRead:
    """Answers one question over a connection that is in no transaction.

    A statement of its own sees one instant, so what it reads of the fence goes with the rows beside it.
    """

    def __init__(self, namespace: Namespace, connection: Connection, active: str | None) -> None:
        self._namespace, self._connection, self._active = namespace, connection, active
        self.asked = False

    def get(self, type: str, name: str) -> StoredResource | None:
        """Read one resource."""
        rows = self._ask(self._about("fenced_get", type), (name, self._namespace.fence_key))
        return resource_of(type, rows[0]) if rows[0][0] is not None else None

    def batch_get(self, type: str, names: Sequence[str]) -> dict[str, StoredResource]:
        """Read those of the names that exist."""
        rows = self._ask(self._about("fenced_get_batch", type), (list(names), self._namespace.fence_key))
        found = (resource_of(type, row) for row in rows if row[0] is not None)
        return {resource.name: resource for resource in found}

    def list(self, query: Query) -> Listing:
        """List resources of a type."""
        if query.total:
            raise NeedsSnapshot
        plan = listing.planned(self._namespace, query, with_active=True)
        return plan.listing([row[:-1] for row in self._ask(plan.rows, plan.values)], None)

    def _ask(self, statement: sql.Composed, parameters: Parameters = None) -> Rows:
        if self.asked:
            raise NeedsSnapshot
        with translated(self._namespace):
            rows = self._connection.rows(statement, parameters)
        if not rows:
            # Either there is no fence, or there are no rows that could tell of it.
            raise NeedsSnapshot
        told = cast("str | None", rows[0][-1])
        if told is None:
            raise Missing(fence_missing(self._namespace), code="fence-missing")
        if self._active not in (None, told):
            raise NotActive(
                message(
                    "{deployment} is not read in {active}.",
                    deployment=self._namespace.deployment,
                    active=self._active,
                ),
                active=told,
            )
        self.asked = True
        return rows

    def _about(self, statement: str, type_: str) -> sql.Composed:
        return RESOURCE(statement, schema=self._namespace.schema, table=table_of(type_))

    def _more(self, *_: object, **__: object) -> NoReturn:
        raise NeedsSnapshot

    present = references = references_of = referrers = referrers_of = shadow = shadows = _more
    referrer_counts = referrer_page = _more
    constraints = property(_more)
