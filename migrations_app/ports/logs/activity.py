"""The activity log: who called what, in the caller's version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from migrations_app.ports.logs.queries import LogQuery

ActivityKey: TypeAlias = tuple[datetime, int]
"""Where an entry is in the order of the log: its time, and its number in its database."""
MOST_STATUS = 599


@dataclass(frozen=True, slots=True)
class ActivityEntry:
    """One answered request. It holds neither bodies nor parameters, which may carry sensitive values.

    `weight` says for how many requests it stands: one, or more where reads are sampled. `via` is the deployment that
    handed the request on. `type` and `name` are empty where the address names none.
    """

    deployment: str
    at: datetime
    version: str
    method: str
    type: str
    name: str
    caller: str
    client: str
    status: int
    error: str
    milliseconds: float
    request_id: str
    served: str
    via: str
    weight: float
    reads: bool
    number: int = 0

    @property
    def key(self) -> ActivityKey:
        """Where it is in the log."""
        return self.at, self.number


@dataclass(frozen=True, slots=True)
class ActivityQuery(LogQuery):
    """Which answered requests; `statuses` are the lowest and the highest.

    `before` is the key after which to go on, from the newest to the oldest.
    """

    method: str = ""
    statuses: tuple[int, int] | None = None
    reads: bool | None = None
    before: ActivityKey | None = None


@dataclass(frozen=True, slots=True)
class ActivityWriterState:
    """What one process wrote of a deployment's activity.

    `dropped` entries found no room while they waited. `settled` says that nothing waited any more after `flushed_at`:
    a process that ended otherwise may have lost the entries of its last moment.
    """

    process: str
    started_at: datetime
    flushed_at: datetime
    entries: int
    dropped: int
    settled: bool
    silent_seconds: float


@dataclass(frozen=True, slots=True)
class ActivityBatch:
    """Entries of one deployment to write, and what was dropped since the batch before."""

    process: str
    entries: Sequence[ActivityEntry]
    dropped: int
    settled: bool


class ActivityLog(Protocol):
    """The log of a deployment, which is kept in its data databases."""

    def append(self, database: str, batches: Mapping[str, ActivityBatch]) -> None:
        """Write a batch for each deployment: all of them or none.

        Raises: Busy (`database-busy`).
        """
        ...

    def entries(self, databases: Sequence[str], query: ActivityQuery) -> list[ActivityEntry]:
        """List entries, the newest first. A database that knows no log yet has none."""
        ...

    def writers(self, databases: Sequence[str], deployment: str) -> list[ActivityWriterState]:
        """Tell what each process wrote."""
        ...

    def forget(self, database: str, days: Mapping[str, float], limit: int) -> int:
        """Delete at most so many of the entries that are older than their deployments keep them; tell how many.

        `days` are by deployment: all deployments of a database are looked at by one statement.
        """
        ...


class ActivityNotes(Protocol):
    """Takes notes of requests without waiting."""

    def read_sampling(self, deployment: str) -> float:
        """Tell which share of the reads of a deployment is noted."""
        ...

    def note(self, database: str, entry: ActivityEntry) -> None:
        """Remember a request; when too many wait to be written, only that there was one more."""
        ...
