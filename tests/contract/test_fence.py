"""What every fence promises: one writable version, no write after the drain, and a freeze that ends."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta

import pytest

from migrations_app.kernel.errors import Busy, Conflict, Invalid, Missing, Stale
from migrations_app.ports.feed import Position
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.store import ABSENT, Layout, ReplicationToken
from tests.contract.conftest import World
from tests.contract.test_following import carried

FOLLOWER = "sync"


def caught_up(world: World, frozen: FenceState) -> None:
    world.feed.register(world.old, FOLLOWER, dict.fromkeys(range(16), Position("0.0")))
    batch = world.feed.read(world.old, Position("0.0"), settled=True)
    for shard in range(16):
        world.feed.advance(
            world.old, FOLLOWER, shard, batch.position, reached=batch.reached, epoch=frozen.epoch
        )


def switched(world: World) -> FenceState:
    frozen = world.fence.freeze(world.old, world.state)
    caught_up(world, frozen)
    return world.fence.flip(world.old, world.new, world.fence.prove(frozen), FOLLOWER)


def test_a_fence_is_set_up_once(world: World) -> None:
    again = world.fence.open_first(world.site, "v9")
    assert (again.active_version, again.mode, again.epoch) == ("v1alpha2", Mode.OPEN, 1)
    with pytest.raises(Missing) as refused:
        world.fence.state(replace(world.site, deployment="services/x/deployments/y"))
    assert refused.value.code == "fence-missing"


def test_only_the_active_version_is_written(world: World) -> None:
    with pytest.raises(Stale) as refused, world.store.transaction(world.new) as transaction:
        transaction.put(world.draft("a/1"), ABSENT)
    assert (refused.value.code, refused.value.nouns["active"]) == ("version-not-active", "v1alpha2")
    assert world.store.read(world.new).get("Secret", "a/1") is None


def test_a_freeze_refuses_writes_until_it_is_aborted(world: World) -> None:
    frozen = world.fence.freeze(world.old, world.state)
    assert (frozen.mode, frozen.epoch, frozen.active_version) == (Mode.FROZEN, 2, "v1alpha2")
    assert frozen.freeze_deadline is not None
    assert frozen.frozen_at is not None
    assert abs(frozen.freeze_deadline - frozen.frozen_at - timedelta(seconds=5)) < timedelta(seconds=0.1)
    with pytest.raises(Busy) as refused:
        world.write("a/1", ABSENT)
    assert refused.value.code == "frozen"

    opened = world.fence.abort(frozen)
    assert (opened.mode, opened.epoch, opened.active_version) == (Mode.OPEN, 3, "v1alpha2")
    assert opened.freeze_milliseconds is not None
    world.write("a/1", ABSENT)


def test_a_freeze_notes_where_the_feed_of_each_shard_ends(world: World) -> None:
    written = world.write("a/1", ABSENT)
    frozen = world.fence.freeze(world.old, world.state)
    (change,) = world.feed.read(world.old, Position("0.0"), settled=True).changes

    assert sorted(frozen.freeze_end) == list(range(16))
    assert frozen.freeze_end[written.shard] == change.position
    assert frozen.freeze_end[(written.shard + 1) % 16] == "0.0"


def test_a_writer_in_flight_keeps_the_freeze_out(world: World) -> None:
    with world.store.transaction(world.old) as transaction:
        transaction.put(world.draft("a/1"), ABSENT)
        # It gives up while the writer is still at work, which would wait for it for ever.
        with pytest.raises(Busy) as refused:
            world.fence.freeze(world.old, world.state, patience_seconds=0.5)
        assert refused.value.code == "fence-busy"
    assert world.state.mode is Mode.OPEN
    assert world.fence.freeze(world.old, world.state).mode is Mode.FROZEN


def test_an_expired_freeze_is_aborted_by_the_next_reader(world: World) -> None:
    world.fence.freeze(world.old, world.state, deadline_seconds=0.05)
    time.sleep(0.1)
    found = world.state
    assert (found.mode, found.epoch, found.active_version) == (Mode.OPEN, 3, "v1alpha2")
    world.write("a/1", ABSENT)


@pytest.mark.parametrize("seconds", [0, -1, 61])
def test_a_freeze_lasts_at_most_a_minute(world: World, seconds: float) -> None:
    with pytest.raises(Invalid):
        world.fence.freeze(world.old, world.state, deadline_seconds=seconds)


def test_the_flip_opens_the_new_version_and_tells_where_the_reverse_begins(world: World) -> None:
    found = world.write("a/1", ABSENT)
    world.store.copy(world.new, [carried(found)], ReplicationToken("v1alpha2", 1))
    state = switched(world)
    assert (state.mode, state.active_version, state.epoch) == (Mode.OPEN, "v1", 3)
    assert state.freeze_milliseconds is not None
    assert state.reverse_start is not None

    with pytest.raises(Stale) as refused:
        world.write("a/1")
    assert refused.value.nouns["active"] == "v1"
    with world.store.transaction(world.new) as transaction:
        after = transaction.put(world.draft("a/1", size=9), 1)
    (change,) = world.feed.read(world.new, state.reverse_start).changes
    assert (change.name, change.revision) == ("a/1", 2)
    assert world.store.apply(world.old, [carried(after)], ReplicationToken("v1", 3)).written == 1
    with pytest.raises(Stale):
        world.store.apply(world.new, [carried(after, revision=7)], ReplicationToken("v1alpha2", 2))


def test_no_flip_without_parity_in_this_freeze(world: World) -> None:
    first = world.fence.freeze(world.old, world.state)
    world.fence.abort(world.fence.prove(first))
    frozen = world.fence.freeze(world.old, world.state)
    caught_up(world, frozen)
    with pytest.raises(Conflict) as refused:
        world.fence.flip(world.old, world.new, frozen, FOLLOWER)
    assert refused.value.code == "parity-missing"


def test_no_flip_with_a_follower_that_has_not_read_to_the_end_of_this_freeze(world: World) -> None:
    first = world.fence.freeze(world.old, world.state)
    caught_up(world, first)
    world.fence.abort(first)
    frozen = world.fence.prove(world.fence.freeze(world.old, world.state))
    with pytest.raises(Conflict) as refused:
        world.fence.flip(world.old, world.new, frozen, FOLLOWER)
    assert refused.value.code == "follower-behind"
    assert refused.value.nouns["shards"] == tuple(range(16))

    caught_up(world, frozen)
    assert world.fence.flip(world.old, world.new, frozen, FOLLOWER).active_version == "v1"


def test_no_flip_after_the_deadline(world: World) -> None:
    for seconds in (0.2, 3.0, 30.0):
        frozen = world.fence.freeze(world.old, world.state, deadline_seconds=seconds)
        try:
            frozen = world.fence.prove(frozen)
            caught_up(world, frozen)
        except (Conflict, Stale):
            continue  # A slow machine: the freeze ended before all was ready for the flip.
        break
    else:
        raise AssertionError("no freeze lasted until all was ready for the flip")
    time.sleep(seconds + 0.05)
    with pytest.raises((Conflict, Stale)) as refused:
        world.fence.flip(world.old, world.new, frozen, FOLLOWER)
    assert refused.value.code in ("freeze-expired", "fence-moved")
    assert world.state.active_version == "v1alpha2"


def test_abort_and_flip_compete_and_the_loser_learns_the_result(world: World) -> None:
    frozen = world.fence.prove(world.fence.freeze(world.old, world.state))
    caught_up(world, frozen)
    world.fence.flip(world.old, world.new, frozen, FOLLOWER)
    with pytest.raises(Stale) as refused:
        world.fence.abort(frozen)
    assert refused.value.code == "fence-moved"
    found = refused.value.nouns["found"]
    assert isinstance(found, FenceState)
    assert found.active_version == "v1"


def test_a_stale_orchestrator_can_neither_freeze_nor_prove(world: World) -> None:
    stale = world.state
    world.fence.abort(world.fence.freeze(world.old, stale))
    for move in (world.fence.prove, lambda state: world.fence.freeze(world.old, state)):
        with pytest.raises(Stale) as refused:
            move(stale)
        assert refused.value.code == "fence-moved"


def test_a_withdrawn_freeze_is_never_made_and_writers_are_not_waited_for(world: World) -> None:
    announced = world.state
    with world.store.transaction(world.old) as transaction:
        transaction.put(world.draft("a/1"), ABSENT)
        withdrawn = world.fence.withdraw(announced)
    assert (withdrawn.mode, withdrawn.epoch, withdrawn.active_version) == (Mode.OPEN, 2, "v1alpha2")
    assert world.store.read(world.old).get("Secret", "a/1") is not None
    with pytest.raises(Stale) as refused:
        world.fence.freeze(world.old, announced)
    assert refused.value.code == "fence-moved"
    assert world.fence.freeze(world.old, withdrawn).epoch == 3


def test_a_freeze_that_was_made_cannot_be_withdrawn(world: World) -> None:
    announced = world.state
    frozen = world.fence.freeze(world.old, announced)
    for state in (announced, frozen):
        with pytest.raises((Stale, Conflict)):
            world.fence.withdraw(state)
    assert (world.state.mode, world.state.epoch) == (Mode.FROZEN, 2)


def test_the_switch_back_is_the_same_move_the_other_way(world: World) -> None:
    switched(world)
    back = replace(world, old=world.new, new=world.old)
    state = switched(back)
    assert (state.active_version, state.epoch) == ("v1alpha2", 5)
    world.write("a/1", ABSENT)


def test_between_two_databases_closing_is_the_point_of_no_return(
    world: World, request: pytest.FixtureRequest
) -> None:
    if world.databases is not None:
        other = replace(world.new, database=request.getfixturevalue("second_database"))
    else:
        other = replace(world.new, database="memory-2")
    site = FenceLocation.of(other)
    shut = world.fence.open_first(site, "v1alpha2", mode=Mode.CLOSED)
    world.store.prepare(other, [])
    frozen = world.fence.prove(world.fence.freeze(world.old, world.state))
    caught_up(world, frozen)
    with pytest.raises(Conflict) as early:
        world.fence.open_other(other, frozen, shut)
    assert early.value.code == "other-not-closed"
    with pytest.raises(Conflict):
        world.fence.flip(world.old, other, frozen, FOLLOWER)

    closed = world.fence.close(world.old, other, frozen, FOLLOWER)
    assert (closed.mode, closed.active_version, closed.epoch) == (Mode.CLOSED, "v1", 3)
    with pytest.raises(Stale):
        world.fence.abort(frozen)
    opened = world.fence.open_other(other, closed, shut)
    assert (opened.mode, opened.active_version, opened.epoch) == (Mode.OPEN, "v1", 4)
    assert world.fence.open_other(other, closed, shut).epoch == 4
    with pytest.raises(Stale):
        world.write("a/1", ABSENT)


def test_two_numberings_of_one_version_have_a_fence_each_and_one_is_closed_for_good(world: World) -> None:
    again = replace(world.old, schema="secrets_again", ring=7, numbering="again")
    site = FenceLocation.of(again)
    shut = world.fence.open_first(site, "v1alpha2", mode=Mode.CLOSED)
    world.store.prepare(again, [Layout("Secret")])
    world.write("a/1", ABSENT)
    # A writer of the one is not waited for by the fence of the other.
    with world.store.transaction(world.old) as transaction:
        transaction.put(world.draft("a/2"), ABSENT)
        assert world.fence.open_first(site, "v1alpha2").mode is Mode.CLOSED
    with pytest.raises(Busy) as early, world.store.transaction(again) as transaction:
        transaction.put(world.draft("a/3"), ABSENT)
    assert early.value.code == "frozen"
    token = ReplicationToken("v1alpha2", shut.epoch)
    found = [world.store.read(world.old).get("Secret", name) for name in ("a/1", "a/2")]
    world.store.copy(again, [carried(each, each.name) for each in found if each is not None], token)

    frozen = world.fence.prove(world.fence.freeze(world.old, world.state))
    caught_up(world, frozen)
    with pytest.raises(Conflict) as one:
        world.fence.flip(world.old, again, frozen, FOLLOWER)
    assert one.value.code == "two-databases"
    closed = world.fence.close(world.old, again, frozen, FOLLOWER)
    opened = world.fence.open_other(again, closed, shut)
    assert (closed.mode, opened.mode, opened.epoch) == (Mode.CLOSED, Mode.OPEN, closed.epoch + 1)
    with pytest.raises(Busy):
        world.write("a/1")
    with pytest.raises(Stale):
        world.store.apply(again, [carried(each, "a/9") for each in found if each is not None][:1], token)
    moved = replace(world, old=again)
    assert moved.write("a/1").revision == 2
    # Who reads the place that was left learns that it is closed; a snapshot says so, too.
    with world.store.fenced_read(world.old, "v1alpha2") as fenced_read, pytest.raises(Stale) as left:
        fenced_read.get("Secret", "a/1")
    assert left.value.nouns["active"] == ""
    with world.store.snapshot(world.old) as snapshot:
        assert snapshot.fence.mode is Mode.CLOSED
