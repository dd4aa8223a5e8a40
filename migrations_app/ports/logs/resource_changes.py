"""The resource change log: what clients changed, in the version that stored it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias
from uuid import UUID

from migrations_app.ports.logs.queries import LogQuery
from migrations_app.ports.namespaces import Namespace

LogKey: TypeAlias = tuple[datetime, str, int]
"""Where an entry is in the order of the log: its time, its version, and its number in the feed of that version."""


@dataclass(frozen=True, slots=True)
class ResourceChangeEntry:
    """One write of a client.

    `before` and `after` hold the `body` and the `metadata` of the resource, without its property bag and sensitive
    values; None where there was none, and both None for an entry that is older than the log. `request_id` and
    `caller` are empty when no request wrote it.
    """

    version: str
    at: datetime
    seq: int
    operation: str
    type: str
    name: str
    uid: UUID
    revision: int
    request_id: str
    caller: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None

    @property
    def key(self) -> LogKey:
        """Where it is in the log."""
        return self.at, self.version, self.seq


@dataclass(frozen=True, slots=True)
class ResourceChangeQuery(LogQuery):
    """Which changes; `before` is the key after which to go on, from the newest to the oldest."""

    uid: UUID | None = None
    operation: str = ""
    before: LogKey | None = None


class ResourceChangeLog(Protocol):
    """Reads the log of a deployment, which is kept with its data."""

    def entries(
        self, databases: Sequence[str], namespaces: Sequence[Namespace], query: ResourceChangeQuery
    ) -> list[ResourceChangeEntry]:
        """List entries, the newest first, from these databases and the feeds of these namespaces.

        A database that knows no log yet has no entries. Raises: Busy (`database-busy`).
        """
        ...

    def forget(self, database: str, days: Mapping[str, float], limit: int) -> int:
        """Delete at most so many of the entries that are older than their deployments keep them; tell how many.

        `days` are by deployment: all deployments of a database are looked at by one statement.
        """
        ...
