"""Shards drift apart as their slices come: no worker reads that changes are lost while none are."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.switch.states import State
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.sync.shard import SyncController
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.upgrades import Direction, DirectorRequest
from tests.simulation.world import World

RING, NAMES = 4, 12

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, NAMES - 1)),
        st.tuples(st.sampled_from(("sync", "parity", "both")), st.integers(0, RING - 1)),
        st.tuples(st.sampled_from(("trim", "restart", "director")), st.just(0)),
    ),
    max_size=60,
)


@settings(max_examples=150)
@given(STEPS)
def test_no_order_of_slices_and_trims_loses_a_change_or_says_so(steps: list[tuple[str, int]]) -> None:
    world = World(ring=RING)
    for n in range(NAMES):
        world.put(f"queues/{n}", n)
    while not world.ports.feed.cursors(world.v1, "u1/forward"):
        world.run(world.director, "u1")
    take(world, "restart", 0, 0)
    for value, (step, number) in enumerate(steps, start=100):
        take(world, step, number, value)
    for _ in range(8):
        world.turn()
        take(world, "trim", 0, 0)

    assert world.record.state is State.READY
    assert equal(world)
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    for value, (step, number) in enumerate(steps, start=200):
        if step in ("write", "trim"):
            take(world, step, number, value)
    world.turn_until(State.REVERSIBLE)
    assert equal(world)


def take(world: World, step: str, number: int, value: int) -> None:
    key = str(ShardKey("u1", Direction.FORWARD, number))
    if step == "write":
        world.put(f"queues/{number}", value)
    elif step in ("sync", "parity", "both"):
        for controller in (world.sync, world.parity):
            if step in (controller.name, "both"):
                world.run(controller, key)
    elif step == "trim":
        world.ports.feed.trim(world.v1, retain_seconds=0.0)
    elif step == "restart":
        world.sync, world.parity = SyncController(world.ports), ParityController(world.ports)
    else:
        world.run(world.director, "u1")
    world.clock.advance(1.5)


def equal(world: World) -> bool:
    told = {name: (body["amount"], n) for (_, name), (body, n) in world.contents(world.v2).items()}
    return told == {
        name.replace("queues", "lists"): (body["value"], n)
        for (_, name), (body, n) in world.contents(world.v1).items()
    }
