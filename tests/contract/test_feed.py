"""What every change feed promises to who follows it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random

import pytest

from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import Conflict, Halted, Invalid, Missing
from migrations_app.ports.feed import Batch, FeedOperation, Position
from migrations_app.ports.store import ABSENT, Put, ReplicationToken
from tests.contract.conftest import World

ALL = dict.fromkeys(range(16), Position("0.0"))


def told(batch: Batch) -> list[tuple[str, str, int]]:
    return [(change.operation.value, change.name, change.revision) for change in batch.changes]


def test_every_write_is_told_with_uid_shard_and_revision(world: World) -> None:
    start = world.feed.head(world.old)
    world.write("a/1", ABSENT)
    world.write("a/1")
    world.delete("a/1")
    batch = world.feed.read(world.old, start)

    assert told(batch) == [("put", "a/1", 1), ("put", "a/1", 2), ("delete", "a/1", 3)]
    assert {change.uid for change in batch.changes} == {world.uids["a/1"]}
    assert {change.shard for change in batch.changes} == {shard_of("a/1")}
    assert {change.origin for change in batch.changes} == {""}
    assert batch.level
    assert world.feed.read(world.old, batch.position).changes == ()


def test_reading_goes_on_page_by_page_and_shard_by_shard(world: World) -> None:
    names = [f"a/{number}" for number in range(30)]
    for name in names:
        world.write(name, ABSENT)
    position, seen = Position("0.0"), []
    while True:
        batch = world.feed.read(world.old, position, limit=7)
        seen += [change.name for change in batch.changes]
        position = batch.position
        if batch.level:
            break
    mine = world.feed.read(world.old, Position("0.0"), shards=[3, 5])

    assert seen == names
    assert [change.name for change in mine.changes] == [name for name in names if shard_of(name) in (3, 5)]


def test_a_write_that_commits_late_is_not_skipped(world: World) -> None:
    """A cursor on sequence numbers alone would lose the write that began first and committed last."""
    start = world.feed.head(world.old)
    with world.store.transaction(world.old) as slow:
        slow.put(world.draft("a/slow"), ABSENT)
        world.write("a/fast", ABSENT)
        meanwhile = world.feed.read(world.old, start)
        assert told(meanwhile) == []
        assert len(world.feed.holders(world.old)) == 1
    after = world.feed.read(world.old, meanwhile.position)

    assert sorted(told(after)) == [("put", "a/fast", 1), ("put", "a/slow", 1)]
    assert world.feed.holders(world.old) == []


def test_the_head_lies_before_what_is_still_in_flight(world: World) -> None:
    world.write("a/before", ABSENT)
    with world.store.transaction(world.old) as slow:
        slow.put(world.draft("a/slow"), ABSENT)
        head = world.feed.head(world.old)
    assert told(world.feed.read(world.old, head)) == [("put", "a/slow", 1)]


def test_reading_since_a_moment_brings_what_was_written_since_also_by_who_was_in_flight(world: World) -> None:
    world.write("a/before", ABSENT)
    with world.store.transaction(world.old) as slow:
        slow.put(world.draft("a/slow"), ABSENT)
        moment = datetime.now(UTC)
        world.write("a/after", ABSENT)
        start = world.feed.since(world.old, moment)
        assert start is not None
    names = [change.name for change in world.feed.read(world.old, start).changes]
    assert sorted(names) == ["a/after", "a/slow"]
    nothing = world.feed.since(world.old, datetime.now(UTC))
    assert nothing is not None
    world.write("a/last", ABSENT)
    assert told(world.feed.read(world.old, nothing)) == [("put", "a/last", 1)]


def test_since_a_moment_of_which_some_is_deleted_nothing_can_be_told(world: World) -> None:
    world.write("a/1", ABSENT)
    moment = datetime.now(UTC)
    world.write("a/1")
    assert world.feed.since(world.old, moment) is not None
    world.feed.trim(world.old, retain_seconds=0.0)
    assert world.feed.since(world.old, moment) is None


def test_a_settled_reading_goes_beyond_the_horizon_but_only_promises_what_lies_under_it(world: World) -> None:
    start = world.feed.head(world.old)
    with world.store.transaction(world.old) as slow:
        slow.put(world.draft("a/slow"), ABSENT)
        world.write("a/fast", ABSENT)
        settled = world.feed.read(world.old, start, settled=True)
        assert told(settled) == [("put", "a/fast", 1)]
        assert world.feed.reached(settled.reached, settled.changes[-1].position)
        assert not world.feed.reached(settled.position, settled.changes[-1].position)
    again = world.feed.read(world.old, settled.position)
    assert sorted(told(again)) == [("put", "a/fast", 1), ("put", "a/slow", 1)]


def test_what_a_follower_brought_is_left_out_unless_asked_for(world: World) -> None:
    written = world.write("a/1", ABSENT)
    start = world.feed.head(world.new)
    put = Put(
        "Secret",
        "a/1",
        written.uid,
        1,
        written.shard,
        {},
        {},
        "",
        written.create_time,
        written.update_time,
    )
    world.store.apply(world.new, [put], ReplicationToken("v1alpha2", 1))

    own = world.feed.read(world.new, start)
    assert told(own) == []
    assert own.level
    (change,) = world.feed.read(world.new, start, echo=True).changes
    assert (change.name, change.origin) == ("a/1", "v1alpha2")


def test_a_beat_goes_through_every_shard_with_its_label_and_covers_what_was_written_before(
    world: World,
) -> None:
    start = world.feed.head(world.old)
    world.write("a/1", ABSENT)
    end = world.feed.beat(world.old, "marker 1")
    batch = world.feed.read(world.old, start)

    beats = [change for change in batch.changes if change.operation is FeedOperation.BEAT]
    assert sorted(change.shard for change in beats) == list(range(16))
    assert {change.name for change in beats} == {"marker 1"}
    assert world.feed.reached(batch.position, end)
    assert not world.feed.reached(start, end)


def test_the_newest_beat_seen_is_kept_per_shard(world: World) -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    world.feed.see(world.new, {1: noon, 2: noon})
    world.feed.see(world.new, {1: noon - timedelta(seconds=1), 2: noon + timedelta(seconds=1)})

    assert world.feed.seen(world.new) == {1: noon, 2: noon + timedelta(seconds=1)}


def test_the_backlog_counts_writes_and_tells_the_age_of_the_oldest(world: World) -> None:
    start = world.feed.head(world.old)
    assert world.feed.backlog(world.old, start).entries == 0
    world.write("a/1", ABSENT)
    world.write("a/1")
    world.feed.beat(world.old)
    backlog = world.feed.backlog(world.old, start)
    assert backlog.entries == 2
    assert backlog.seconds > 0
    assert world.feed.backlog(world.old, start, shards=[(shard_of("a/1") + 1) % 16]).entries == 0


def test_the_cursors_of_several_shards_move_at_once(world: World) -> None:
    head = Position("5.0")
    world.feed.register(world.old, "sync", {3: head, 4: head, 5: head})
    world.feed.advance(world.old, "sync", [3, 5], Position("9.9"), reached=Position("13.0"), epoch=2)
    stand = {
        one.shard: (one.position, one.reached, one.epoch) for one in world.feed.cursors(world.old, "sync")
    }
    assert stand == {3: ("9.9", "13.0", 2), 4: ("5.0", None, None), 5: ("9.9", "13.0", 2)}
    with pytest.raises(Missing) as missing:
        world.feed.advance(world.old, "sync", [4, 6], Position("9.9"))
    assert missing.value.code == "replicator-unknown"


def test_a_cursor_only_goes_forward(world: World) -> None:
    world.feed.register(world.old, "sync", {3: Position("10.2")})
    world.feed.register(world.old, "sync", {3: Position("5.0"), 4: Position("1.0")})
    world.feed.advance(world.old, "sync", 3, Position("9.9"))
    world.feed.advance(world.old, "sync", 4, Position("12.1"), reached=Position("13.0"), epoch=2)

    third, fourth = world.feed.cursors(world.old, "sync")
    assert (third.shard, third.position, third.reached) == (3, "10.2", None)
    assert (fourth.position, fourth.reached, fourth.epoch) == ("12.1", "13.0", 2)
    with pytest.raises(Missing):
        world.feed.advance(world.old, "sync", 5, Position("1.0"))
    world.feed.forget(world.old, "sync")
    assert world.feed.cursors(world.old) == ()


def test_entries_stay_until_every_follower_has_passed_them(world: World) -> None:
    world.feed.register(world.old, "fast", ALL)
    world.feed.register(world.old, "slow", ALL)
    for number in range(10):
        world.write(f"a/{number}", ABSENT)
    read = world.feed.read(world.old, Position("0.0"))
    for shard in range(16):
        world.feed.advance(world.old, "fast", shard, read.position)
    assert world.feed.trim(world.old, retain_seconds=0) == 0

    for shard in range(16):
        world.feed.advance(world.old, "slow", shard, read.position)
    assert world.feed.trim(world.old, retain_seconds=600) == 0
    assert world.feed.trim(world.old, retain_seconds=0, limit=4) == 4
    assert world.feed.trim(world.old, retain_seconds=0) == 6
    assert world.feed.read(world.old, read.position).level
    with pytest.raises(Conflict) as refused:
        world.feed.read(world.old, Position("0.0"))
    assert refused.value.code == "feed-trimmed"


def test_a_follower_that_holds_too_much_back_is_given_up_loudly(world: World) -> None:
    world.feed.register(world.old, "dead", ALL)
    for _ in range(5):
        world.write("a/1")
    assert world.feed.trim(world.old, keep=3, retain_seconds=0) == 5
    shard = shard_of("a/1")
    assert [cursor.shard for cursor in world.feed.cursors(world.old) if cursor.dead] == [shard]
    with pytest.raises(Halted) as refused:
        world.feed.advance(world.old, "dead", shard, Position("1.0"))
    assert refused.value.code == "replicator-expired"


def test_shards_are_read_together_each_from_its_own_position(world: World) -> None:
    """What another shard has passed, and what was deleted of it, is neither told again nor missed."""
    chance = Random(18)
    world.feed.register(world.old, "sync", ALL)
    expected: dict[int, list[str]] = {shard: [] for shard in ALL}
    for step in range(60):
        for _ in range(3):
            name = f"a/{chance.randrange(40)}"
            expected[shard_of(name)].append(f"{name}@{world.write(name).revision}")
        cursors = {one.shard: one.position for one in world.feed.cursors(world.old, "sync")}
        chosen = {shard: cursors[shard] for shard in chance.sample(range(16), 5)}
        limit = chance.choice((2, 7, 1000))
        batch = world.feed.read(world.old, chosen, limit=limit)
        for change in batch.changes:
            assert expected[change.shard].pop(0) == f"{change.name}@{change.revision}"
        assert not batch.level or not any(expected[shard] for shard in chosen)
        backlog = world.feed.backlog(world.old, chosen)
        assert backlog.entries == len(batch.changes) + sum(len(expected[shard]) for shard in chosen)
        world.feed.advance(world.old, "sync", list(chosen), batch.position)
        if step % 4 == 3:
            world.feed.trim(world.old, retain_seconds=0)
    cursors = {one.shard: one.position for one in world.feed.cursors(world.old, "sync")}
    rest = world.feed.read(world.old, cursors)
    assert sorted(f"{one.name}@{one.revision}" for one in rest.changes) == sorted(chain(*expected.values()))


def test_the_refusal_names_the_shards_that_have_lost_entries_and_no_others(world: World) -> None:
    start = world.feed.head(world.old)
    world.write("a/1")
    world.write("a/2")
    lost, kept = shard_of("a/1"), shard_of("a/2")
    world.feed.register(world.old, "sync", {kept: start})
    assert world.feed.trim(world.old, retain_seconds=0) == 1

    with pytest.raises(Conflict) as refused:
        world.feed.read(world.old, {lost: start, kept: start})
    assert (refused.value.code, refused.value.nouns["shards"]) == ("feed-trimmed", (lost,))
    behind = world.feed.read(world.old, {lost: world.feed.head(world.old), kept: start})
    assert told(behind) == [("put", "a/2", 1)]


def test_a_follower_goes_on_at_the_head_only_where_it_has_lost_entries(world: World) -> None:
    world.feed.register(world.old, "sync", ALL)
    for _ in range(5):
        world.write("a/1")
    lost = shard_of("a/1")
    other = (lost + 1) % 16
    assert world.feed.trim(world.old, keep=3, retain_seconds=0) == 5
    assert world.feed.restart(world.old, "sync", [lost, other]) == [lost]
    assert world.feed.restart(world.old, "sync", [lost, other]) == []

    world.write("a/1")
    cursors = {one.shard: one for one in world.feed.cursors(world.old, "sync")}
    assert (cursors[lost].dead, cursors[other].position) == (False, "0.0")
    batch = world.feed.read(world.old, {lost: cursors[lost].position})
    assert told(batch) == [("put", "a/1", 6)]
    world.feed.advance(world.old, "sync", lost, batch.position)


def test_a_follower_may_go_on_at_a_place_that_was_noted_for_it(world: World) -> None:
    world.feed.register(world.old, "sync", ALL)
    for _ in range(5):
        world.write("a/1")
    assert world.feed.trim(world.old, keep=3, retain_seconds=0) == 5
    place = world.feed.head(world.old)
    world.write("a/1")
    assert world.feed.restart(world.old, "sync", ALL, at=place) == [shard_of("a/1")]
    assert told(world.feed.read(world.old, place)) == [("put", "a/1", 6)]
    assert {one.position for one in world.feed.cursors(world.old, "sync")} == {"0.0", place}


def test_a_position_that_is_none_is_refused(postgres_world: World) -> None:
    with pytest.raises(Invalid):
        postgres_world.feed.read(postgres_world.old, Position("x"))


def test_the_mark_of_a_feed_moves_with_every_write_and_with_nothing_else(world: World) -> None:
    assert world.feed.marks([world.old]) == {}
    world.write("a/1", ABSENT)
    first = world.feed.marks([world.old])[world.old]
    again = world.feed.marks([world.old])[world.old]
    world.write("b/2", ABSENT)
    second = world.feed.marks([world.old])[world.old]
    world.feed.trim(world.old, retain_seconds=-1.0)

    assert first == again
    assert first.settled
    assert second.newest != first.newest
    assert world.feed.reached(second.newest, first.newest)
    assert world.feed.marks([world.old]) == {}


def test_a_mark_is_not_settled_while_an_older_entry_may_still_be_committed(world: World) -> None:
    with world.store.transaction(world.old) as slow:
        slow.put(world.draft("a/slow"), ABSENT)
        world.write("b/fast", ABSENT)
        during = world.feed.marks([world.old])[world.old]
    after = world.feed.marks([world.old])[world.old]

    assert not during.settled
    assert after.settled
    # The mark alone would hide the entry that was committed last.
    assert after.newest == during.newest


def test_a_namespace_that_is_not_built_has_no_mark_and_keeps_none_from_others(world: World) -> None:
    nowhere = replace(world.old, schema="nowhere_at_all")
    world.write("a/1", ABSENT)
    assert list(world.feed.marks([nowhere, world.old])) == [world.old]
    assert world.feed.marks([]) == {}


def test_a_feed_that_was_restored_from_another_server_is_emptied_and_its_followers_given_up_once(
    world: World,
) -> None:
    world.feed.register(world.old, "follower", ALL)
    world.write("a/1", ABSENT)
    assert world.feed.reset_restored([world.old, world.new]) == ()
    if world.databases is None:
        world.store._databases.database(world.old.database).restored = True  # type: ignore[attr-defined]
    else:
        with world.databases.connection(world.old.database) as connection:
            connection.execute(b"UPDATE switchyard.feed_server SET identifier = '1'")

    assert list(world.feed.reset_restored([world.old, world.new])) == [world.old, world.new]

    assert world.feed.reset_restored([world.old, world.new]) == ()
    assert world.feed.read(world.old, Position("0.0")).changes == ()
    cursors = world.feed.cursors(world.old, "follower")
    assert {(cursor.position, cursor.dead) for cursor in cursors} == {("0.0", True)}
    assert list(world.feed.restart(world.old, "follower", range(16))) == list(range(16))
    world.write("a/2", ABSENT)
    position = min(cursor.position for cursor in world.feed.cursors(world.old, "follower"))
    assert told(world.feed.read(world.old, position)) == [("put", "a/2", 1)]
