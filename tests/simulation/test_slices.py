"""Shards that are caught up and compared cost few slices, however many there are, and no change waits for one of them."""

from __future__ import annotations

import heapq
from collections import Counter
from itertools import count

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Again
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.upgrades import Direction
from tests.simulation.world import World

SECONDS = 60.0
WRITE_SECONDS = 0.25


def caught_up(ring: int) -> World:
    """A world whose shards are all caught up and compared."""
    world = World(ring=ring)
    for number in range(2 * ring):
        world.put(f"queues/{number}", number)
    world.turn_until(State.READY)
    for _ in range(12):
        world.turn()
    return world


def run_as_due(world: World, ring: int, frozen: frozenset[int] = frozenset()) -> tuple[Counter[str], float]:
    """Run each key when its outcome says, under writes; count the slices of a controller and the longest wait for a change.

    Shards in `frozen` are never run after the first second: their workers are stopped.
    """
    began, order = world.clock.monotonic(), count()
    keys = [str(ShardKey("u1", Direction.FORWARD, shard)) for shard in range(ring)]
    due = [(began, next(order), one, key) for one in (world.sync, world.parity) for key in keys]
    heapq.heapify(due)
    slices: Counter[str] = Counter()
    written_at, longest = began, 0.0
    pending: dict[str, tuple[float, int]] = {}
    while due[0][0] < began + SECONDS:
        at, _, controller, key = heapq.heappop(due)
        while written_at <= at:
            name, amount = (
                f"queues/{int((written_at - began) / WRITE_SECONDS) % (2 * ring)}",
                1000 + int(written_at * 4),
            )
            world.clock.advance(max(0.0, written_at - world.clock.monotonic()))
            world.put(name, amount)
            pending.setdefault(name.replace("queues", "lists"), (written_at, amount))
            written_at += WRITE_SECONDS
        world.clock.advance(max(0.0, at - world.clock.monotonic()))
        if ShardKey.parse(key).shard in frozen and at > began + 1.0:
            continue
        outcome = world.run(controller, key)
        slices[controller.name] += 1
        assert isinstance(outcome, Again)
        heapq.heappush(due, (at + max(outcome.after_seconds, 0.01), next(order), controller, key))
        contents = world.contents(world.v2)
        for name, (since, amount) in list(pending.items()):
            body, _ = contents[("List", name)]
            if body["amount"] >= amount:
                longest = max(longest, at - since)
                del pending[name]
    waiting = (world.clock.monotonic() - since for since, _ in pending.values())
    return slices, max([longest, *waiting])


@pytest.mark.parametrize("ring", [4, 16, 64])
def test_slices_grow_by_a_report_in_three_seconds_for_each_shard(ring: int) -> None:
    slices, longest = run_as_due(caught_up(ring), ring)
    # A report of each shard in three seconds, and up to five rounds a second of the slice that carries all.
    assert slices["sync"] <= ring * SECONDS / 3.0 + 5.0 * SECONDS
    assert slices["parity"] <= ring * SECONDS / 8.0 + 2 * ring + SECONDS
    assert longest <= 1.0


def test_when_the_slice_that_carried_all_stops_another_shard_takes_its_place() -> None:
    _, longest = run_as_due(caught_up(16), 16, frozen=frozenset({0, 1, 2, 3}))
    assert longest <= 3.0
