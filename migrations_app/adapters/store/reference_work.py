"""Work on references that waits in a PostgreSQL data database."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.constraint_transfer import COORDINATION
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.reference_work import ReferenceWork


class PostgresReferenceWork:
    """Looks at the rows beside the fences."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def pending(self, namespaces: Sequence[Namespace]) -> dict[str, ReferenceWork]:
        """Tell what waits."""
        if not namespaces:
            return {}
        deployments = sorted({each.deployment for each in namespaces})
        with (
            translated(namespaces[0]),
            self._databases.transaction(namespaces[0].database) as connection,
        ):
            if connection.execute(COORDINATION("built")).fetchone() != (True,):
                return {}
            rows = connection.execute(COORDINATION("under_way"), (deployments,)).fetchall()
        return {str(name): ReferenceWork(bool(owed), bool(deleting)) for name, owed, deleting in rows}
