"""The change feed in memory: the twin of the one on PostgreSQL, with the same horizon."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from migrations_app.adapters.feed.places import feed_trimmed, place_per_shard
from migrations_app.adapters.memory_database import (
    MemoryChanges,
    MemoryDatabases,
    Place,
    place_of,
    position_of,
)
from migrations_app.kernel.errors import ReplicatorUnknown
from migrations_app.kernel.messages import message
from migrations_app.ports.feed import (
    BACKLOG_LIMIT,
    Backlog,
    Batch,
    Change,
    Cursor,
    FeedMark,
    FeedOperation,
    Holder,
    Places,
    Position,
    replicator_expired,
)
from migrations_app.ports.namespaces import Namespace


class MemoryFeed:
    """Reads feeds in memory."""

    def __init__(self, databases: MemoryDatabases) -> None:
        self._databases = databases

    def head(self, namespace: Namespace) -> Position:
        """Tell where everything not yet committed will come after."""
        return position_of((self._databases.horizon(namespace.database), 0))

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
        """Read on from a position."""
        with self._databases.lock:
            starts = {
                shard: place_of(position)
                for shard, position in place_per_shard(namespace, after, shards).items()
            }
            oldest = self._databases.horizon(namespace.database)
            newest = self._databases.database(namespace.database).next_xid
            kept = self._databases.namespace(namespace)
            trimmed = [shard for shard, start in starts.items() if kept.trimmed.get(shard, (0, 0)) > start]
            if trimmed:
                raise feed_trimmed(namespace, trimmed)
            found = [
                change
                for change in self._after_each(namespace, starts)
                if (settled or place_of(change.position)[0] < oldest) and (echo or not change.origin)
            ][:limit]
        level = len(found) < limit
        end = (newest, 0) if settled else (oldest, 0)
        reached = end if level else place_of(found[-1].position)
        if not settled:
            reached = max(reached, min(starts.values(), default=reached))
        position = min(reached, (oldest, 0)) if settled else reached
        return Batch(tuple(found), position_of(position), position_of(reached), level)

    def marks(self, namespaces: Sequence[Namespace]) -> dict[Namespace, FeedMark]:
        """Tell how far feeds go."""
        found: dict[Namespace, FeedMark] = {}
        with self._databases.lock:
            for namespace in namespaces:
                kept = self._databases.database(namespace.database).namespaces.get(namespace.schema)
                newest = (
                    max((place_of(change.position) for change in kept.changes), default=None)
                    if kept
                    else None
                )
                if newest is not None:
                    settled = newest[0] < self._databases.horizon(namespace.database)
                    found[namespace] = FeedMark(position_of(newest), settled)
        return found

    def since(self, namespace: Namespace, moment: datetime) -> Position | None:
        """Tell from where to read what was written since a moment."""
        with self._databases.lock:
            kept = self._databases.namespace(namespace)
            older = {change.shard for change in kept.changes if change.at < moment}
            if kept.trimmed.keys() - older:
                return None
            head = (self._databases.horizon(namespace.database), 0)
            later = [place_of(change.position) for change in kept.changes if change.at >= moment]
            first = min(later, default=head)
            return position_of(min(head, (first[0], max(first[1] - 1, 0))))

    def reached(self, position: Position, end: Position) -> bool:
        """Tell whether a position is not before another."""
        return place_of(position) >= place_of(end)

    def beat(self, namespace: Namespace, label: str = "") -> Position:
        """Write one beat per shard."""
        with self._databases.lock, self._databases.working(namespace) as work:
            database = self._databases.database(namespace.database)
            kept = self._databases.namespace(namespace)
            now, first = self._databases.clock.now(), database.next_seq
            database.next_seq += namespace.ring
            beats = [
                Change(
                    position_of((work.xid, first + shard)),
                    FeedOperation.BEAT,
                    "",
                    label,
                    None,
                    shard,
                    0,
                    "",
                    now,
                )
                for shard in range(namespace.ring)
            ]
            kept.changes.extend(beats)
            return beats[-1].position

    def see(self, namespace: Namespace, beats: Mapping[int, datetime]) -> None:
        """Note the newest beats that came through."""
        seen = self._databases.namespace(namespace).beats
        for shard, at in beats.items():
            seen[shard] = max(at, seen.get(shard, at))

    def seen(self, namespace: Namespace) -> dict[int, datetime]:
        """Tell the newest beats that came through."""
        return dict(self._databases.namespace(namespace).beats)

    def backlog(
        self, namespace: Namespace, after: Places, *, shards: Collection[int] | None = None
    ) -> Backlog:
        """Tell how much lies after a position, or after each shard's own."""
        places = place_per_shard(namespace, after, shards).items()
        starts = {shard: place_of(position) for shard, position in places}
        unread = [change for change in self._after_each(namespace, starts) if not change.origin][
            :BACKLOG_LIMIT
        ]
        if not unread:
            return Backlog(0, 0.0)
        oldest = min(change.at for change in unread)
        entries = sum(change.operation is not FeedOperation.BEAT for change in unread)
        return Backlog(entries, (self._databases.clock.now() - oldest).total_seconds())

    def register(self, namespace: Namespace, follower: str, at: Mapping[int, Position]) -> None:
        """Begin following."""
        kept = self._databases.namespace(namespace)
        now = self._databases.clock.now()
        fresh = {
            (follower, shard): Cursor(follower, shard, place, None, None, now) for shard, place in at.items()
        }
        kept.cursors = dict(sorted({**fresh, **kept.cursors}.items()))

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
        """Move cursors forward."""
        if not isinstance(shard, int):
            for one in shard:
                self.advance(namespace, follower, one, position, reached=reached, epoch=epoch)
            return
        cursors = self._databases.namespace(namespace).cursors
        found = cursors.get((follower, shard))
        if found is None:
            raise ReplicatorUnknown(
                message("No replicator reads shard {shard} as {follower}.", shard=shard, follower=follower)
            )
        if found.dead:
            raise replicator_expired(follower)
        cursors[follower, shard] = replace(
            found,
            position=max(found.position, position, key=place_of),
            reached=reached or found.reached,
            epoch=found.epoch if epoch is None else epoch,
            advanced_at=self._databases.clock.now(),
        )

    def restart(
        self, namespace: Namespace, follower: str, shards: Collection[int], at: Position | None = None
    ) -> Sequence[int]:
        """Let a follower go on where it was given up or has lost entries."""
        with self._databases.lock:
            kept, start = self._databases.namespace(namespace), at or self.head(namespace)
            now = self._databases.clock.now()
            found = [
                kept.cursors[follower, shard] for shard in sorted(shards) if (follower, shard) in kept.cursors
            ]
            lost = [
                one.shard
                for one in found
                if one.dead or kept.trimmed.get(one.shard, (0, 0)) > place_of(one.position)
            ]
            for shard in lost:
                kept.cursors[follower, shard] = Cursor(follower, shard, start, None, None, now)
            return lost

    def cursors(self, namespace: Namespace, follower: str | None = None) -> tuple[Cursor, ...]:
        """Tell where the followers are."""
        found = self._databases.namespace(namespace).cursors.values()
        return tuple(each for each in found if follower is None or each.follower == follower)

    def forget(self, namespace: Namespace, follower: str) -> None:
        """End following."""
        cursors = self._databases.namespace(namespace).cursors
        for key in [key for key in cursors if key[0] == follower]:
            del cursors[key]

    def trim(
        self,
        namespace: Namespace,
        *,
        keep: int = 1_000_000,
        retain_seconds: float = 600.0,
        limit: int = 10_000,
    ) -> int:
        """Delete what every live follower has passed."""
        with self._databases.lock:
            kept = self._databases.namespace(namespace)
            for key, cursor in kept.cursors.items():
                unread = self._after(namespace, place_of(cursor.position), {cursor.shard})
                if len(unread) > keep:
                    kept.cursors[key] = replace(cursor, dead=True)
            young = self._databases.clock.now() - timedelta(seconds=retain_seconds)
            horizon = self._databases.horizon(namespace.database)
            gone: set[Position] = set()
            for change in self._after(namespace, (0, 0), set(range(namespace.ring))):
                place = place_of(change.position)
                passed = place <= self._first_kept(namespace, change.shard) and place[0] < horizon
                if passed and change.at < young and len(gone) < limit:
                    gone.add(change.position)
                    kept.trimmed[change.shard] = max(kept.trimmed.get(change.shard, (0, 0)), place)
            kept.changes.forget(gone)
            return len(gone)

    def reset_restored(self, namespaces: Sequence[Namespace]) -> Sequence[Namespace]:
        """Empty the feeds of a database that another server filled, and give up their followers."""
        with self._databases.lock:
            if not namespaces or not self._databases.database(namespaces[0].database).restored:
                return ()
            for namespace in namespaces:
                kept = self._databases.namespace(namespace)
                kept.changes = MemoryChanges()
                kept.trimmed.clear()
                for key, cursor in kept.cursors.items():
                    kept.cursors[key] = replace(cursor, position=position_of((0, 0)), reached=None, dead=True)
            self._databases.database(namespaces[0].database).restored = False
            return tuple(namespaces)

    def holders(self, namespace: Namespace, *, older_than_seconds: float = 0.0) -> Sequence[Holder]:
        """Name the transactions in flight."""
        work = self._databases.database(namespace.database).work
        return [Holder(xid, "", namespace.database, "memory", 0.0, "active", "") for xid in sorted(work)]

    def _after(self, namespace: Namespace, start: Place, shards: set[int]) -> list[Change]:
        later = self._databases.namespace(namespace).changes.after(start)
        return [change for _, change in later if change.shard in shards]

    def _after_each(self, namespace: Namespace, starts: Mapping[int, Place]) -> list[Change]:
        if not starts:
            return []
        later = self._databases.namespace(namespace).changes.after(min(starts.values()))
        return [change for place, change in later if place > starts.get(change.shard, place)]

    def _first_kept(self, namespace: Namespace, shard: int) -> Place:
        places = [
            place_of(cursor.position)
            for cursor in self._databases.namespace(namespace).cursors.values()
            if cursor.shard == shard and not cursor.dead
        ]
        return min(places, default=(self._databases.horizon(namespace.database), 0))
