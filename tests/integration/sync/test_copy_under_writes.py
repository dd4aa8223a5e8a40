"""Copying and following while clients write: at the end both sides are equal, to the revision."""

from __future__ import annotations

from migrations_app.domain.switch.states import State
from migrations_app.engine.parity.digests import digest_of_sides
from migrations_app.engine.sync.shard_pipeline import pipeline_of
from migrations_app.ports.upgrades import Direction
from tests.integration.sync.real_world import RealWorld, expected, found, let_write, revisions, writing


def test_both_sides_are_level_after_writers_came_and_went(world: RealWorld) -> None:
    for n in range(50):
        world.put(f"queues/old-{n}", n)
    with writing(world) as writers:
        world.turn_until(State.READY)
        let_write(writers, 17)
        for _ in range(5):
            world.turn()
    world.settle()

    assert sum(writer.writes for writer in writers) > 50
    lists = found(world, world.v2)
    assert {name: value for name, value in lists.items() if "old" not in name} == expected(
        world, writers, world.v2
    )
    assert len([name for name in lists if "old" in name]) == 50
    assert revisions(world, world.v1) == revisions(world, world.v2)
    pipeline = pipeline_of(world.ports, world.record, Direction.FORWARD, 0)
    assert digest_of_sides(world.ports, pipeline).equal


def test_between_two_databases_both_sides_are_level_too(split_world: RealWorld) -> None:
    world = split_world
    with writing(world) as writers:
        world.turn_until(State.READY)
        let_write(writers)
    world.settle()
    assert found(world, world.v2) == expected(world, writers, world.v2)
    assert revisions(world, world.v1) == revisions(world, world.v2)
