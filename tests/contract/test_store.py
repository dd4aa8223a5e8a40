"""What every store promises to who writes and reads resources."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale
from migrations_app.ports.store import (
    ABSENT,
    Draft,
    KeyRange,
    Query,
    Reference,
    ReferenceKind,
    Shadow,
    ShadowState,
    SortKey,
)
from tests.contract.conftest import World

PROJECT = Reference(
    "spec.project", ReferenceKind.BLOCK, "projects.example.com", "north", "v1", "Project", "p/1"
)


def test_a_created_resource_is_read_back_with_its_revision_shard_and_uid(world: World) -> None:
    written = world.write("a/ü", ABSENT, size=3, text="ß")

    assert written.revision == 1
    assert written.shard == written.origin_shard == shard_of("a/ü")
    assert world.store.read(world.old).get("Secret", "a/ü") == written
    assert written.body == {"size": 3, "text": "ß"}
    assert written.uid == world.uids["a/ü"]
    assert world.store.read(world.old).get("Secret", "a/x") is None


def test_which_names_exist_is_told_without_what_they_hold(world: World) -> None:
    world.write("a/1", ABSENT)
    world.write("a/2", ABSENT)
    reading = world.store.read(world.old)
    assert reading.present("Secret", ["a/1", "a/2", "b/1"]) == {"a/1", "a/2"}
    assert reading.present("Secret", []) == set()
    with world.store.transaction(world.old) as transaction:
        transaction.delete("Secret", "a/2")
        assert transaction.present("Secret", ["a/1", "a/2"]) == {"a/1"}


def test_each_write_raises_the_revision_by_one_and_keeps_uid_and_create_time(world: World) -> None:
    first = world.write("a/1", ABSENT)
    with world.store.transaction(world.old) as transaction:
        second = transaction.put(Draft("Secret", "a/1", uuid4(), {"size": 2}))

    assert (second.revision, second.uid, second.create_time) == (2, first.uid, first.create_time)
    assert second.update_time >= first.update_time


def test_a_second_create_is_refused_and_changes_nothing(world: World) -> None:
    world.write("a/1", ABSENT, size=1)
    with pytest.raises(Conflict) as refused:
        world.write("a/1", ABSENT, size=2)

    assert refused.value.code == "already-exists"
    found = world.store.read(world.old).get("Secret", "a/1")
    assert found is not None
    assert (found.revision, found.body) == (1, {"size": 1})


def test_a_write_on_an_older_revision_is_stale_and_names_the_newer(world: World) -> None:
    world.write("a/1", ABSENT)
    world.write("a/1", 1)
    with pytest.raises(Stale) as refused:
        world.write("a/1", 1)

    assert refused.value.code == "revision-conflict"
    assert refused.value.nouns["found"] == 2


def test_writing_or_deleting_what_is_not_there_is_missing(world: World) -> None:
    with pytest.raises(Missing):
        world.write("a/1", 4)
    with pytest.raises(Missing):
        world.delete("a/1")


def test_a_recreated_resource_continues_the_revision_of_its_tombstone(world: World) -> None:
    world.write("a/1", ABSENT)
    world.write("a/1")
    gone = world.delete("a/1", 2)
    again = world.write("a/1", ABSENT)
    world.delete("a/1")

    assert (gone.revision, again.revision) == (2, 4)
    (grave,) = world.store.tombstones(world.old, "Secret")
    assert (grave.name, grave.revision) == ("a/1", 5)


def test_a_failed_block_leaves_nothing_behind(world: World) -> None:
    with pytest.raises(ZeroDivisionError), world.store.transaction(world.old) as transaction:  # noqa: PT012
        transaction.put(world.draft("a/1"), ABSENT)
        assert transaction.get("Secret", "a/1") is not None
        raise ZeroDivisionError

    assert world.store.read(world.old).get("Secret", "a/1") is None


def test_references_follow_their_resource_and_are_found_from_their_target(world: World) -> None:
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", "a/1", uuid4(), {}, references=(PROJECT,)), ABSENT)
    reading = world.store.read(world.old)
    assert reading.references("Secret", "a/1") == (PROJECT,)
    (found,) = reading.referrers("projects.example.com", "p/1")
    assert (found.type, found.name, found.reference) == ("Secret", "a/1", PROJECT)

    world.write("a/1")
    assert reading.references("Secret", "a/1") == (PROJECT,)
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", "a/1", uuid4(), {}, references=()))
    assert reading.referrers("projects.example.com", "p/1") == ()


def test_a_deleted_resource_refers_to_nothing(world: World) -> None:
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", "a/1", uuid4(), {}, references=(PROJECT,)), ABSENT)
    world.delete("a/1")

    assert world.store.read(world.old).referrers("projects.example.com", "p/1") == ()


def test_a_shadow_starts_fresh_and_bars_recreation_while_its_resource_is_being_deleted(world: World) -> None:
    world.write("a/1", ABSENT)
    with world.store.transaction(world.old) as transaction:
        shadow = transaction.lock("Secret", "a/1")
        assert shadow == Shadow("Secret", "a/1")
        transaction.put_shadow(
            Shadow("Secret", "a/1", ShadowState.DELETING, 4, 1, ("services/x/deployments/south",))
        )
        transaction.delete("Secret", "a/1")

    left = world.store.read(world.old).shadow("Secret", "a/1")
    assert left == Shadow("Secret", "a/1", ShadowState.DELETING, 4, 1, ("services/x/deployments/south",))
    with pytest.raises(Conflict) as refused:
        world.write("a/1", ABSENT)
    assert refused.value.code == "being-deleted"
    assert world.store.read(world.old).shadow("Secret", "a/2") is None


def test_a_list_is_paged_under_a_parent_and_tells_the_total_when_asked(world: World) -> None:
    for name in ("p/1/s/a", "p/1/s/b", "p/1/s/c", "p/2/s/a", "p/10/s/a"):
        world.write(name, ABSENT)
    reading = world.store.read(world.old)
    first = reading.list(Query("Secret", "p/1", limit=2, total=True))
    second = reading.list(Query("Secret", "p/1", limit=2, after=first.next))

    assert [found.name for found in first.resources] == ["p/1/s/a", "p/1/s/b"]
    assert [found.name for found in second.resources] == ["p/1/s/c"]
    assert (first.total, second.total, second.next) == (3, None, "")
    anywhere = reading.list(Query("Secret", "p/-"))
    assert [found.name for found in anywhere.resources] == [
        "p/1/s/a",
        "p/1/s/b",
        "p/1/s/c",
        "p/10/s/a",
        "p/2/s/a",
    ]


def test_a_list_is_walked_backwards_from_a_name(world: World) -> None:
    for number in range(5):
        world.write(f"p/a/s/{number}", ABSENT)
    world.write("p/b/s/1", ABSENT)
    reading = world.store.read(world.old)

    back = reading.list(Query("Secret", "p/a", before="p/a/s/4", limit=3))
    assert [each.name for each in back.resources] == ["p/a/s/3", "p/a/s/2", "p/a/s/1"]
    assert back.next, "there is one more"
    rest = reading.list(Query("Secret", "p/a", before="p/a/s/1", limit=3))
    assert ([each.name for each in rest.resources], rest.next) == (["p/a/s/0"], "")


def test_a_list_is_ordered_by_fields_with_missing_ones_first_and_ties_by_name(world: World) -> None:
    sizes = {"a/1": 10, "a/2": 9, "a/3": None, "a/4": 10}
    for name, size in sizes.items():
        world.write(name, ABSENT, **({} if size is None else {"size": size}))
    reading = world.store.read(world.old)

    def names(order: SortKey) -> list[str]:
        found: list[str] = []
        after = ""
        while True:
            page = reading.list(Query("Secret", order=(order,), limit=1, after=after))
            found += [resource.name for resource in page.resources]
            after = page.next
            if not after:
                return found

    assert names(SortKey("size")) == ["a/3", "a/2", "a/1", "a/4"]
    assert names(SortKey("size", descending=True)) == ["a/1", "a/4", "a/2", "a/3"]
    assert names(SortKey("name", descending=True)) == ["a/4", "a/3", "a/2", "a/1"]


def test_a_cursor_of_another_list_is_refused(world: World) -> None:
    for name in ("a/1", "a/2"):
        world.write(name, ABSENT)
    reading = world.store.read(world.old)
    cursor = reading.list(Query("Secret", limit=1)).next
    for query in (
        Query("Secret", parent="a", after=cursor),
        Query("Secret", after="%%%"),
        Query("Secret", after="e30"),
    ):
        with pytest.raises(Invalid) as refused:
            reading.list(query)
        assert refused.value.code == "cursor-broken"


def test_pages_of_a_shard_come_in_the_order_of_bytes_up_to_the_bound(world: World) -> None:
    names = [f"{letter}/{number}" for letter in "aZé" for number in range(40)]
    for name in names:
        world.write(name, ABSENT)
    mine = sorted((name for name in names if shard_of(name) == 3), key=str.encode)
    bound = world.store.bound(world.old, "Secret", 3)
    assert bound == mine[-1]
    first = world.store.page(world.old, KeyRange("Secret", 3, limit=2, upto=bound))
    rest = world.store.page(world.old, KeyRange("Secret", 3, after=mine[1], upto=mine[-2]))

    assert [found.name for found in first] == mine[:2]
    assert [found.name for found in rest] == mine[2:-1]
    bare = world.store.page(world.old, KeyRange("Secret", 3, after=mine[1], upto=mine[-2], bare=True))
    assert bare == tuple(replace(found, body={}, metadata={}) for found in rest)
    assert bare == world.store.page(world.old, KeyRange("Secret", 3, after=mine[1], bare=True))[:-1]
    assert sum(world.store.counts(world.old, "Secret").values()) == len(names)


def test_a_snapshot_keeps_showing_one_instant_of_rows_and_fence(world: World) -> None:
    world.write("a/1", ABSENT)
    with world.store.snapshot(world.old) as snapshot:
        assert snapshot.fence.writable("v1alpha2")
        world.write("a/1")
        world.fence.freeze(world.old, world.state)
        found = snapshot.get("Secret", "a/1")
        assert found is not None
        assert found.revision == 1
        assert snapshot.fence.epoch == 1
    assert world.state.epoch == 2


def test_a_namespace_is_prepared_again_extended_and_dropped(world: World) -> None:
    from migrations_app.ports.store import Layout

    world.write("a/1", ABSENT)
    world.store.prepare(world.old, [Layout("Secret", by_uid=True), Layout("Key")])
    assert world.store.types(world.old) == ("Key", "Project", "Secret")
    assert world.store.names_by_uid(world.old, "Secret", [world.uids["a/1"], uuid4()]) == {
        world.uids["a/1"]: "a/1"
    }
    assert world.store.size(world.old) > 0

    world.store.drop(world.old)
    world.store.drop(world.old)
    assert world.store.types(world.old) == ()
    with pytest.raises(Missing) as refused:
        world.store.read(world.old).get("Secret", "a/1")
    assert refused.value.code == "namespace-missing"


def test_times_are_told_in_utc(world: World) -> None:
    written = world.write("a/1", ABSENT)
    assert written.create_time.utcoffset() == datetime.now(UTC).utcoffset()


def test_a_list_of_names_alike_has_those_alone(world: World) -> None:
    for name in ("a/x/b/1", "a/y/b/1", "a/y/b/2", "a/y/b/1/c/1", "z/x/b/1"):
        world.write(name, ABSENT)
    reading = world.store.read(world.old)
    assert [each.name for each in reading.list(Query("Secret", named="a/-/b/1")).resources] == [
        "a/x/b/1",
        "a/y/b/1",
    ]
    assert [each.name for each in reading.list(Query("Secret", named="-/x/b/1")).resources] == [
        "a/x/b/1",
        "z/x/b/1",
    ]
    assert [each.name for each in reading.list(Query("Secret", named="a/y/b/2")).resources] == ["a/y/b/2"]
