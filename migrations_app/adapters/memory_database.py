"""Data databases in memory: what the twins of store, feed and fence share, with transactions and a horizon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from threading import RLock

from migrations_app.adapters.memory_constraints import MemoryDealings
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.kernel.errors import (
    DatabaseBusy,
    Frozen,
    Missing,
    NamespaceMissing,
    NotActive,
    Stale,
)
from migrations_app.kernel.messages import message
from migrations_app.ports.copies import CopySource
from migrations_app.ports.feed import Change, Cursor, Position
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Layout, Reference, ReplicationToken, StoredResource, Tombstone

Key = tuple[str, str]
Place = tuple[int, int]


@lru_cache(maxsize=65_536)
def place_of(position: str) -> Place:
    """Read the numbers of a position."""
    transaction, _, sequence = position.partition(".")
    return int(transaction), int(sequence)


def position_of(place: Place) -> Position:
    """Write a position."""
    return Position(f"{place[0]}.{place[1]}")


class MemoryChanges:
    """The entries of one feed in the order in which they were committed, found by their place."""

    def __init__(self) -> None:
        self._entries: list[tuple[Place, Change]] = []
        # The greatest place of each entry and those before it: what grows can be searched.
        self._greatest: list[Place] = []

    def __iter__(self) -> Iterator[Change]:
        return (change for _, change in self._entries)

    def extend(self, changes: Iterable[Change]) -> None:
        """Commit entries."""
        for change in changes:
            place = place_of(change.position)
            self._entries.append((place, change))
            self._greatest.append(max(place, self._greatest[-1]) if self._greatest else place)

    def after(self, start: Place) -> list[tuple[Place, Change]]:
        """Give the entries beyond a place, in the order of their places."""
        known = bisect_right(self._greatest, start)
        return sorted((entry for entry in self._entries[known:] if entry[0] > start), key=itemgetter(0))

    def forget(self, gone: Collection[Position]) -> None:
        """Remove entries."""
        kept = [change for change in self if change.position not in gone]
        self._entries, self._greatest = [], []
        self.extend(kept)


@dataclass(slots=True)
class MemoryNamespace:
    """The committed contents of one namespace."""

    layouts: dict[str, Layout] = field(default_factory=dict)
    resources: dict[Key, StoredResource] = field(default_factory=dict)
    tombstones: dict[Key, Tombstone] = field(default_factory=dict)
    references: dict[Key, tuple[Reference, ...]] = field(default_factory=dict)
    changes: MemoryChanges = field(default_factory=MemoryChanges)
    cursors: dict[tuple[str, int], Cursor] = field(default_factory=dict)
    beats: dict[int, datetime] = field(default_factory=dict)
    trimmed: dict[int, Place] = field(default_factory=dict)
    sources: dict[str, CopySource] = field(default_factory=dict)

    def copy(self) -> MemoryNamespace:
        """Take what a snapshot reads."""
        return MemoryNamespace(
            dict(self.layouts),
            dict(self.resources),
            dict(self.tombstones),
            dict(self.references),
        )


@dataclass(slots=True)
class MemoryWork:
    """One open write transaction."""

    xid: int
    fence_key: str
    locked: dict[tuple[str, str, str], bool] = field(default_factory=dict)
    fenced: bool = False


@dataclass(slots=True)
class MemoryDatabase:
    """One data database: namespaces, fences, and the transactions in flight."""

    alias: str
    namespaces: dict[str, MemoryNamespace] = field(default_factory=dict)
    fences: dict[str, FenceState] = field(default_factory=dict)
    constraint_rows: dict[str, MemoryDealings] = field(default_factory=dict)
    work: dict[int, MemoryWork] = field(default_factory=dict)
    feed_looks: dict[str, datetime] = field(default_factory=dict)
    feed_rests: dict[tuple[str, str], datetime] = field(default_factory=dict)
    next_xid: int = 1
    next_seq: int = 1
    restored: bool = False
    """Whether its contents were restored from a dump of another server, whose transactions have other numbers."""


class MemoryDatabases:
    """The data databases of a simulated installation, by alias.

    There is no waiting: a call that would block on a lock gets Busy at once.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or SystemClock()
        self.lock = RLock()
        self._databases: dict[str, MemoryDatabase] = {}

    def database(self, alias: str) -> MemoryDatabase:
        """Give a database; it exists once it is spoken of."""
        found = self._databases.get(alias)
        if found is None:
            found = self._databases[alias] = MemoryDatabase(alias)
        return found

    def namespace(self, namespace: Namespace) -> MemoryNamespace:
        """Give the committed contents of a namespace.

        Raises: Missing (`namespace-missing`).
        """
        found = self.database(namespace.database).namespaces.get(namespace.schema)
        if found is None:
            raise NamespaceMissing(
                message(
                    "{deployment} has no namespace prepared for {version}.",
                    deployment=namespace.deployment,
                    version=namespace.version,
                ),
            )
        return found

    def constraint_rows(self, namespace: Namespace) -> MemoryDealings:
        """Give the committed rows of a deployment's dealings with others."""
        known = self.database(namespace.database).constraint_rows
        if namespace.deployment not in known:
            known[namespace.deployment] = MemoryDealings()
        return known[namespace.deployment]

    def move_constraint_rows(self, source: FenceLocation, target: FenceLocation) -> None:
        """Put a deployment's dealings in one database in the place of those in another."""
        moved = self.database(source.database).constraint_rows.get(source.deployment, MemoryDealings())
        self.database(target.database).constraint_rows[target.deployment] = moved.copy()

    @contextmanager
    def working(self, namespace: Namespace) -> Iterator[MemoryWork]:
        """Open a transaction: it holds the horizon and its locks until the end of the block."""
        database = self.database(namespace.database)
        with self.lock:
            work = MemoryWork(database.next_xid, namespace.fence_key)
            database.next_xid += 1
        try:
            yield work
        finally:
            with self.lock:
                database.work.pop(work.xid, None)

    def begin_write(
        self, namespace: Namespace, work: MemoryWork, replication_token: ReplicationToken | None = None
    ) -> None:
        """Pass the fence as a writer, and from now on hold the horizon and the fence's shared lock."""
        database = self.database(namespace.database)
        fence = database.fences.get(namespace.fence_key)
        if replication_token is not None:
            if (
                fence is None
                or (fence.active_version, fence.epoch)
                != (replication_token.source_version, replication_token.epoch)
                or (fence.active_version == namespace.version and fence.mode is not Mode.CLOSED)
            ):
                raise Stale(
                    message(
                        "The fence changed; the replication token of this replicator is no longer valid."
                    ),
                    code="warrant-void",
                )
        elif fence is None or fence.active_version != namespace.version:
            active = fence.active_version if fence else ""
            raise NotActive(
                message(
                    "{deployment} is not written in {version}.",
                    deployment=namespace.deployment,
                    version=namespace.version,
                ),
                active=active,
            )
        elif fence.mode is not Mode.OPEN:
            raise Frozen(
                message("Writes of {deployment} pause.", deployment=namespace.deployment),
                retry_after_seconds=0.2,
            )
        work.fenced = True
        database.work[work.xid] = work

    def lock_row(
        self, namespace: Namespace, work: MemoryWork, kind: str, name: str, *, shared: bool = False
    ) -> None:
        """Lock a row until the end of the transaction."""
        row = (namespace.schema, kind, name)
        for other in self.database(namespace.database).work.values():
            if other is not work and row in other.locked and not (shared and other.locked[row]):
                raise DatabaseBusy(message("{name} is being written.", name=name))
        work.locked[row] = shared and work.locked.get(row, True)

    def horizon(self, alias: str) -> int:
        """Tell the oldest transaction in flight, or the next one to begin."""
        database = self.database(alias)
        return min(database.work, default=database.next_xid)

    def fence(self, site: FenceLocation) -> FenceState:
        """Give the fence as of now.

        Raises: Missing (`fence-missing`).
        """
        found = self.database(site.database).fences.get(site.key)
        if found is None:
            raise Missing(
                message(
                    "{deployment} has no fence in {database}.",
                    deployment=site.deployment,
                    database=site.database,
                ),
                code="fence-missing",
            )
        return found
