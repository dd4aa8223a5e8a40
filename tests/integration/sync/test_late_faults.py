"""Faults that come late, on PostgreSQL: in READY, while rolling back, and after the switch."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from migrations_app.adapters.fence.refusal import LONGEST_FREEZE_SECONDS
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.checkpoints import QuarantineState, ShardKey
from migrations_app.ports.stored import Draft
from migrations_app.ports.upgrades import Direction, DirectorRequest
from tests.integration.sync.real_world import RealWorld, found
from tests.waiting import attempts


def quarantined(world: RealWorld, direction: Direction) -> dict[str, str]:
    """The worklist of a direction: the code of each resource's error."""
    keys = [ShardKey("u1", direction, shard) for shard in range(world.ring)]
    return {one.name: one.code for key in keys for one in world.kept.quarantined(key)}


def retry_all(world: RealWorld, direction: Direction) -> None:
    """Ask for another try of all that is quarantined, as a person does."""
    for shard in range(world.ring):
        for one in world.kept.quarantined(ShardKey("u1", direction, shard)):
            world.kept.quarantine(replace(one, state=QuarantineState.RETRY))


def asked(world: RealWorld, request: DirectorRequest, wanted: State) -> None:
    """Ask, and ask again as long as a check refuses."""
    for _ in attempts():
        if world.record.state is wanted:
            return
        if world.record.request is None and world.record.state in (State.READY, State.REVERSIBLE):
            world.upgrades.ask("u1", request)
        world.turn()
    raise AssertionError(f"still {world.record.state}: {said(world)}")


def said(world: RealWorld) -> list[str]:
    return [line.text for _, line in world.upgrades.lines]


def refused(world: RealWorld, request: DirectorRequest, sentence: str) -> None:
    """The upgrade does not move, and says why."""
    before = world.record.state
    for _ in attempts():
        if any(sentence in text for text in said(world)):
            break
        if world.record.request is None:
            world.upgrades.ask("u1", request)
        world.turn()
    assert world.record.state is before
    assert any(sentence in text for text in said(world)), said(world)


def test_poison_that_comes_when_all_is_ready_stops_the_switch_until_it_is_mended(world: RealWorld) -> None:
    for n in range(8):
        world.put(f"queues/{n}", n)
    world.turn_until(State.READY)
    world.put("queues/3", "poison")
    world.put("queues/4", 44)
    world.settle()
    assert quarantined(world, Direction.FORWARD) == {"queues/3": "poison"}
    assert world.contents(world.v2)["List", "lists/4"] == ({"amount": 44}, 2)
    refused(world, DirectorRequest.SWITCH, "1 resource could not be carried over.")

    world.put("queues/3", 33)
    retry_all(world, Direction.FORWARD)
    asked(world, DirectorRequest.SWITCH, State.REVERSIBLE)
    wanted = {f"lists/{n}": {3: 33, 4: 44}.get(n, n) for n in range(8)}
    assert found(world, world.v2) == wanted


def test_a_transaction_held_open_stops_the_switch_names_its_process_and_loses_nothing(
    world: RealWorld,
) -> None:
    world.put("queues/1", 1)
    world.turn_until(State.READY)
    with world.ports.store.transaction(world.v1) as transaction:
        held = transaction.get("Queue", "queues/1")
        assert held is not None
        transaction.put(Draft("Queue", "queues/1", held.uid, {"value": 2}))
        world.put("queues/2", 22)
        refused(world, DirectorRequest.SWITCH, "has been open for")
        # What committed after the held one began waits behind it.
        assert found(world, world.v2) == {"lists/1": 1}
    asked(world, DirectorRequest.SWITCH, State.REVERSIBLE)
    assert found(world, world.v2) == {"lists/1": 2, "lists/2": 22}


def test_asked_for_twice_while_going_back_it_goes_back_once(world: RealWorld) -> None:
    world.put("queues/1", 1)
    world.turn_until(State.READY)
    asked(world, DirectorRequest.SWITCH, State.REVERSIBLE)
    world.put("lists/1", 7, "List")
    world.settle()
    epoch = world.fence.epoch
    # A freeze that ran out would be made again, with an epoch of its own.
    world.upgrades.records["u1"] = replace(world.record, freeze_seconds=LONGEST_FREEZE_SECONDS)
    world.upgrades.ask("u1", DirectorRequest.REVERT)
    for _ in attempts():
        if world.record.state is State.REVERTED:
            break
        # Two workers with leases of different ages take the same upgrade, and a person asks again all the while.
        for lease in (world.epoch + 1, world.epoch):
            # A worker that comes late is refused, or finds nothing to do.
            with suppress(SwitchyardError):
                world.director.reconcile("u1", Budget(2.0, world.ports.clock), Lease("u1", lease, "switch"))
                if world.record.state is State.REVERTING:
                    world.upgrades.ask("u1", DirectorRequest.REVERT)
        world.epoch += 2
        world.turn()
    assert world.record.state is State.REVERTED
    assert world.fence.active_version == "v1"
    assert world.fence.epoch == epoch + 2
    flips = [line for _, line in world.upgrades.lines if line.kind == "flip"]
    assert len(flips) == 2
    assert found(world, world.v1) == {"queues/1": 7}


def test_what_does_not_convert_after_the_switch_is_quarantined_and_stops_only_the_way_back(
    world: RealWorld,
) -> None:
    for n in range(4):
        world.put(f"queues/{n}", n)
    world.turn_until(State.READY)
    asked(world, DirectorRequest.SWITCH, State.REVERSIBLE)
    world.put("lists/1", "hangs", "List")
    world.put("lists/2", 22, "List")
    world.put("lists/3", "poison", "List")
    world.settle()
    assert quarantined(world, Direction.REVERSE) == {"lists/1": "hook-hung", "lists/3": "poison"}
    assert world.contents(world.v1)["Queue", "queues/2"] == ({"value": 22}, 2)
    # The new version serves on, and the old one stays reachable once they are mended.
    refused(world, DirectorRequest.REVERT, "2 resources could not be carried over.")
    assert world.fence.writable("v2")
    world.put("lists/1", 11, "List")
    world.put("lists/3", 33, "List")
    retry_all(world, Direction.REVERSE)
    asked(world, DirectorRequest.REVERT, State.REVERTED)
    assert found(world, world.v1) == {"queues/0": 0, "queues/1": 11, "queues/2": 22, "queues/3": 33}
    assert not quarantined(world, Direction.REVERSE)
