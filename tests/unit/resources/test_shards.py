"""Shards are golden: a changed hash would move every stored resource."""

from __future__ import annotations

import pytest

from migrations_app.domain.resources.shards import fnv1a64, shard_key, shard_of, shards_of

GOLDEN = [8, 11, 14, 1, 9, 6, 3, 0]
GOLDEN_UNICODE = 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)],
)
def test_the_hash_agrees_with_the_published_vectors(text: str, expected: int) -> None:
    assert fnv1a64(text.encode()) == expected


def test_the_names_of_the_seeds_fall_into_their_golden_shards() -> None:
    names = [f"projects/p{project}/secrets/s{secret}" for project in range(2) for secret in range(4)]

    assert [shard_of(name) for name in names] == GOLDEN
    assert shard_of("projects/p0/secrets/żółw") == GOLDEN_UNICODE


def test_the_metadata_names_the_ring() -> None:
    assert shard_key(16) == "byNameMod16"
    assert shards_of("a", 16) == {"byNameMod16": 0xC}


@pytest.mark.parametrize("ring", [1, 2, 12, 16, 1000, 4096])
def test_a_shard_is_the_hash_modulo_the_ring(ring: int) -> None:
    names = ["", "a", "projects/p/secrets/s", "é/ü/漢字", "x" * 300]
    assert [shard_of(name, ring) for name in names] == [fnv1a64(name.encode()) % ring for name in names]
