"""What every store promises of followed resources that it carries itself: read, converted, brought, noted in the feed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.kernel.json import JsonObject, decode
from migrations_app.ports.feed import FeedOperation, Position
from migrations_app.ports.store import (
    ABSENT,
    BatchResult,
    Reference,
    ReferenceKind,
    Removal,
    ReplicationToken,
)
from tests.contract.conftest import World
from tests.factories.puts import carried

WARRANT = ReplicationToken("v1alpha2", 1)
PROJECT = Reference(
    "spec.project", ReferenceKind.BLOCK, "projects.example.com", "north", "v1", "Project", "p/1"
)


def renamed(name: str, body: JsonObject) -> SimpleNamespace:
    """Put a resource under b, with its size in bytes, referring to what it was."""
    references = (replace(PROJECT, target_name=name),)
    return SimpleNamespace(
        name=f"b/{name.partition('/')[2]}", body={"bytes": body["size"]}, references=references
    )


def bring(
    world: World, announced: dict[str, int], replication_token: ReplicationToken = WARRANT
) -> BatchResult | None:
    return world.store.apply_through(
        world.old, world.new, "Secret", announced, "Secret", renamed, replication_token
    )


def test_resources_are_brought_as_they_are_now_and_noted_with_their_origin(world: World) -> None:
    written = [world.write(f"a/{number}", ABSENT, size=number) for number in range(4)]
    newer = world.write("a/1", written[1].revision, size=11)
    assert bring(world, {"a/0": 1, "a/1": 1, "a/2": 1, "a/gone": 1}) == BatchResult(3, 0, 0)

    reading = world.store.read(world.new)
    assert world.brought() == ["b/0", "b/1", "b/2"]
    assert reading.get("Secret", "b/1") == replace(
        newer, name="b/1", shard=shard_of("b/1"), origin_shard=newer.shard, body={"bytes": 11}
    )
    assert reading.references("Secret", "b/1") == (replace(PROJECT, target_name="a/1"),)
    told = world.feed.read(world.new, Position("0.0"), echo=True).changes
    assert sorted((each.operation, each.name, each.revision, each.origin) for each in told) == [
        (FeedOperation.PUT, "b/0", 1, "v1alpha2"),
        (FeedOperation.PUT, "b/1", 2, "v1alpha2"),
        (FeedOperation.PUT, "b/2", 1, "v1alpha2"),
    ]


def test_brought_again_nothing_is_written_and_nothing_newer_is_undone(world: World) -> None:
    first, second = world.write("a/1", ABSENT, size=1), world.write("a/2", ABSENT, size=2)
    assert bring(world, {"a/1": 1}) == BatchResult(1, 0, 0)
    world.store.apply(world.new, [Removal("Secret", "b/2", second.uid, 2, second.shard)], WARRANT)
    world.store.apply(world.new, [carried(first, "b/1", revision=9, body={"bytes": 9})], WARRANT)

    assert bring(world, {"a/1": 1, "a/2": 1}) == BatchResult(0, 0, 2)
    there = world.store.read(world.new).get("Secret", "b/1")
    assert there is not None
    assert (there.revision, there.body) == (9, {"bytes": 9})
    assert world.brought() == ["b/1"]


def test_documents_are_converted_as_text_where_the_conversion_takes_it(world: World) -> None:
    written = world.write("a/1", ABSENT, size=1)
    world.store.apply(
        world.new, [replace(carried(written, "b/1", revision=0), references=(PROJECT,))], WARRANT
    )

    def convert(name: str, body: JsonObject) -> SimpleNamespace:
        raise AssertionError(f"{name} is converted as text.")

    def convert_text(name: str, data: bytes) -> tuple[str, bytes]:
        assert decode(data) == {"size": 1}
        return f"b/{name.partition('/')[2]}", b'{"bytes": 12345678901234567890123}'

    brought = world.store.apply_through(
        world.old, world.new, "Secret", {"a/1": 1}, "Secret", convert, WARRANT, convert_text
    )

    assert brought == BatchResult(1, 0, 0)
    reading = world.store.read(world.new)
    there = reading.get("Secret", "b/1")
    assert there is not None
    assert (there.body, there.shard) == ({"bytes": 12345678901234567890123}, shard_of("b/1"))
    assert reading.references("Secret", "b/1") == ()


def test_of_what_is_older_than_announced_nothing_is_brought(world: World) -> None:
    world.write("a/1", ABSENT, size=1)
    world.write("a/2", ABSENT, size=2)
    with pytest.raises(Busy) as refused:
        bring(world, {"a/1": 1, "a/2": 2})
    assert refused.value.code == "revision-behind"
    assert world.brought() == []


def test_when_one_does_not_convert_or_two_get_one_name_nothing_is_brought(world: World) -> None:
    world.write("a/1", ABSENT, size=1)
    world.write("c/1", ABSENT, size=2)
    assert bring(world, {"a/1": 1, "c/1": 1}) is None
    world.write("a/2", ABSENT)
    with pytest.raises(KeyError, match="size"):
        bring(world, {"a/1": 1, "a/2": 1})
    assert world.brought() == []


def test_a_void_warrant_brings_nothing(world: World) -> None:
    world.write("a/1", ABSENT, size=1)
    with pytest.raises(Stale) as refused:
        bring(world, {"a/1": 1}, ReplicationToken("v1alpha2", 7))
    assert refused.value.code == "warrant-void"
    assert world.brought() == []
