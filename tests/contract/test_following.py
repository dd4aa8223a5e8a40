"""What every store promises to followers: the newest revision wins, in any order, and the fence decides."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest

from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.feed import FeedOperation, Position
from migrations_app.ports.store import (
    ABSENT,
    BatchResult,
    Copied,
    KeyRange,
    Put,
    Reference,
    ReferenceKind,
    Removal,
    ReplicationToken,
)
from tests.contract.conftest import World
from tests.factories.puts import carried
from tests.factories.sql_plans import not_converted, sql_plan

WARRANT = ReplicationToken("v1alpha2", 1)
PROJECT = Reference(
    "spec.project", ReferenceKind.BLOCK, "projects.example.com", "north", "v1", "Project", "p/1"
)


@pytest.mark.parametrize("way", ["apply", "copy"])
def test_a_brought_resource_keeps_uid_revision_and_times(world: World, way: str) -> None:
    found = world.write("old/1", ABSENT, size=1)
    put = carried(found, "new/1", references=(PROJECT,))
    assert getattr(world.store, way)(world.new, [put], WARRANT) == BatchResult(1, 0, 0)

    there = world.store.read(world.new).get("Secret", "new/1")
    assert there == replace(found, name="new/1", shard=shard_of("new/1"), origin_shard=found.shard)
    assert world.store.read(world.new).references("Secret", "new/1") == (PROJECT,)


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_any_order_of_changes_ends_at_the_newest_revision(world: World, order: tuple[int, ...]) -> None:
    found = world.write("a/1", ABSENT)
    changes: list[Put | Removal] = [
        carried(found, body={"at": 1}, references=()),
        carried(found, revision=2, body={"at": 2}, references=(PROJECT,)),
        Removal("Secret", "a/1", found.uid, 3, found.shard),
        carried(found, revision=4, body={"at": 4}, references=(replace(PROJECT, path="spec.other"),)),
    ]
    for index in (*order, *order):
        world.store.apply(world.new, [changes[index]], WARRANT)

    there = world.store.read(world.new).get("Secret", "a/1")
    assert there is not None
    assert (there.revision, there.body) == (4, {"at": 4})
    (reference,) = world.store.read(world.new).references("Secret", "a/1")
    assert reference.path == "spec.other"


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_deletion_is_never_undone_by_an_older_image(world: World, order: tuple[int, ...]) -> None:
    found = world.write("a/1", ABSENT)
    changes: list[Put | Removal] = [
        carried(found, references=(PROJECT,)),
        carried(found, revision=2),
        Removal("Secret", "a/1", found.uid, 3, found.shard),
    ]
    for index in order:
        world.store.apply(world.new, [changes[index]], WARRANT)

    assert world.store.read(world.new).get("Secret", "a/1") is None
    assert world.store.read(world.new).references("Secret", "a/1") == ()
    (grave,) = world.store.tombstones(world.new, "Secret")
    assert grave.revision == 3


def test_a_batch_mixes_types_removals_and_what_is_known_already(world: World) -> None:
    first, second = world.write("a/1", ABSENT), world.write("a/2", ABSENT)
    world.store.apply(world.new, [carried(first), carried(second)], WARRANT)
    applied = world.store.apply(
        world.new,
        [
            carried(first),
            Removal("Secret", "a/2", second.uid, 2, second.shard),
            carried(first, "q/1", type="Project", uid=uuid4()),
        ],
        WARRANT,
    )

    assert applied == BatchResult(1, 1, 1)
    assert world.brought() == ["a/1"]
    assert world.store.read(world.new).get("Project", "q/1") is not None


def test_what_is_applied_appears_in_the_feed_with_its_origin_and_what_is_copied_does_not(
    world: World,
) -> None:
    found = world.write("a/1", ABSENT)
    world.store.copy(world.new, [carried(found)], WARRANT)
    assert world.feed.read(world.new, Position("0.0"), echo=True).changes == ()
    world.store.apply(world.new, [Removal("Secret", "a/1", found.uid, 7, found.shard)], WARRANT)
    (change,) = world.feed.read(world.new, Position("0.0"), echo=True).changes

    assert (change.operation, change.revision, change.origin) == (FeedOperation.DELETE, 7, "v1alpha2")


@pytest.mark.parametrize(
    "replication_token",
    [ReplicationToken("v1alpha2", 2), ReplicationToken("v1", 1), ReplicationToken("v0", 1)],
)
def test_a_warrant_for_another_version_or_epoch_writes_nothing(
    world: World, replication_token: ReplicationToken
) -> None:
    found = world.write("a/1", ABSENT)
    for bring in (world.store.apply, world.store.copy):
        with pytest.raises(Stale) as refused:
            bring(world.new, [carried(found)], replication_token)
        assert refused.value.code == "warrant-void"
    assert world.brought() == []


def test_no_warrant_opens_the_active_namespace(world: World) -> None:
    found = world.write("a/1", ABSENT)
    with pytest.raises(Stale) as refused:
        world.store.apply(world.old, [carried(found, revision=9)], WARRANT)
    assert refused.value.code == "warrant-void"


def test_a_follower_goes_on_in_a_freeze_with_the_new_epoch(world: World) -> None:
    found = world.write("a/1", ABSENT)
    frozen = world.fence.freeze(world.old, world.state)
    with pytest.raises(Stale):
        world.store.apply(world.new, [carried(found)], WARRANT)
    assert (
        world.store.apply(world.new, [carried(found)], ReplicationToken("v1alpha2", frozen.epoch)).written
        == 1
    )


def test_digests_of_both_sides_agree_by_origin_shard_and_by_uid_and_tell_a_difference(world: World) -> None:
    found = [world.write(f"a/{number}", ABSENT) for number in range(40)]
    world.store.copy(world.new, [carried(one, f"b/{one.name}") for one in found], WARRANT)
    source = world.store.digests(world.old, "Secret", "shard")

    assert world.store.digests(world.new, "Secret", "origin_shard") == source
    by_uid = world.store.digests(world.old, "Secret", "uid")
    assert world.store.digests(world.new, "Secret", "uid") == by_uid
    assert sum(digest.count for digest in source.values()) == 40

    world.write("a/7")
    after = world.store.digests(world.old, "Secret", "shard")
    assert {shard for shard in source if source[shard] != after[shard]} == {shard_of("a/7")}


def test_a_page_is_copied_within_the_database_by_the_expressions_of_a_plan(postgres_world: World) -> None:
    world = postgres_world
    written = [world.write(f"a/{number:03}", ABSENT, size=number) for number in range(100)]
    plan = sql_plan("'b/' || split_part(name, '/', 2)", "jsonb_build_object('bytes', body -> 'size')")
    for shard in range(16):
        after, pages = "", 0
        while True:
            key_range = KeyRange("Secret", shard, after=after, limit=4)
            copied = world.store.copy_within(
                world.old, world.new, key_range, "Secret", plan, WARRANT, not_converted
            )
            assert isinstance(copied, Copied)
            assert copied.read == copied.written
            pages += 1
            if copied.last is None:
                break
            after = copied.last

    assert world.brought() == [f"b/{number:03}" for number in range(100)]
    there = world.store.read(world.new).get("Secret", "b/042")
    assert there is not None
    assert there == replace(
        written[42], name="b/042", shard=shard_of("b/042"), origin_shard=shard_of("a/042"), body={"bytes": 42}
    )
    assert world.store.digests(world.new, "Secret", "origin_shard") == world.store.digests(
        world.old, "Secret", "shard"
    )


def test_copying_within_the_database_neither_undoes_newer_revisions_nor_deletions(
    postgres_world: World,
) -> None:
    world = postgres_world
    one, two = world.write("a/1", ABSENT), world.write("a/2", ABSENT)
    world.store.apply(
        world.new,
        [carried(one, revision=5), Removal("Secret", "a/2", two.uid, 2, two.shard)],
        WARRANT,
    )
    plan = sql_plan()
    for shard in (one.shard, two.shard):
        key_range = KeyRange("Secret", shard)
        world.store.copy_within(world.old, world.new, key_range, "Secret", plan, WARRANT, not_converted)

    assert world.brought() == ["a/1"]
    there = world.store.read(world.new).get("Secret", "a/1")
    assert there is not None
    assert there.revision == 5


def test_a_page_is_carried_and_only_its_names_and_documents_are_converted(postgres_world: World) -> None:
    world = postgres_world
    written = [world.write(f"a/{number:03}", ABSENT, size=number) for number in range(100)]
    # Some were followed already, newer or older than what the page brings; one was deleted meanwhile.
    for number, revision in ((1, 5), (2, 1)):
        world.store.apply(
            world.new, [carried(written[number], f"b/{number:03}", revision=revision, body={})], WARRANT
        )
    three = written[3]
    world.store.apply(world.new, [Removal("Secret", "b/003", three.uid, 2, three.shard)], WARRANT)

    def convert(name: str, body: JsonObject) -> SimpleNamespace:
        references = (replace(PROJECT, target_name=name),)
        return SimpleNamespace(
            name=name.replace("a", "b"), body={"bytes": body["size"]}, references=references
        )

    for shard in range(16):
        after: str | None = ""
        while after is not None:
            key_range = KeyRange("Secret", shard, after=after, limit=4)
            copied = world.store.copy_through(world.old, world.new, key_range, "Secret", convert, WARRANT)
            assert copied is not None
            after = copied.last

    reading = world.store.read(world.new)
    assert world.brought() == [f"b/{number:03}" for number in range(100) if number != 3]
    assert reading.get("Secret", "b/042") == replace(
        written[42], name="b/042", shard=shard_of("b/042"), origin_shard=shard_of("a/042"), body={"bytes": 42}
    )
    assert reading.references("Secret", "b/042") == (replace(PROJECT, target_name="a/042"),)
    revisions = [reading.get("Secret", f"b/{number:03}").revision for number in (1, 2)]  # type: ignore[union-attr]
    assert revisions == [5, 1]
    brought = {change.name for change in world.feed.read(world.new, Position("0.0"), echo=True).changes}
    assert brought == {"b/001", "b/002"}


def test_a_page_whose_conversion_raises_writes_nothing_of_it(postgres_world: World) -> None:
    world = postgres_world
    found = world.write("a/1", ABSENT)

    def convert(name: str, body: JsonObject) -> SimpleNamespace:
        raise ValueError(name)

    with pytest.raises(ValueError, match="a/1"):
        world.store.copy_through(
            world.old, world.new, KeyRange("Secret", found.shard), "Secret", convert, WARRANT
        )
    assert world.brought() == []


@pytest.mark.parametrize("guarded", ["ALWAYS", ""])
def test_whatever_triggers_a_copy_may_leave_out_the_fence_is_not_among_them(
    postgres_world: World, guarded: str
) -> None:
    world = postgres_world
    assert world.databases is not None
    found = world.write("a/1", ABSENT)
    with world.databases.connection(world.new.database) as connection:
        connection.execute(f'ALTER TABLE {world.new.schema}."r_Secret" ENABLE {guarded} TRIGGER guard')
    plan = sql_plan()
    key_range = KeyRange("Secret", found.shard)
    with pytest.raises(Stale) as refused:
        world.store.copy_within(
            world.old, world.new, key_range, "Secret", plan, ReplicationToken("v1alpha2", 2), not_converted
        )
    assert refused.value.code == "warrant-void"
    world.store.copy_within(world.old, world.new, key_range, "Secret", plan, WARRANT, not_converted)
    assert world.brought() == ["a/1"]
    assert world.feed.read(world.new, Position("0.0"), echo=True).changes == ()


@pytest.mark.parametrize("ring", [1, 12, 16, 1000, 4096])
def test_the_database_computes_the_same_shards(postgres_world: World, ring: int) -> None:
    assert postgres_world.databases is not None
    names = ["", "a", "projects/p/secrets/s", "é/ü/漢字", str(UUID(int=7)) * 9]
    with postgres_world.databases.connection(postgres_world.old.database) as connection:
        rows = connection.execute(
            "SELECT switchyard.shard_of(name, %s) FROM unnest(%s::text[]) WITH ORDINALITY n(name, at) ORDER BY at",
            (ring, names),
        ).fetchall()
    assert [row[0] for row in rows] == [shard_of(name, ring) for name in names]


def test_deletions_between_the_names_of_a_page_keep_none_of_its_resources_back(world: World) -> None:
    live = [world.write(f"a/{number:02}", ABSENT, size=number) for number in range(0, 30, 10)]
    gone = [Removal("Secret", f"a/{n:02}", uuid4(), 2, shard_of(f"a/{n:02}")) for n in range(30) if n % 10]
    world.store.apply(world.new, gone, WARRANT)
    # Held there, and not in the page either: deleted at the origin, and not followed yet.
    for n in range(1, 4):
        world.store.apply(world.new, [carried(live[0], f"a/0{n}x", uid=uuid4())], WARRANT)
    plan = sql_plan("name", "jsonb_build_object('bytes', body -> 'size')")

    def convert(name: str, body: JsonObject) -> SimpleNamespace:
        return SimpleNamespace(name=name, body={"bytes": body["size"]}, references=None)

    beside = tuple((shard, "") for shard in range(1, 16))
    key_range = KeyRange("Secret", 0, "", "a/99", beside=beside)
    copied = world.store.copy_within(
        world.old, world.new, key_range, "Secret", plan, WARRANT, not_converted
    ) or world.store.copy_through(world.old, world.new, key_range, "Secret", convert, WARRANT)
    assert copied is not None
    assert (copied.read, copied.written) == (3, 3)
    found = world.store.read(world.new).batch_get("Secret", [each.name for each in live])
    assert {name: row.body for name, row in found.items()} == {
        "a/00": {"bytes": 0},
        "a/10": {"bytes": 10},
        "a/20": {"bytes": 20},
    }
