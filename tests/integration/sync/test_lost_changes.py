"""On PostgreSQL, while clients write: shards whose changes are deleted unread copy themselves again and lose nothing."""

from __future__ import annotations

from migrations_app.domain.switch.states import State
from migrations_app.ports.upgrades import DirectorRequest
from tests.integration.sync.real_world import (
    RealWorld,
    Writer,
    expected,
    found,
    let_write,
    replaced,
    writing,
)
from tests.waiting import attempts


def lose(world: RealWorld, writers: list[Writer]) -> None:
    """Let writes gather, give up every follower that has not read them, delete them, and work until a shard is copied again."""
    before = copied_again(world)
    let_write(writers, 10)
    origin = world.record.origin
    assert world.ports.feed.trim(origin, keep=0, retain_seconds=0.0) > 0
    for _ in attempts():
        world.turn()
        if copied_again(world) > before:
            return
    raise AssertionError("no shard is copied again")


def copied_again(world: RealWorld) -> int:
    return sum(line.kind == "shard-copied-again" for _, line in world.upgrades.lines)


def test_both_ways_survive_the_loss_of_changes(world: RealWorld) -> None:
    with writing(world) as writers:
        world.turn_until(State.READY)
        lose(world, writers)
        world.turn_until(State.READY)
        replaced(world, automatic=True)
        world.turn_until(State.REVERSIBLE)
        lose(world, writers)
    world.settle()
    # The controllers wait by the clock, not by turns.
    for _ in attempts(pause_seconds=0.05):
        if found(world, world.v1) == expected(world, writers, world.v1):
            break
        world.turn()

    assert found(world, world.v2) == expected(world, writers, world.v2)
    assert found(world, world.v1) == expected(world, writers, world.v1)
    world.upgrades.ask("u1", DirectorRequest.REVERT)
    world.turn_until(State.REVERTED)
