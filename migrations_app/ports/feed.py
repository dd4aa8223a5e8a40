"""The change feed of a namespace: what was written, in an order that loses nothing and repeats harmlessly."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from migrations_app.kernel.errors import ReplicatorExpired
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.namespaces import Position as Position

Places = Position | Mapping[int, Position]
"""One position for all shards, or each shard's own."""


class FeedOperation(StrEnum):
    """What an entry of the feed tells."""

    PUT = "put"
    DELETE = "delete"
    BEAT = "beat"


@dataclass(frozen=True, slots=True)
class Change:
    """One write of one resource, as the database itself noted it under the row's lock.

    It names what changed and carries no body: the body is read again, at this revision or a later one.
    A `BEAT` names no resource; it tells that time passed (`at`), and `name` is its label.
    `origin` is empty for a write of a client, else the version that a follower brought it from.
    """

    position: Position
    operation: FeedOperation
    type: str
    name: str
    uid: UUID | None
    shard: int
    revision: int
    origin: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Batch:
    """A part of the feed.

    `position` is where to go on reading, and safe to store. `reached` is how far this batch went: it is
    ahead of `position` only in a settled reading. `level` tells that nothing more could be read now.
    """

    changes: tuple[Change, ...]
    position: Position
    reached: Position
    level: bool


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far one follower came in one shard; `reached` counts for the fence epoch it was noted in."""

    follower: str
    shard: int
    position: Position
    reached: Position | None
    epoch: int | None
    advanced_at: datetime
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Holder:
    """A transaction that holds the horizon back, so that nothing newer than it can be read."""

    process: int
    user: str
    database: str
    application: str
    seconds: float
    state: str
    query: str


BACKLOG_LIMIT = 10_000
"""So many entries of a backlog are counted at most."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """What a position has not read yet: entries (counted up to a limit), and the age of the oldest."""

    entries: int
    seconds: float


@dataclass(frozen=True, slots=True)
class FeedMark:
    """How far a feed goes at one moment: its newest entry, of whatever kind and origin.

    `settled` tells that no transaction is open that could still commit an entry before it: then everything up to it
    can be read, and the feed has moved exactly when its mark has.
    """

    newest: Position
    settled: bool


class Feed(Protocol):
    """Reads the feeds of namespaces and keeps the cursors of who follows them.

    Order. Per resource, `revision` grows; entries of different resources come in an order consistent with
    it. Applying an entry means: keep it only when its revision is newer than what the target holds.
    Delivery is at least once; a position loses nothing that commits later, at the price that one long
    write transaction anywhere in the database server holds everything newer back (`holders` names it).
    """

    def head(self, namespace: Namespace) -> Position:
        """Tell a position such that reading on from it brings every write that is not yet committed.

        A read of the namespace after this call sees what was committed before: noting the head
        and then copying therefore misses nothing.
        """
        ...

    def read(
        self,
        namespace: Namespace,
        after: Places,
        *,
        shards: Collection[int] | None = None,
        limit: int = 1000,
        settled: bool = False,
        echo: bool = False,
    ) -> Batch:
        """Read on from `after`, at most `limit` entries, of some shards or of all.

        With a position for each shard, those shards are read, each from its own position; `Batch.position`
        is safe to store for every one of them that is not ahead of it.

        Ordinarily only what lies under the horizon is read. With `settled`, the caller vouches that the
        namespace is frozen and drained, and everything committed is read; then only `Batch.reached` is
        ahead, and after an abort of the freeze reading goes on from `Batch.position`, repeating some.
        Without `echo`, writes that a follower brought are left out.

        Raises: Conflict (`feed-trimmed`) when entries of a shard after that shard's position were already
        deleted; the noun `shards` names those shards, and the others lost nothing.
        """
        ...

    def marks(self, namespaces: Sequence[Namespace]) -> dict[Namespace, FeedMark]:
        """Tell how far the feeds of namespaces of one database go, by one question.

        A feed without entries has no mark, nor has a namespace that is not built yet.
        """
        ...

    def since(self, namespace: Namespace, moment: datetime) -> Position | None:
        """Tell a position from which reading brings every write since a moment, and perhaps some before it.

        None when some of them may have been deleted already.
        """
        ...

    def reached(self, position: Position, end: Position) -> bool:
        """Tell whether who stands at `position` has read everything up to `end`."""
        ...

    def beat(self, namespace: Namespace, label: str = "") -> Position:
        """Write one `BEAT` per shard, durably, and tell a position that covers them all.

        It is the pulse that lag is measured by, and the marker that a catch-up waits for.
        """
        ...

    def see(self, namespace: Namespace, beats: Mapping[int, datetime]) -> None:
        """Note on the receiving side, per shard, the time of the newest beat that came through."""
        ...

    def seen(self, namespace: Namespace) -> dict[int, datetime]:
        """Tell, per shard, the time of the newest beat that came through to this namespace."""
        ...

    def backlog(
        self, namespace: Namespace, after: Places, *, shards: Collection[int] | None = None
    ) -> Backlog:
        """Tell how much lies after a position, or after each shard's own, counting at most `BACKLOG_LIMIT` entries."""
        ...

    def register(self, namespace: Namespace, follower: str, at: Mapping[int, Position]) -> None:
        """Begin following in these shards: entries after these positions are kept until passed.

        Shards already registered for this follower stay where they are.
        """
        ...

    def advance(
        self,
        namespace: Namespace,
        follower: str,
        shard: int | Collection[int],
        position: Position,
        *,
        reached: Position | None = None,
        epoch: int | None = None,
    ) -> None:
        """Move a cursor, or those of several shards at once; it never moves back. `reached` and the fence `epoch` come from a settled reading.

        Raises: Missing (`replicator-unknown`) · Halted (`replicator-expired`) when it was given up for dead and
        must copy again.
        """
        ...

    def restart(
        self, namespace: Namespace, follower: str, shards: Collection[int], at: Position | None = None
    ) -> Sequence[int]:
        """Let a follower go on in those of the shards in which it was given up or has lost entries; name them.

        It goes on at `at`, or at the head: what lies before is not told to it, so it must copy after this call.
        A cursor that lives and has lost nothing stays where it is.
        """
        ...

    def cursors(self, namespace: Namespace, follower: str | None = None) -> tuple[Cursor, ...]:
        """Tell where the followers are, by follower and shard."""
        ...

    def forget(self, namespace: Namespace, follower: str) -> None:
        """End following: entries are no longer kept for it."""
        ...

    def trim(
        self,
        namespace: Namespace,
        *,
        keep: int = 1_000_000,
        retain_seconds: float = 600.0,
        limit: int = 10_000,
    ) -> int:
        """Delete at most `limit` entries that every live follower has passed; tell how many.

        Entries younger than `retain_seconds` stay, for watchers that come back. A follower that holds more
        than `keep` entries back is marked dead, and holds nothing any more.
        """
        ...

    def reset_restored(self, namespaces: Sequence[Namespace]) -> Sequence[Namespace]:
        """Empty the feeds of namespaces of one database when another server filled it, and tell which.

        A dump that is loaded into another server carries entries whose transaction numbers mean nothing there: those
        written afterwards have smaller ones, and no follower would ever meet them. Followers are given up, so that
        what they keep in step is copied again; what clients wrote stays in the resource change log. It is done once.
        """
        ...

    def holders(self, namespace: Namespace, *, older_than_seconds: float = 0.0) -> Sequence[Holder]:
        """Name the write transactions that hold the horizon back, oldest first."""
        ...


def replicator_expired(follower: str) -> ReplicatorExpired:
    """Give the error of a follower that was removed because it was too far behind."""
    return ReplicatorExpired(
        message("The replicator {follower} lagged too far and was removed.", follower=follower),
        remedy=message("Copy these shards again."),
    )
