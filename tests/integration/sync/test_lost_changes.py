"""On PostgreSQL, while clients write: shards whose changes are deleted unread copy themselves again and lose nothing."""

from __future__ import annotations

import time

from migrations_app.domain.switch.states import State
from migrations_app.ports.upgrades import DirectorRequest
from tests.integration.sync.real_world import RealWorld, Writer, expected, found, replaced, writing


def lose(world: RealWorld, writers: list[Writer]) -> None:
    """Let writes gather, then give up every follower that has not read them, and delete them."""
    before = sum(writer.writes for writer in writers)
    while sum(writer.writes for writer in writers) < before + 30:
        time.sleep(0.01)
    origin = world.record.origin
    assert world.ports.feed.trim(origin, keep=0, retain_seconds=0.0) > 0


def copied_again(world: RealWorld) -> int:
    return sum(line.kind == "shard-copied-again" for _, line in world.upgrades.lines)


def test_both_ways_survive_the_loss_of_changes(world: RealWorld) -> None:
    with writing(world) as writers:
        world.turn_until(State.READY)
        lose(world, writers)
        for _ in range(3):
            world.turn()
        forward = copied_again(world)
        world.turn_until(State.READY)
        replaced(world, automatic=True)
        world.turn_until(State.REVERSIBLE)
        lose(world, writers)
        for _ in range(3):
            world.turn()
        back = copied_again(world) - forward
    world.settle()
    for _ in range(12):
        world.turn()

    assert (forward > 0, back > 0) == (True, True)
    assert found(world, world.v2) == expected(world, writers, world.v2)
    assert found(world, world.v1) == expected(world, writers, world.v1)
    world.upgrades.ask("u1", DirectorRequest.REVERT)
    world.turn_until(State.REVERTED)
