"""Shards: which of a ring's buckets a resource belongs to, by the FNV-1a hash of its name."""

from __future__ import annotations

from functools import lru_cache

DEFAULT_RING = 16

_OFFSET = 0xCBF29CE484222325
_PRIME = 0x100000001B3
_MASK = 0xFFFFFFFFFFFFFFFF


def fnv1a64(data: bytes) -> int:
    """Hash bytes by FNV-1a with 64 bits."""
    value = _OFFSET
    for byte in data:
        value = ((value ^ byte) * _PRIME) & _MASK
    return value


# Names come again: a list that is read every second, a resource that is read after it was written.
@lru_cache(maxsize=1 << 15)
def shard_of(name: str, ring: int = DEFAULT_RING) -> int:
    """Find the shard of a name in a ring of `ring` shards."""
    mask = ring - 1
    if ring & mask:
        return fnv1a64(name.encode()) % ring
    # The low bits of a product depend on the low bits of its factors alone: small numbers do, and are fast.
    value, prime = _OFFSET & mask, _PRIME & mask
    for byte in name.encode():
        value = ((value ^ byte) * prime) & mask
    return value


def shard_key(ring: int = DEFAULT_RING, label: str = "byName") -> str:
    """Name the key under which metadata carries the shard: `byNameMod16`."""
    return f"{label}Mod{ring}"


def shards_of(name: str, ring: int = DEFAULT_RING) -> dict[str, int]:
    """Write the `shards` map of a resource's metadata."""
    return {shard_key(ring): shard_of(name, ring)}
