"""Two directors at one fence: the one that lost the lease, and does not know it, may come back at any moment."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.switch.director import Director
from migrations_app.ports.store import Transaction
from migrations_app.ports.stored import Draft
from migrations_app.ports.upgrades import DirectorRequest
from tests.simulation.world import World


class Interrupted:
    """A fence before one call of which, the first time, something else happens."""

    def __init__(self, fence: object, call: str, meanwhile: Callable[[], None]) -> None:
        self._fence, self._call, self._meanwhile = fence, call, meanwhile

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._fence, name)
        if name != self._call:
            return real

        def call(*args: Any, **options: Any) -> Any:
            meanwhile, self._meanwhile = self._meanwhile, lambda: None
            meanwhile()
            return real(*args, **options)

        return call


@pytest.fixture(params=[False, True], ids=["one-database", "two-databases"])
def ready(request: pytest.FixtureRequest) -> World:
    world = World(split=request.param)
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    for _ in range(6):
        world.turn()
    return world


def interrupted(world: World, call: str, meanwhile: Callable[[], None]) -> Director:
    """A director that loses its lease right before it calls the fence."""
    return Director(replace(world.ports, fence=Interrupted(world.ports.fence, call, meanwhile)))


def direct(world: World, director: Director) -> None:
    world.epoch += 1
    director.reconcile("u1", Budget(2.0, world.clock), Lease("u1", world.epoch, "switch"))


def writing(world: World) -> AbstractContextManager[Transaction]:
    """A client that has written and does not commit."""
    opened = world.ports.store.transaction(world.active)
    transaction = opened.__enter__()
    old = world.active is world.v1
    type_, name, label = ("Queue", "queues/a", "value") if old else ("List", "lists/a", "amount")
    known = transaction.get(type_, name)
    assert known is not None
    transaction.put(Draft(type_, name, known.uid, {**known.body, label: 7}))
    return opened


def refused_by_a_writer(world: World) -> None:
    """Another director takes over, and meets a writer that does not pause."""
    held = writing(world)
    direct(world, Director(world.ports))
    held.__exit__(None, None, None)


def at_rest(world: World, state: State, version: str) -> None:
    for _ in range(3):
        world.turn()
    assert (world.record.state, world.fence.active_version) == (state, version)
    world.put("queues/b", 2) if version == "v1" else world.put("lists/b", 2, "List")


def test_a_freeze_that_was_given_up_is_never_made(ready: World) -> None:
    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    direct(ready, interrupted(ready, "freeze", lambda: refused_by_a_writer(ready)))
    words = f"v1 goes on: Writes of {ready.record.deployment} did not pause."
    assert ready.upgrades.lines[-1][1].text == words
    at_rest(ready, State.READY, "v1")

    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    ready.turn_until(State.REVERSIBLE)
    at_rest(ready, State.REVERSIBLE, "v2")


def test_an_abort_before_the_freeze_is_final_for_who_stands_before_it(ready: World) -> None:
    def aborted() -> None:
        ready.upgrades.ask("u1", DirectorRequest.ABORT)
        direct(ready, Director(ready.ports))

    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    direct(ready, interrupted(ready, "freeze", aborted))
    at_rest(ready, State.ABORTED, "v1")


def test_who_gives_up_while_another_goes_through_leaves_the_switch_to_it(ready: World) -> None:
    def flipped() -> None:
        held.__exit__(None, None, None)
        direct(ready, Director(ready.ports))

    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    held = writing(ready)
    direct(ready, interrupted(ready, "withdraw", flipped))
    at_rest(ready, State.REVERSIBLE, "v2")


def test_a_rollback_that_was_given_up_is_never_made(ready: World) -> None:
    ready.upgrades.ask("u1", DirectorRequest.SWITCH)
    ready.turn_until(State.REVERSIBLE)
    for _ in range(6):
        ready.turn()
    ready.upgrades.ask("u1", DirectorRequest.REVERT)
    direct(ready, interrupted(ready, "freeze", lambda: refused_by_a_writer(ready)))
    at_rest(ready, State.REVERSIBLE, "v2")
