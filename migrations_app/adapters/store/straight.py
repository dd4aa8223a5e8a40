"""Resources carried as PostgreSQL keeps them: only the name and the document are read, all else crosses as bytes.

Making objects of every column and bytes of them again is half the cost of a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from struct import Struct

from msgspec.json import Decoder
from psycopg.pq.abc import PGresult

from migrations_app.adapters.store.staging import FIELDS, HEAD, KEPT, TAIL, TOGETHER, text
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import Convert
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Reference

_loads: Callable[[bytes], JsonObject] = Decoder(dict).decode
_FOUR, _EIGHT, _SIXTEEN = (Struct("!i").pack(size) for size in (4, 8, 16))
_COLUMNS = Struct("!h").pack(10)
_LENGTH, _SHARD = Struct("!i").pack, Struct("!i").pack
_JSONB = Struct("!ic").pack
_revision, _shard = Struct("!q").unpack, Struct("!i").unpack


@dataclass(frozen=True, slots=True)
class Told:
    """What a carried resource refers to."""

    name: str
    revision: int
    references: tuple[Reference, ...] | None


@dataclass(slots=True)
class Page:
    """A page, packed for COPY: of each resource its new name, and its other columns as bytes."""

    rows: list[tuple[str, bytes]] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    last: str = ""
    shares: Counter[int] = field(default_factory=Counter)

    def straight(self, held: set[str]) -> Iterator[bytes]:
        """Pack those that are not held for the table itself, in the order of their names."""
        fresh = sorted((name.encode(), rest) for name, rest in self.rows if name not in held)
        return _together((_COLUMNS, _LENGTH(len(name)), name, rest) for name, rest in fresh)

    def staged(self, type_: str, held: set[str] | None = None) -> Iterator[bytes]:
        """Pack those that are held, or all, for the staging table."""
        named = text(type_)
        return _together(
            (FIELDS, named, text(name), KEPT, rest)
            for name, rest in self.rows
            if held is None or name in held
        )


def _together(rows: Iterator[tuple[bytes, ...]]) -> Iterator[bytes]:
    yield HEAD
    while piece := b"".join(map(b"".join, islice(rows, TOGETHER))):
        yield piece
    yield TAIL


def revisions(found: PGresult) -> Iterator[tuple[str, int]]:
    """Tell name and revision of each resource of a page."""
    for row in range(found.ntuples):
        yield (found.get_value(row, 0) or b"").decode(), _revision(found.get_value(row, 2) or b"")[0]


def carried(found: PGresult, source: Namespace, target: Namespace, convert: Convert) -> Page:
    """Convert a page, in the columns that `page` selects, read in binary.

    Raises: whatever `convert` raises.
    """
    page, value = Page(), found.get_value
    alike = source.ring == target.ring
    for row in range(found.ntuples):
        name, uid, revision, shard, _, body, metadata, region, created, updated = (
            value(row, column) or b"" for column in range(10)
        )
        page.last = name.decode()
        # A jsonb travels as its version, 1, and its text.
        made = convert(page.last, _loads(body[1:]))
        document = json.encode(made.body)
        kept = alike and made.name == page.last
        rest = (
            _FOUR,
            shard if kept else _SHARD(shard_of(made.name, target.ring)),
            _FOUR,
            shard,
            _SIXTEEN,
            uid,
            _EIGHT,
            revision,
            _JSONB(len(document) + 1, b"\1"),
            document,
            _LENGTH(len(metadata)),
            metadata,
            _LENGTH(len(region)),
            region,
            _EIGHT,
            created,
            _EIGHT,
            updated,
        )
        page.rows.append((made.name, b"".join(rest)))
        page.shares[_shard(shard)[0]] += 1
        page.told.append(Told(made.name, _revision(revision)[0], made.references))
    return page
