"""A copy that a person holds to a rate never copies faster, follows as fast as ever, and ends."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.switch.states import State
from tests.simulation.world import World


def hold(world: World, limit: int | None) -> None:
    world.upgrades.records["u1"] = replace(world.record, copy_limit=limit)


def copied(world: World) -> int:
    return sum(report.copied for report in world.upgrades.shards("u1"))


@settings(max_examples=25, deadline=None)
@given(resources=st.integers(1, 40), limit=st.integers(1, 60), ring=st.integers(1, 4))
def test_no_second_copies_more_than_its_bound_and_one_page_of_each_shard(
    resources: int, limit: int, ring: int
) -> None:
    world = World(ring=ring)
    for n in range(resources):
        world.put(f"queues/{n}", n)
    hold(world, limit)
    for seconds in range(1, 6):
        world.turn()
        assert copied(world) <= limit * seconds + ring
    world.turn_until(State.READY, turns=resources * ring + 20)
    assert len(world.contents(world.v2)) == resources


def test_a_write_crosses_at_once_while_the_copy_is_held() -> None:
    world = World()
    for n in range(20):
        world.put(f"queues/{n}", n)
    hold(world, 2)
    world.turn()
    world.put("notes/new", 7, type_="Note")
    world.put("queues/new", 99)
    world.turn()
    assert ("List", "lists/new") in world.contents(world.v2)
    waiting = {report.throttled.partition(";")[0] for report in world.upgrades.shards("u1")}
    assert waiting == {"held to 2 resources a second"}


def test_lifting_the_bound_lets_it_go_on_at_once() -> None:
    world = World()
    for n in range(20):
        world.put(f"queues/{n}", n)
    hold(world, 1)
    world.turn()
    assert copied(world) <= 2
    hold(world, None)
    world.turn()
    world.turn()
    assert copied(world) == 20
