"""A shard whose changes were deleted unread copies itself again, says so, and counts as nothing until it is done."""

from __future__ import annotations

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.ports.checkpoints import ShardKey, ShardStage
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction, DirectorRequest
from tests.simulation.world import World

RING, NAMES = 4, 12


@pytest.fixture
def world() -> World:
    made = World(ring=RING)
    for n in range(NAMES):
        made.put(f"queues/{n}", n)
    made.turn_until(State.READY)
    for _ in range(5):
        made.turn()
    return made


def lose(world: World, namespace: Namespace) -> None:
    """Give every follower that is behind up, and delete what it has not read."""
    world.clock.advance(10.0)
    assert world.ports.feed.trim(namespace, keep=0, retain_seconds=0.0) > 0


def pairs(world: World) -> tuple[dict[str, object], dict[str, object]]:
    first, second = (
        {
            name.partition("/")[2]: (list(body.values()), n)
            for (_, name), (body, n) in world.contents(at).items()
        }
        for at in (world.v1, world.v2)
    )
    return first, second


def told(world: World, kind: str) -> list[str]:
    return [line.text for _, line in world.upgrades.lines if line.kind == kind]


def test_changes_creations_and_deletions_that_were_lost_are_all_made_up_for(world: World) -> None:
    world.put("queues/0", 100)
    world.put("queues/new", 101)
    world.delete("queues/1")
    lose(world, world.v1)
    for _ in range(8):
        world.turn()

    old, new = pairs(world)
    assert old == new
    assert world.record.state is State.READY
    assert all("is copied again" in text for text in told(world, "shard-copied-again"))
    assert {cursor.dead for cursor in world.ports.feed.cursors(world.v1)} == {False}


def test_what_rested_on_a_lost_shard_is_void_at_once(world: World) -> None:
    shard = world.put("queues/0", 100).shard
    key = ShardKey("u1", Direction.FORWARD, shard)
    assert world.checkpoints.load_scan(key).passed_at is not None
    lose(world, world.v1)
    world.run(world.sync, str(key))

    kept = world.checkpoints.load(key)
    assert (kept.stage, kept.level, kept.copied) == (ShardStage.BACKFILL, False, 0)
    assert world.checkpoints.load_scan(key).passed_at is None
    assert world.upgrades.shards("u1")[shard].state.value == "regressed"
    world.run(world.director, "u1")
    assert world.record.state is State.SYNCING


def test_the_others_follow_on_while_one_copies_again(world: World) -> None:
    shards = [world.put(f"queues/{n}", 100 + n).shard for n in range(NAMES)]
    for shard in range(1, RING):
        world.run(world.sync, str(ShardKey("u1", Direction.FORWARD, shard)))
        world.clock.advance(2.0)
    copied = {one.shard for one in world.ports.feed.cursors(world.v1) if not one.follower.endswith("parity")}
    assert copied == set(range(RING))
    lose(world, world.v1)
    for _ in range(8):
        world.turn()
    again = {text.split()[1] for text in told(world, "shard-copied-again")}
    assert again <= {str(shard) for shard in shards}
    assert pairs(world)[0] == pairs(world)[1]


def test_a_switch_asked_for_meanwhile_waits_and_then_goes_through(world: World) -> None:
    world.put("queues/0", 100)
    lose(world, world.v1)
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.run(world.director, "u1")
    assert world.fence.writable("v1")
    for _ in range(8):
        world.turn()
    if world.record.state is not State.REVERSIBLE:
        world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.REVERSIBLE)
    assert world.contents(world.v2)["List", "lists/0"] == ({"amount": 100}, 2)


def test_after_the_switch_the_way_back_is_copied_again_too(world: World) -> None:
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.REVERSIBLE)
    world.put("lists/0", 200, "List")
    world.delete("lists/1", "List")
    lose(world, world.v2)
    for _ in range(8):
        world.turn()
    assert pairs(world)[0] == pairs(world)[1]
    world.upgrades.ask("u1", DirectorRequest.REVERT)
    world.turn_until(State.REVERTED)
    assert world.contents(world.v1)["Queue", "queues/0"][0] == {"value": 200}


def test_followers_of_the_way_back_that_were_given_up_before_the_switch_begin_at_it(world: World) -> None:
    for n in range(NAMES):
        world.put(f"queues/{n}", 300 + n)
    world.turn()
    lose(world, world.v2)
    dead = [cursor.follower for cursor in world.ports.feed.cursors(world.v2) if cursor.dead]
    assert set(dead) == {"u1/reverse", "u1/reverse/parity"}
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.REVERSIBLE)
    world.put("lists/3", 400, "List")
    for _ in range(4):
        world.turn()
    assert pairs(world)[0] == pairs(world)[1]
    assert told(world, "shard-copied-again") == []
