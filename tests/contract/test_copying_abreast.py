"""What every store promises of shards that are copied beside each other."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Never

import pytest

from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.feed import Position
from migrations_app.ports.store import (
    ABSENT,
    Copied,
    KeyRange,
    Removal,
    ReplicationToken,
)
from tests.contract.conftest import World
from tests.factories.puts import carried
from tests.factories.sql_plans import sql_plan

WARRANT = ReplicationToken("v1alpha2", 1)


def both_ways(world: World, key_range: KeyRange) -> list[Copied]:
    """Copy a stretch by every way this store has for it."""
    # The database is unsure about a third of them.
    size = "jsonb_build_object('bytes', body -> 'size')"
    unsure = "(body -> 'size')::int % 3 = 0"
    body = f"CASE WHEN {unsure} THEN '{{}}' ELSE {size} END"
    plan = sql_plan("'b/' || split_part(name, '/', 2)", body, unsure)

    def convert(name: str, body: JsonObject) -> SimpleNamespace:
        return SimpleNamespace(
            name=f"b/{name.partition('/')[2]}", body={"bytes": body["size"]}, references=None
        )

    within = world.store.copy_within(world.old, world.new, key_range, "Secret", plan, WARRANT, convert)
    through = world.store.copy_through(world.old, world.new, key_range, "Secret", convert, WARRANT)
    return [copied for copied in (within, through) if copied is not None]


def test_shards_copied_beside_each_other_are_each_read_after_their_own_name(world: World) -> None:
    written = [world.write(f"a/{number:03}", ABSENT, size=number) for number in range(100)]
    # One shard is ahead of the others, and one is not copied at all.
    ahead, left = 3, 5
    afters = {shard: "a/049" if shard == ahead else "" for shard in range(16) if shard != left}
    first = next(iter(afters))
    pages = 0
    while True:
        beside = tuple((shard, after) for shard, after in afters.items() if shard != first)
        key_range = KeyRange("Secret", first, afters[first], "a/089", limit=30, beside=beside)
        end = min(afters.values())
        told = both_ways(world, key_range)
        last = told[0].last
        for copied in told:
            wanted = [
                found.shard
                for found in written
                if found.shard in afters and afters[found.shard] < found.name <= (last or "a/089")
            ]
            assert copied.read == len(wanted)
            assert copied.last == last
            assert dict(copied.shares) == {shard: wanted.count(shard) for shard in set(wanted)}
        pages += 1
        if last is None:
            break
        assert last > end
        afters = {shard: max(after, last) for shard, after in afters.items()}
    assert pages == 3
    brought = [
        found
        for found in written
        if found.shard != left
        and found.name <= "a/089"
        and not (found.shard == ahead and found.name <= "a/049")
    ]
    assert world.brought() == [found.name.replace("a", "b") for found in brought]
    reading = world.store.read(world.new)
    for found in brought:
        there = reading.get("Secret", found.name.replace("a", "b"))
        assert there is not None
        assert there == replace(
            found,
            name=there.name,
            shard=shard_of(there.name),
            origin_shard=found.shard,
            body={"bytes": found.body["size"]},
        )


def test_shards_copied_beside_each_other_undo_neither_newer_revisions_nor_deletions(world: World) -> None:
    one, two, three = (world.write(f"a/{number}", ABSENT, size=number) for number in (1, 2, 3))
    newer = carried(one, "b/1", revision=5, body={"bytes": 9})
    world.store.apply(world.new, [newer, Removal("Secret", "b/2", two.uid, 2, two.shard)], WARRANT)
    beside = tuple((shard, "") for shard in range(1, 16))
    both_ways(world, KeyRange("Secret", 0, "", "a/9", beside=beside))
    assert world.brought() == ["b/1", "b/3"]
    there = world.store.read(world.new).get("Secret", "b/1")
    assert there is not None
    assert (there.revision, there.body) == (5, {"bytes": 9})
    brought = {change.name for change in world.feed.read(world.new, Position("0.0"), echo=True).changes}
    assert f"b/{three.name[-1]}" not in brought


def test_shards_between_which_read_copies_lie_are_not_copied_beside_each_other(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    world.write("a/1", ABSENT, size=1)
    with world.databases.connection(world.old.database) as connection:
        connection.execute(
            f"INSERT INTO {world.old.schema}.copy_source (region, position, stage, cursor, waiting, problem, rev) "
            "VALUES ('south', '', 'FOLLOWING', '', 0, '', 1)"
        )
    assert both_ways(world, KeyRange("Secret", 0, "", "a/9", beside=((1, ""),))) == []
    assert world.brought() == []


def test_nothing_of_a_page_is_written_when_a_conversion_of_it_fails(postgres_world: World) -> None:
    world = postgres_world
    shards = {world.write(f"a/{number}", ABSENT, size=number).shard for number in range(20)}
    beside = tuple((shard, "") for shard in range(16) if shard != min(shards))

    def convert(name: str, body: JsonObject) -> Never:
        raise ValueError(name)

    plan = sql_plan(unsure="(body -> 'size')::int = 7")
    key_range = KeyRange("Secret", min(shards), "", "a/9", beside=beside)
    with pytest.raises(ValueError, match="a/7"):
        world.store.copy_within(world.old, world.new, key_range, "Secret", plan, WARRANT, convert)
    assert world.brought() == []


def test_what_the_database_is_unsure_about_is_written_once_by_its_conversion(postgres_world: World) -> None:
    world = postgres_world
    found = [world.write(f"a/{number:02}", ABSENT, size=number) for number in range(20)]
    # Followed before: one newer than the page, one older.
    newer, older = carried(found[3], revision=5), replace(carried(found[5]), revision=0)
    world.store.apply(world.new, [newer, older], WARRANT)
    converted: list[str] = []

    def convert(name: str, body: JsonObject) -> SimpleNamespace:
        converted.append(name)
        return SimpleNamespace(name=name, body={"by": "python"}, references=None)

    plan = sql_plan("name", "jsonb_build_object('by', 'database')", "(body -> 'size')::int IN (3, 5, 8)")
    beside = tuple((shard, "") for shard in range(1, 16))
    key_range = KeyRange("Secret", 0, "", "a/99", beside=beside)
    copied = world.store.copy_within(world.old, world.new, key_range, "Secret", plan, WARRANT, convert)
    assert copied is not None
    assert (copied.read, copied.written, copied.last) == (20, 19, None)
    assert converted == ["a/03", "a/05", "a/08"]
    there = world.store.read(world.new)
    made = {name: there.get("Secret", name) for name in ("a/03", "a/04", "a/05", "a/08")}
    assert {name: each.body for name, each in made.items() if each is not None} == {
        "a/03": newer.body,
        "a/04": {"by": "database"},
        "a/05": {"by": "python"},
        "a/08": {"by": "python"},
    }
    # Nothing is left over when the page is copied once more.
    again = world.store.copy_within(world.old, world.new, key_range, "Secret", plan, WARRANT, convert)
    assert again is not None
    assert (again.read, again.written) == (20, 0)
