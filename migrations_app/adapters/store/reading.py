"""Reads of one PostgreSQL namespace, over one connection or one for each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import cast

from psycopg import sql

from migrations_app.adapters.databases import Connection, Parameters, Rows
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store import listing
from migrations_app.adapters.store.constraints import (
    CONSTRAINTS,
    PostgresConstraints,
    reference_from,
    shadow_from,
)
from migrations_app.adapters.store.rows import (
    RESOURCE,
    fence_missing,
    fence_of,
    resource_of,
    table_of,
)
from migrations_app.kernel.errors import Missing
from migrations_app.ports.fence import FenceLocation, FenceState
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.referrer_queries import (
    ReferenceTarget,
    ReferrerCount,
    ReferrerPage,
    ReferrerRow,
)
from migrations_app.ports.store import (
    Listing,
    Query,
    Reference,
    ReferenceKind,
    Referrer,
    Shadow,
    StoredResource,
)

Lender = Callable[[], AbstractContextManager[Connection]]


class PostgresReading:
    """Reads a namespace with connections from `lend`."""

    def __init__(self, namespace: Namespace, lend: Lender) -> None:
        self._namespace = namespace
        self._lend = lend

    def get(self, type: str, name: str) -> StoredResource | None:
        """Read one resource."""
        rows = self._rows(self._about("get", type), (name,))
        return resource_of(type, rows[0]) if rows else None

    def batch_get(self, type: str, names: Sequence[str]) -> dict[str, StoredResource]:
        """Read those of the names that exist."""
        rows = self._rows(self._about("batch_get", type), (list(names),))
        found = (resource_of(type, row) for row in rows)
        return {resource.name: resource for resource in found}

    def present(self, type: str, names: Sequence[str]) -> set[str]:
        """Tell which of the names exist."""
        return {str(row[0]) for row in self._rows(self._about("present", type), (list(names),))}

    def list(self, query: Query) -> Listing:
        """List resources of a type."""
        plan = listing.planned(self._namespace, query)
        rows = self._rows(plan.rows, plan.values)
        total = None if plan.total is None else cast(int, self._rows(plan.total, plan.values)[0][0])
        return plan.listing(rows, total)

    def references(self, type: str, name: str) -> tuple[Reference, ...]:
        """Tell what a resource refers to."""
        return tuple(map(reference_from, self._rows(self._about("references"), (type, name))))

    def references_of(self, type: str, names: Sequence[str]) -> dict[str, tuple[Reference, ...]]:
        """Tell what several resources refer to."""
        found: dict[str, tuple[Reference, ...]] = {}
        for row in self._rows(self._about("references_of"), (type, list(names))):
            found[str(row[0])] = (*found.get(str(row[0]), ()), reference_from(row[1:]))
        return found

    def referrers(
        self, service: str, name: str, *, limit: int = 1000, kinds: Sequence[str] = ()
    ) -> tuple[Referrer, ...]:
        """Tell who refers to a resource."""
        chosen = list(kinds) or [each.value for each in ReferenceKind]
        rows = self._rows(self._about("referrers"), (service, name, chosen, limit))
        return tuple(Referrer(str(row[0]), str(row[1]), reference_from(row[2:])) for row in rows)

    def referrer_counts(self, target: ReferenceTarget, most: int) -> tuple[ReferrerCount, ...]:
        """Count who refers to a resource."""
        rows = self._rows(self._about("referrer_counts"), _asked(target) | {"most": most})
        return tuple(
            ReferrerCount(str(type_), str(path), ReferenceKind(str(kind)), cast(int, count))
            for type_, path, kind, count in rows
        )

    def referrer_page(self, target: ReferenceTarget, page: ReferrerPage) -> tuple[ReferrerRow, ...]:
        """List who refers to a resource."""
        after, ordinal = page.after
        asked: dict[str, object] = {
            "type": page.type,
            "kind": page.kind.value,
            "pattern": f"^(?:{page.pattern})$",
        }
        asked |= {"after": after, "ordinal": ordinal, "limit": page.limit}
        rows = self._rows(self._about("referrer_page"), _asked(target) | asked)
        return tuple(ReferrerRow(str(name), cast(int, number), str(path)) for name, number, path in rows)

    def shadow(self, type: str, name: str) -> Shadow | None:
        """Read a shadow: a resource without a row of it has the one of a fresh resource."""
        asked: dict[str, object] = {"deployment": self._namespace.deployment, "name": name}
        statement = CONSTRAINTS("shadow", schema=self._namespace.schema, table=table_of(type))
        rows = self._rows(statement, asked)
        return shadow_from(type, name, rows[0]) if rows else self._barred(type, name)

    def referrers_of(
        self,
        service: str,
        names: Sequence[str],
        kinds: Sequence[str],
        *,
        each: int,
        most: int,
        staying: bool = False,
    ) -> tuple[Referrer, ...]:
        """Tell who refers to any of these."""
        asked: dict[str, object] = {"service": service, "names": list(names), "kinds": list(kinds)}
        known = {"deployment": self._namespace.deployment, "version": self._namespace.version}
        statement = self._about("staying_referrers_of" if staying else "referrers_of")
        rows = self._rows(statement, {**asked, **(known if staying else {}), "each": each, "most": most})
        return tuple(Referrer(str(row[0]), str(row[1]), reference_from(row[2:])) for row in rows)

    def shadows(self, type: str, names: Sequence[str]) -> dict[str, Shadow]:
        """Read the shadows of those of the resources that exist."""
        asked: dict[str, object] = {"deployment": self._namespace.deployment, "names": list(names)}
        statement = CONSTRAINTS("shadows", schema=self._namespace.schema, table=table_of(type))
        rows = self._rows(statement, asked)
        return {str(row[0]): shadow_from(type, str(row[0]), row[1:]) for row in rows}

    @property
    def constraints(self) -> PostgresConstraints:
        """The rows of the deployment's dealings with others."""
        return PostgresConstraints(self._namespace, self._rows, self._rows)

    def _barred(self, type_: str, name: str) -> Shadow | None:
        known = self._namespace
        asked: dict[str, object] = {"deployment": known.deployment, "version": known.version}
        rows = self._rows(CONSTRAINTS("barred"), {**asked, "type": type_, "name": name})
        return shadow_from(type_, name, rows[0]) if rows else None

    def _about(self, statement: str, type_: str | None = None) -> sql.Composed:
        if type_ is None:
            return RESOURCE(statement, schema=self._namespace.schema)
        return RESOURCE(statement, schema=self._namespace.schema, table=table_of(type_))

    def _rows(self, statement: sql.Composed, parameters: Parameters = None) -> Rows:
        with translated(self._namespace), self._lend() as connection:
            return connection.rows(statement, parameters)


class PostgresSnapshot(PostgresReading):
    """Reads within one snapshot that also holds the fence."""

    def __init__(self, namespace: Namespace, lend: Lender) -> None:
        super().__init__(namespace, lend)
        site = FenceLocation.of(namespace)
        rows = self._rows(RESOURCE("fence"), (namespace.fence_key,))
        if not rows:
            raise Missing(fence_missing(namespace), code="fence-missing")
        self._fence = fence_of(site, rows[0])

    @property
    def fence(self) -> FenceState:
        """The fence as of this snapshot."""
        return self._fence


def _asked(target: ReferenceTarget) -> dict[str, object]:
    return {
        "service": target.service,
        "region": target.region,
        "names": list(target.matching),
        "located": list(target.located),
    }
