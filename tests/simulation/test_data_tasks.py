"""Data in place are brought to a newer data version by the same machine, while clients write."""

from __future__ import annotations

from migrations_app.domain.switch.states import State
from migrations_app.ports.checkpoints import QuarantinedResource, ShardKey
from migrations_app.ports.upgrades import Direction, DirectorRequest
from tests.simulation.world import World


def bodies(world: World) -> dict[str, object]:
    return {name: (body, revision) for (_, name), (body, revision) in world.contents(world.v1).items()}


def ready_world() -> World:
    world = World(renew=True, types=("Queue",))
    for n in range(5):
        world.put(f"queues/{n}", n)
    world.turn_until(State.READY)
    return world


def test_every_resource_is_changed_once_and_clients_are_never_stopped() -> None:
    world = ready_world()
    assert bodies(world) == {f"queues/{n}": ({"value": n, "unit": "s"}, 2) for n in range(5)}
    assert world.fence.epoch == 1

    world.put("queues/new", 7)
    world.put("queues/1", 8)
    for _ in range(6):
        world.turn()
    assert bodies(world)["queues/new"] == ({"value": 7, "unit": "s"}, 2)
    assert bodies(world)["queues/1"] == ({"value": 8, "unit": "s"}, 3)

    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.COMPLETED)
    assert world.upgrades.lines[-1][1].text == "The data of v1 are of data version v1.2."
    assert world.fence.epoch == 1
    assert world.ports.feed.cursors(world.v1) == ()


def test_what_cannot_be_changed_is_set_aside_and_holds_the_end_back() -> None:
    world = World(renew=True, types=("Queue",))
    world.put("queues/a", 1)
    world.put("queues/bad", "poison")
    world.turn_until(State.READY)
    for _ in range(6):
        world.turn()
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn()
    assert world.record.state is State.READY
    assert world.upgrades.lines[-1][1].kind == "refused"
    assert world.upgrades.lines[-1][1].text.startswith("1 resource ")
    quarantined = [one for shard in range(2) for one in quarantined_of(world, shard)]
    assert [(one.name, one.code) for one in quarantined] == [("queues/bad", "poison")]

    world.put("queues/bad", 5)
    world.clock.advance(600)
    for _ in range(6):
        world.turn()
    assert bodies(world)["queues/bad"] == ({"value": 5, "unit": "s"}, 3)
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.COMPLETED)


def quarantined_of(world: World, shard: int) -> list[QuarantinedResource]:
    return list(world.checkpoints.quarantined(ShardKey("u1", Direction.FORWARD, shard)))


def test_an_upgrade_of_the_data_can_be_aborted_and_leaves_what_was_changed() -> None:
    world = ready_world()
    world.upgrades.ask("u1", DirectorRequest.ABORT)
    world.turn_until(State.ABORTED)
    assert world.fence.writable("v1")
    assert bodies(world)["queues/3"] == ({"value": 3, "unit": "s"}, 2)
    assert world.ports.feed.cursors(world.v1) == ()
