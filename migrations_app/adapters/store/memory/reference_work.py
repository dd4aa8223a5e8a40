"""Work on references that waits in a database in memory."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.adapters.memory_constraints import MemoryDealings
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.reference_work import ReferenceWork
from migrations_app.ports.stored import ShadowState


class MemoryReferenceWork:
    """Looks at the committed rows."""

    def __init__(self, databases: MemoryDatabases) -> None:
        self._databases = databases

    def pending(self, namespaces: Sequence[Namespace]) -> dict[str, ReferenceWork]:
        """Tell what waits."""
        found: dict[str, ReferenceWork] = {}
        for namespace in namespaces:
            kept = self._databases.database(namespace.database).constraint_rows.get(namespace.deployment)
            if kept is not None and (waiting := self._of(kept)) != ReferenceWork():
                found[namespace.deployment] = waiting
        return found

    def _of(self, kept: MemoryDealings) -> ReferenceWork:
        now = self._databases.clock.now()
        overdue = any(each.resolve_after <= now for each in kept.blockades.values())
        asked = any(each.ask_at <= now for each in kept.links.values())
        deleting = any(each.state is not ShadowState.ACTIVE for each in kept.shadows.values())
        return ReferenceWork(bool(kept.owed) or overdue or asked or bool(kept.checks), deleting)
