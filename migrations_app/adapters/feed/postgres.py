"""The change feed on PostgreSQL, read under the horizon of transactions still in flight."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from psycopg import sql

from migrations_app.adapters.databases import Databases, Parameters, Rows, Statements
from migrations_app.adapters.feed.places import feed_trimmed, place_per_shard
from migrations_app.adapters.refusals import translated
from migrations_app.kernel.errors import Invalid, ReplicatorUnknown
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

_FEED = Statements(Path(__file__).parent / "sql" / "feed.sql")
_OPERATIONS = {operation.value: operation for operation in FeedOperation}

Place = tuple[int, int]


def place_of(position: str) -> Place:
    """Read the transaction and sequence numbers of a position.

    Raises: Invalid (`position-broken`).
    """
    transaction, _, sequence = position.partition(".")
    try:
        return int(transaction), int(sequence)
    except ValueError as error:
        raise Invalid(
            message("{position} is no position in a feed.", position=repr(position)), code="position-broken"
        ) from error


def position_of(place: Place) -> Position:
    """Write a position."""
    return Position(f"{place[0]}.{place[1]}")


class PostgresFeed:
    """Reads feeds, and keeps their cursors beside them."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases

    def head(self, namespace: Namespace) -> Position:
        """Tell where everything not yet committed will come after."""
        rows = self._rows(namespace, "head")
        return position_of((int(str(rows[0][0])), 0))

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
        """Read on from a position, or each shard from its own."""
        starts = _starts(namespace, after, shards)
        asked = {**_arrays(starts), "settled": settled, "echo": echo, "limit": limit}
        rows = self._rows(namespace, "read", asked)
        oldest, newest, trimmed = int(str(rows[0][0])), int(str(rows[0][1])), rows[0][2]
        if trimmed:
            raise feed_trimmed(namespace, cast("list[int]", trimmed))
        changes = tuple(_change(row) for row in rows if row[3] is not None)
        level = len(changes) < limit
        end = (newest, 0) if settled else (oldest, 0)
        reached = end if level else place_of(changes[-1].position)
        if not settled:
            reached = max(reached, min(starts.values(), default=reached))
        position = min(reached, (oldest, 0)) if settled else reached
        return Batch(changes, position_of(position), position_of(reached), level)

    def marks(self, namespaces: Sequence[Namespace]) -> dict[Namespace, FeedMark]:
        """Tell how far the feeds of namespaces of one database go."""
        by_schema = {each.schema: each for each in namespaces}
        if not by_schema:
            return {}
        database = namespaces[0].database
        with translated(namespaces[0]), self._databases.transaction(database) as connection:
            built = connection.execute(_FEED("built"), (list(by_schema),)).fetchall()
            asked = [_mark_question(by_schema[str(schema)]) for (schema,) in built]
            rows = connection.execute(sql.SQL(" UNION ALL ").join(asked)).fetchall() if asked else []
        return {
            by_schema[str(schema)]: FeedMark(position_of((int(str(xid)), cast(int, seq))), bool(settled))
            for schema, xid, seq, settled in rows
        }

    def since(self, namespace: Namespace, moment: datetime) -> Position | None:
        """Tell from where to read what was written since a moment."""
        ((lost, oldest, xid, seq),) = self._rows(namespace, "since", {"at": moment})
        if lost:
            return None
        head = (int(str(oldest)), 0)
        first = head if xid is None else (int(str(xid)), cast(int, seq) - 1)
        return position_of(min(head, first))

    def reached(self, position: Position, end: Position) -> bool:
        """Tell whether a position is not before another."""
        return place_of(position) >= place_of(end)

    def beat(self, namespace: Namespace, label: str = "") -> Position:
        """Write one beat per shard, durably."""
        with (
            translated(namespace),
            self._databases.transaction(namespace.database) as connection,
        ):
            connection.execute(_FEED("durable"))
            rows = connection.execute(
                _FEED("beat", schema=namespace.schema), (label, namespace.ring)
            ).fetchall()
        return position_of(max((int(str(row[0])), cast(int, row[1])) for row in rows))

    def see(self, namespace: Namespace, beats: Mapping[int, datetime]) -> None:
        """Note the newest beats that came through."""
        self._run(namespace, "see", (list(beats), list(beats.values())))

    def seen(self, namespace: Namespace) -> dict[int, datetime]:
        """Tell the newest beats that came through."""
        return {cast(int, row[0]): cast(datetime, row[1]) for row in self._rows(namespace, "seen")}

    def backlog(
        self, namespace: Namespace, after: Places, *, shards: Collection[int] | None = None
    ) -> Backlog:
        """Tell how much lies after a position, or after each shard's own."""
        asked: dict[str, object] = {**_arrays(_starts(namespace, after, shards)), "limit": BACKLOG_LIMIT}
        return Backlog(*cast("tuple[int, float]", self._rows(namespace, "backlog", asked)[0]))

    def register(self, namespace: Namespace, follower: str, at: Mapping[int, Position]) -> None:
        """Begin following."""
        with (
            translated(namespace),
            self._databases.transaction(namespace.database) as connection,
            connection.cursor() as cursor,
        ):
            cursor.executemany(
                _FEED("register", schema=namespace.schema),
                [(follower, shard, str(place_of(p)[0]), place_of(p)[1]) for shard, p in sorted(at.items())],
            )

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
        shards = [shard] if isinstance(shard, int) else sorted(shard)
        xid, seq = place_of(position)
        reached_xid, reached_seq = (None, None) if reached is None else place_of(reached)
        rows = self._rows(
            namespace,
            "advance",
            {
                "follower": follower,
                "shards": shards,
                "xid": str(xid),
                "seq": seq,
                "reached_xid": None if reached_xid is None else str(reached_xid),
                "reached_seq": reached_seq,
                "epoch": epoch,
            },
        )
        if len(rows) < len(shards):
            raise ReplicatorUnknown(
                message(
                    "No replicator reads shard {shards} as {follower}.",
                    shards=", ".join(map(str, shards)),
                    follower=follower,
                )
            )
        if any(row[0] for row in rows):
            raise replicator_expired(follower)

    def restart(
        self, namespace: Namespace, follower: str, shards: Collection[int], at: Position | None = None
    ) -> Sequence[int]:
        """Let a follower go on where it was given up or has lost entries."""
        xid, seq = (None, None) if at is None else place_of(at)
        asked: dict[str, object] = {
            "follower": follower,
            "shards": sorted(shards),
            "xid": None if xid is None else str(xid),
            "seq": seq,
        }
        return sorted(cast(int, row[0]) for row in self._rows(namespace, "restart", asked))

    def cursors(self, namespace: Namespace, follower: str | None = None) -> tuple[Cursor, ...]:
        """Tell where the followers are."""
        rows = cast("list[tuple[Any, ...]]", self._rows(namespace, "cursors", (follower,)))
        return tuple(Cursor(*row) for row in rows)

    def forget(self, namespace: Namespace, follower: str) -> None:
        """End following."""
        self._run(namespace, "forget", (follower,))

    def trim(
        self,
        namespace: Namespace,
        *,
        keep: int = 1_000_000,
        retain_seconds: float = 600.0,
        limit: int = 10_000,
    ) -> int:
        """Delete what every live follower has passed; what clients wrote goes into the resource change log."""
        self._run(namespace, "bury_followers", {"keep": keep})
        asked: dict[str, object] = {
            "ring": namespace.ring,
            "retain": retain_seconds,
            "limit": limit,
            "deployment": namespace.deployment,
            "version": namespace.version,
        }
        return cast(int, self._rows(namespace, "trim", asked)[0][0])

    def reset_restored(self, namespaces: Sequence[Namespace]) -> Sequence[Namespace]:
        """Empty the feeds of a database that another server filled, and give up their followers."""
        if not namespaces:
            return ()
        database = namespaces[0].database
        with translated(namespaces[0]), self._databases.connection(database) as connection:
            if connection.rows(_FEED("knows_server")) != [(True,)]:
                return ()
            if connection.rows(_FEED("is_restored")) != [(True,)]:
                return ()
            with connection.transaction():
                if not connection.rows(_FEED("lock_server")):
                    return ()
                built = {
                    str(row[0])
                    for row in connection.rows(_FEED("built"), ([each.schema for each in namespaces],))
                }
                reset = [each for each in namespaces if each.schema in built]
                for namespace in reset:
                    # Who writes meanwhile waits: an entry written after the deletion would be one that is followed.
                    connection.run(_FEED("lock_feed", schema=namespace.schema))
                    named: dict[str, object] = {
                        "deployment": namespace.deployment,
                        "version": namespace.version,
                    }
                    connection.rows(_FEED("empty_feed", schema=namespace.schema), named)
                connection.run(_FEED("note_server"))
        return reset

    def holders(self, namespace: Namespace, *, older_than_seconds: float = 0.0) -> Sequence[Holder]:
        """Name the transactions that hold the horizon back."""
        rows = cast("list[tuple[Any, ...]]", self._rows(namespace, "holders", {"older": older_than_seconds}))
        return [Holder(*row) for row in rows]

    def _rows(self, namespace: Namespace, statement: str, parameters: Parameters = None) -> Rows:
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            return connection.execute(_FEED(statement, schema=namespace.schema), parameters).fetchall()

    def _run(self, namespace: Namespace, statement: str, parameters: Parameters = None) -> None:
        with translated(namespace), self._databases.connection(namespace.database) as connection:
            connection.execute(_FEED(statement, schema=namespace.schema), parameters)


def _mark_question(namespace: Namespace) -> sql.Composed:
    return _FEED.template("mark").format(
        label=sql.Literal(namespace.schema),
        schema=sql.Identifier(namespace.schema),
        ring=sql.Literal(namespace.ring),
    )


def _starts(namespace: Namespace, after: Places, shards: Collection[int] | None) -> dict[int, Place]:
    places = place_per_shard(namespace, after, shards)
    return {shard: place_of(position) for shard, position in places.items()}


def _arrays(starts: Mapping[int, Place]) -> dict[str, object]:
    return {
        "shards": list(starts),
        "xids": [str(xid) for xid, _ in starts.values()],
        "seqs": [seq for _, seq in starts.values()],
    }


def _change(row: tuple[object, ...]) -> Change:
    xid, seq, operation, type_, name, uid, shard, revision, origin, at = cast(tuple[Any, ...], row[3:])
    return Change(
        Position(f"{xid}.{seq}"), _OPERATIONS[operation], type_, name, uid, shard, revision, origin, at
    )
