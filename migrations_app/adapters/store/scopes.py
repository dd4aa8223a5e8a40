"""Which resources of a table one page of a backfill reads: of one shard, or of several beside each other.

Rows lie in a table in about the order of their names, or in none; the shards are strewn over them. A page of one shard
of sixteen therefore reads sixteen times the blocks it needs, and they are read again for every shard. Eight shards read
at once, up to one name, need them twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.store.rows import FOLLOWING, table_of
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange


@dataclass(frozen=True, slots=True)
class BackfillScope:
    """The resources of some shards up to a name: the condition that says which, and how many there are of each shard.

    All of them lie after the name `after`. `more` when the key range goes on beyond that name.
    """

    condition: sql.Composable
    last: str
    shares: dict[int, int]
    more: bool
    after: str

    @property
    def read(self) -> int:
        """Count them."""
        return sum(self.shares.values())


def scope_of(connection: Connection, source: Namespace, key_range: KeyRange) -> BackfillScope | None:
    """Find which resources a page reads; None when these shards cannot be read beside each other."""
    return (
        _page_end_by_index(connection, source, key_range)
        if key_range.beside
        else _alone(connection, source, key_range)
    )


def _alone(connection: Connection, source: Namespace, key_range: KeyRange) -> BackfillScope:
    upto = sql.SQL("" if key_range.upto is None else " AND name <= {}").format(sql.Literal(key_range.upto))
    places = _places(source, key_range) | {
        "shard": sql.Literal(key_range.shard),
        "after": sql.Literal(key_range.after),
        "upto": upto,
        "limit": sql.Literal(key_range.limit),
        "own": sql.Literal(list(source.own)),
    }
    found = connection.execute(FOLLOWING.template("stretch").format(**places)).fetchone()
    read, last = cast("tuple[int, str | None]", found)
    condition = _within(key_range.afters, last or key_range.after)
    shares = {key_range.shard: read}
    return BackfillScope(condition, last or key_range.after, shares, read == key_range.limit, key_range.after)


def _page_end_by_index(
    connection: Connection, source: Namespace, key_range: KeyRange
) -> BackfillScope | None:
    """Let the index of names tell where the page ends: after so many names of all shards as bring about its limit.

    Read copies between the resources are not told by it: then the shards are read one by one.
    """
    afters = key_range.afters
    places = _places(source, key_range) | {
        "after": sql.Literal(min(afters.values())),
        "upto": sql.Literal(key_range.upto),
        "names": sql.Literal(max(key_range.limit * source.ring // len(afters) - 1, 0)),
    }
    found = connection.execute(FOLLOWING.template("end_abreast").format(**places)).fetchone()
    mixed, end = cast("tuple[bool, str | None]", found)
    if mixed or key_range.upto is None:
        return None
    last = key_range.upto if end is None else end
    condition = _within(afters, last)
    rows = connection.execute(
        FOLLOWING.template("shares").format(**_places(source, key_range), scope=condition)
    ).fetchall()
    shares = dict(cast("list[tuple[int, int]]", rows))
    return BackfillScope(condition, last, shares, last < key_range.upto, min(afters.values()))


def _places(source: Namespace, key_range: KeyRange) -> dict[str, sql.Composable]:
    return {
        "source_schema": sql.Identifier(source.schema),
        "source_table": sql.Identifier(table_of(key_range.type)),
    }


def _within(afters: dict[int, str], last: str) -> sql.Composable:
    """Say which rows these are, in the words the planner finds an index by."""
    least = min(afters.values())
    shards = [sql.Literal(shard) for shard in sorted(afters)]
    said = sql.SQL("source.shard IN ({}) AND source.name > {} AND source.name <= {}").format(
        sql.SQL(", ").join(shards), sql.Literal(least), sql.Literal(last)
    )
    for shard, after in sorted(afters.items()):
        if after > least:
            ahead = sql.SQL(" AND (source.shard <> {} OR source.name > {})")
            said += ahead.format(sql.Literal(shard), sql.Literal(after))
    return said
