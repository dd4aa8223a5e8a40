"""Resources carried as PostgreSQL keeps them: only the name and the document are read, all else crosses as bytes.

The document too, where the conversion takes text: what it does not touch is then never made a value.

Making objects of every column and bytes of them again is half the cost of a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from struct import Struct

from msgspec.json import Decoder
from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.store.rows import RESOURCE
from migrations_app.adapters.store.staging import FIELDS, HEAD, KEPT, TAIL, TOGETHER, text
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import Convert, ConvertText
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Reference

_loads: Callable[[bytes], JsonObject] = Decoder(dict).decode
_COLUMNS = Struct("!h").pack(10)
_LENGTH = Struct("!i").pack
_JSONB = Struct("!ic").pack
_length, _revision = Struct("!i").unpack_from, Struct("!q").unpack_from
# Where things are in a row as COPY sends it: ten columns, each behind its length, the name first. From the end of the
# name on: shard, origin shard, uid, revision, document.
_NAME = 6
_SHARD, _REST, _REVISION, _SIZE, _BODY = 4, 8, 40, 48, 52


@dataclass(frozen=True, slots=True)
class CarriedReferences:
    """What a carried resource refers to."""

    name: str
    revision: int
    references: tuple[Reference, ...] | None


@dataclass(slots=True)
class CopyPage:
    """A page, packed for COPY: of each resource its new name, and its other columns as bytes.

    `references` are those that are known; `alike` when all names and shards are those they were.
    """

    rows: list[tuple[bytes, bytes]] = field(default_factory=list)
    references: list[CarriedReferences] = field(default_factory=list)
    last: str = ""
    alike: bool = True
    shares: Counter[int] = field(default_factory=Counter)

    @property
    def names(self) -> list[str]:
        """Tell the new names."""
        return [name.decode() for name, _ in self.rows]

    def packed_rows(self, held: set[bytes]) -> Iterator[bytes]:
        """Pack those that are not held for the table itself, in the order of their names."""
        fresh = sorted(row for row in self.rows if row[0] not in held)
        return _together((_COLUMNS, _LENGTH(len(name)), name, rest) for name, rest in fresh)

    def staged(self, type_: str, held: set[bytes] | None = None) -> Iterator[bytes]:
        """Pack those that are held, or all, for the staging table."""
        named = text(type_)
        return _together(
            (FIELDS, named, _LENGTH(len(name)), name, KEPT, rest)
            for name, rest in self.rows
            if held is None or name in held
        )


def _together(rows: Iterator[tuple[bytes, ...]]) -> Iterator[bytes]:
    yield HEAD
    while piece := b"".join(map(b"".join, islice(rows, TOGETHER))):
        yield piece
    yield TAIL


def read(connection: Connection, asked: sql.Composed) -> list[bytes]:
    """Read the rows that are asked for as COPY sends them, all of them before anybody looks at one."""
    rows: list[bytes] = []
    with connection.cursor() as cursor, cursor.copy(RESOURCE.template("sent").format(asked=asked)) as copy:
        take = connection.pgconn.get_copy_data
        while piece := copy.read():
            # The first row comes behind the head.
            rows.append(bytes(piece) if rows else bytes(piece)[len(HEAD) :])
            # What has come with it is taken without waiting; the end is left to who knows what to do about it.
            while rows[-1] != TAIL and (found := take(1))[0] > 0:
                rows.append(bytes(found[1]))
    assert rows[-1] == TAIL
    return rows[:-1]


def revisions(rows: list[bytes]) -> Iterator[tuple[str, int]]:
    """Tell name and revision of each resource of a page."""
    for row in rows:
        end = _NAME + _length(row, 2)[0]
        yield row[_NAME:end].decode(), _revision(row, end + _REVISION)[0]


def carried(
    rows: list[bytes],
    source: Namespace,
    target: Namespace,
    convert: Convert,
    convert_text: ConvertText | None = None,
) -> CopyPage:
    """Convert a page, as `read` gives it; as text, where that is given.

    Raises: whatever the conversion raises.
    """
    page, shares, alike = CopyPage(), Counter[bytes](), source.ring == target.ring
    for row in rows:
        at = _NAME + _length(row, 2)[0]
        page.last = row[_NAME:at].decode()
        end = at + _BODY + _length(row, at + _SIZE)[0]
        # A jsonb travels as its version, 1, and its text.
        data = row[at + _BODY + 1 : end]
        references: tuple[Reference, ...] | None = ()
        if convert_text is not None:
            name, document = convert_text(page.last, data)
        else:
            made = convert(page.last, _loads(data))
            name, document, references = made.name, json.encode(made.body), made.references
        head = row[at : at + _SIZE]
        if not (alike and name == page.last):
            page.alike = False
            head = head[:_SHARD] + _LENGTH(shard_of(name, target.ring)) + head[_REST:]
        rest = b"".join((head, _JSONB(len(document) + 1, b"\1"), document, row[end:]))
        page.rows.append((name.encode(), rest))
        shares[row[at + _SHARD : at + _REST]] += 1
        if references is not None:
            revision = _revision(row, at + _REVISION)[0]
            page.references.append(CarriedReferences(name, revision, references))
    page.shares.update({_length(shard)[0]: many for shard, many in shares.items()})
    return page
