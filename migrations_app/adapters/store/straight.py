"""Resources carried as PostgreSQL keeps them: only the name and the document are read, all else crosses as bytes.

Making objects of every column and bytes of them again is half the cost of a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from struct import Struct

from msgspec.json import Decoder
from psycopg.pq.abc import PGresult

from migrations_app.adapters.store.staging import FIELDS, HEAD, KEPT, TAIL, text
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import Convert
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Reference

_loads: Callable[[bytes], JsonObject] = Decoder(dict).decode
_FOUR, _EIGHT, _SIXTEEN = (Struct("!i").pack(size) for size in (4, 8, 16))
_LENGTH, _SHARD = Struct("!i").pack, Struct("!i").pack
_JSONB = Struct("!ic").pack
_revision = Struct("!q").unpack


@dataclass(frozen=True, slots=True)
class Told:
    """What a carried resource refers to."""

    name: str
    revision: int
    references: tuple[Reference, ...] | None


@dataclass(slots=True)
class Page:
    """A page, packed for COPY."""

    rows: list[bytes] = field(default_factory=lambda: [HEAD])
    told: list[Told] = field(default_factory=list)
    last: str = ""


def carried(found: PGresult, source: Namespace, target: Namespace, type_: str, convert: Convert) -> Page:
    """Convert a page, in the columns that `page` selects, read in binary.

    Raises: whatever `convert` raises.
    """
    page, named, value = Page(), text(type_), found.get_value
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
        page.rows.append(
            b"".join(
                (
                    FIELDS,
                    named,
                    text(made.name),
                    KEPT,
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
            )
        )
        page.told.append(Told(made.name, _revision(revision)[0], made.references))
    page.rows.append(TAIL)
    return page
