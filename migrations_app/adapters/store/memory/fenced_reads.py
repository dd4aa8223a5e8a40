"""One look at a namespace in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from migrations_app.adapters.store.memory.reading import MemorySnapshot
from migrations_app.kernel.errors import NotActive
from migrations_app.kernel.messages import message
from migrations_app.ports.fence import Mode
from migrations_app.ports.store import Listing, NeedsSnapshot, Query, StoredResource


class MemoryFencedRead:
    """Answers one question from a snapshot."""

    def __init__(self, snapshot: MemorySnapshot, active: str | None) -> None:
        self._snapshot, self._active = snapshot, active
        self.asked = False

    def get(self, type: str, name: str) -> StoredResource | None:
        """Read one resource."""
        return self._once().get(type, name)

    def batch_get(self, type: str, names: Sequence[str]) -> dict[str, StoredResource]:
        """Read those of the names that exist."""
        return self._once().batch_get(type, names)

    def list(self, query: Query) -> Listing:
        """List resources of a type."""
        found = self._once().list(query)
        if query.total or not found.resources:
            self.asked = False
            raise NeedsSnapshot
        return found

    def _once(self) -> MemorySnapshot:
        fence = self._snapshot.fence
        told = "" if fence.mode is Mode.CLOSED else fence.active_version
        if self.asked:
            raise NeedsSnapshot
        if self._active not in (None, told):
            raise NotActive(message("{active} is not active.", active=self._active), active=told)
        self.asked = True
        return self._snapshot

    def _more(self, *_: object, **__: object) -> NoReturn:
        raise NeedsSnapshot

    present = references = references_of = referrers = referrers_of = shadow = shadows = _more
    referrer_counts = referrer_page = _more
    constraints = property(_more)
