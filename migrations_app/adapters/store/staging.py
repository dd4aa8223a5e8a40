"""Followed changes as rows of PostgreSQL's binary COPY, packed by hand: half the cost of one value after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from struct import Struct

from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel import json
from migrations_app.ports.store import Put, Removal

HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TAIL = b"\xff\xff"
TOGETHER = 500

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_NULL = b"\xff\xff\xff\xff"
_LENGTH = Struct("!i").pack
FIELDS = Struct("!h").pack(12)
KEPT, _REMOVED = b"\0\0\0\1\0", b"\0\0\0\1\1"
# After the name and the mark of a removal: shard, origin shard, uid, revision, each behind its length.
_PUT = Struct("!iiiii16siq").pack
_UID = Struct("!i16s").pack
_REVISION = Struct("!iq").pack
_TIMES = Struct("!iqiq").pack
_JSONB = Struct("!ic").pack


def packed(changes: Sequence[Put | Removal], ring: int) -> Iterator[bytes]:
    """Write changes as a whole COPY, in pieces: type, name, removed, then what a put brings."""
    yield HEAD
    for start in range(0, len(changes), TOGETHER):
        yield b"".join(map(_Row(ring), changes[start : start + TOGETHER]))
    yield TAIL


class _Row:
    """Packs rows; what many rows share is packed once."""

    def __init__(self, ring: int) -> None:
        self._ring = ring
        self._words: dict[str, bytes] = {}

    def __call__(self, change: Put | Removal) -> bytes:
        words = self._words
        type_ = words.get(change.type) or words.setdefault(change.type, text(change.type))
        if isinstance(change, Removal):
            uid = _NULL if change.uid is None else _UID(16, change.uid.bytes)
            revision = _REVISION(8, change.revision)
            return b"".join((FIELDS, type_, text(change.name), _REMOVED, _NULL * 2, uid, revision, _NULL * 5))
        region = words.get(change.owning_region) or words.setdefault(
            change.owning_region, text(change.owning_region)
        )
        body, metadata = json.encode(change.body), json.encode(change.metadata)
        return b"".join(
            (
                FIELDS,
                type_,
                text(change.name),
                KEPT,
                _PUT(
                    4,
                    shard_of(change.name, self._ring),
                    4,
                    change.origin_shard,
                    16,
                    change.uid.bytes,
                    8,
                    change.revision,
                ),
                _JSONB(len(body) + 1, b"\1"),
                body,
                _JSONB(len(metadata) + 1, b"\1"),
                metadata,
                region,
                _TIMES(8, _microseconds(change.create_time), 8, _microseconds(change.update_time)),
            )
        )


def text(words: str) -> bytes:
    """Write a text behind its length."""
    data = words.encode()
    return _LENGTH(len(data)) + data


def _microseconds(at: datetime) -> int:
    """Tell a moment as PostgreSQL keeps it: microseconds since the year 2000."""
    since = at - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
