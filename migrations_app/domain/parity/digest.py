"""The fast digest of a shard: count, sum and a second, independent sum of 64-bit hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

_RING = 1 << 64


@dataclass(frozen=True, slots=True)
class Digest:
    """What a set of (uid, revision) pairs adds up to, in any order.

    Two independent sums, because an XOR cancels pairs, and one sum cancels a swap of revisions in two resources
    with a chance that is too large for millions of them.
    """

    count: int = 0
    first: int = 0
    second: int = 0

    def plus(self, other: Digest) -> Digest:
        """The digest of both sets together."""
        return Digest(
            self.count + other.count, (self.first + other.first) % _RING, (self.second + other.second) % _RING
        )

    def minus(self, other: Digest) -> Digest:
        """The digest without the other set."""
        return Digest(
            self.count - other.count, (self.first - other.first) % _RING, (self.second - other.second) % _RING
        )


EMPTY = Digest()


def digest_of(pairs: Iterable[tuple[str, int]]) -> Digest:
    """Digest (uid, revision) pairs in memory; a database adapter has its own two hashes of the same pairs."""
    count, first, second = 0, 0, 0
    for uid, revision in pairs:
        whole = hashlib.blake2b(f"{uid}:{revision}".encode(), digest_size=16).digest()
        count += 1
        first += int.from_bytes(whole[:8], "big")
        second += int.from_bytes(whole[8:], "big")
    return Digest(count, first % _RING, second % _RING)
