"""Switching and rolling back while clients write: nothing acknowledged is lost, and a freeze is shorter than its bound."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.kernel import failpoints
from migrations_app.ports.fence import Mode
from migrations_app.ports.upgrades import DirectorRequest
from tests.integration.sync.real_world import (
    RealWorld,
    Writer,
    expected,
    found,
    let_write,
    revisions,
    writing,
)


@pytest.fixture(params=["one-database", "two-databases"])
def either_world(request: pytest.FixtureRequest) -> RealWorld:
    name = "world" if request.param == "one-database" else "split_world"
    made: RealWorld = request.getfixturevalue(name)
    return made


def go(world: RealWorld, request: DirectorRequest, state: State) -> None:
    """Ask until it is done; a check may refuse now and then under load."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if world.record.state is state:
            return
        if world.record.request is None:
            world.upgrades.ask("u1", request)
        world.turn()
    raise AssertionError([line.text for _, line in world.upgrades.lines[-5:]])


def checked(world: RealWorld, writers: list[Writer]) -> None:
    """Every acknowledged write is in the active version; the passive one is level with it."""
    world.settle()
    assert found(world, world.active) == expected(world, writers, world.active)
    assert revisions(world, world.v1) == revisions(world, world.v2)


def test_a_switch_under_writes_loses_nothing(either_world: RealWorld) -> None:
    world = either_world
    with writing(world) as writers:
        world.turn_until(State.READY)
        go(world, DirectorRequest.SWITCH, State.REVERSIBLE)
        let_write(writers)
        world.turn()
    assert world.active is world.v2
    (freeze_ms,) = [line.details["freeze_ms"] for _, line in world.upgrades.lines if line.kind == "flip"]
    assert 0 < freeze_ms < world.record.freeze_seconds * 1000
    checked(world, writers)


def test_going_back_under_writes_keeps_what_was_written_after_the_switch(either_world: RealWorld) -> None:
    world = either_world
    with writing(world) as writers:
        world.turn_until(State.READY)
        go(world, DirectorRequest.SWITCH, State.REVERSIBLE)
        let_write(writers)
        go(world, DirectorRequest.REVERT, State.REVERTED)
        let_write(writers)
    assert world.active is world.v1
    assert world.fence.mode is Mode.OPEN
    assert found(world, world.v1) == expected(world, writers, world.v1)


@pytest.mark.parametrize("step", ["freeze.after", "catch-up.after", "parity.after", "flip.before"])
def test_a_step_that_fails_in_the_freeze_opens_the_old_version_at_once(world: RealWorld, step: str) -> None:
    # A freeze that no step ended would last so long.
    world.upgrades.records["u1"] = replace(world.record, freeze_seconds=60.0)
    with writing(world) as writers:
        world.turn_until(State.READY)
        failpoints.arm(f"{step}:raise")
        try:
            world.upgrades.ask("u1", DirectorRequest.SWITCH)
            until = time.monotonic() + 60
            while time.monotonic() < until:
                world.turn()
                if any(line.kind == "writes-resumed" for _, line in world.upgrades.lines):
                    break
                if world.record.request is None:
                    world.upgrades.ask("u1", DirectorRequest.SWITCH)
        finally:
            failpoints.arm("")
        assert world.fence.writable("v1")
        assert 0 < (world.fence.freeze_milliseconds or 0) < 60_000
        go(world, DirectorRequest.SWITCH, State.REVERSIBLE)
    checked(world, writers)


@pytest.mark.parametrize("place", ["moving_world", "renumbering_world"])
def test_a_deployment_moves_to_another_place_under_writes(place: str, request: pytest.FixtureRequest) -> None:
    world: RealWorld = request.getfixturevalue(place)
    with writing(world, writers=2) as writers:
        world.turn_until(State.READY)
        go(world, DirectorRequest.SWITCH, State.REVERSIBLE)
        let_write(writers)
        world.turn()
    assert world.active is world.v2
    checked(world, writers)
