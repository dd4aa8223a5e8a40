"""A switch that is asked for waits a while for what comes and goes under load, and says so; then it is refused."""

from __future__ import annotations

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.switch.director import PATIENCE_SECONDS
from migrations_app.ports.upgrades import DirectorRequest
from tests.simulation.world import World


@pytest.fixture
def ready() -> World:
    world = World()
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    for _ in range(6):
        world.turn()
    return world


def behind(world: World) -> None:
    """Writes come in, and replication stands still for 20 seconds."""
    for n in range(5):
        world.put(f"queues/late-{n}", n)
    world.clock.advance(20.0)


def direct(world: World) -> None:
    """Let the director alone have its turn."""
    world.epoch += 1
    world.director.reconcile("u1", Budget(2.0, world.ports.clock), Lease("u1", world.epoch, "switch"))


def kinds(world: World) -> list[str]:
    return [line.kind for _, line in world.upgrades.lines if line.kind in ("waiting", "refused", "freeze")]


def test_it_waits_for_the_followers_and_then_goes_through(ready: World) -> None:
    behind(ready)
    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    for _ in range(3):
        direct(ready)
        ready.clock.advance(1.0)
    assert (ready.record.state, ready.record.request) == (State.READY, DirectorRequest.SWITCH)
    assert kinds(ready) == ["waiting"]
    assert ready.upgrades.lines[-1][1].text.startswith(
        "Waits up to 30 s for this to pass: The slowest shard is 2"
    )
    ready.turn_until(State.REVERSIBLE)
    assert kinds(ready) == ["waiting", "freeze"]


def test_after_its_patience_it_is_refused_and_says_that_it_is_no_longer_asked_for(ready: World) -> None:
    behind(ready)
    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    direct(ready)
    ready.clock.advance(PATIENCE_SECONDS)
    direct(ready)
    assert (ready.record.state, ready.record.request) == (State.READY, None)
    assert kinds(ready) == ["waiting", "refused"]
    assert ready.upgrades.lines[-1][1].text.endswith("It was not done, and is no longer asked for.")
    assert ready.fence.writable("v1")
