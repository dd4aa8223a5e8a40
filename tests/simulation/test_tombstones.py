"""Names deleted before an upgrade began: their tombstones come along page by page, however often a worker stops."""

from __future__ import annotations

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget
from migrations_app.engine.switch import preparing
from migrations_app.engine.switch.tombstones import PAGE
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.ports.locks import Again, Lease, Outcome
from migrations_app.ports.stored import Tombstone
from migrations_app.ports.upgrades import DirectorRequest
from tests.simulation.world import World

BURIED = 2 * PAGE + 500


@pytest.fixture
def world() -> World:
    """`queues/00000` to `queues/02499` were deleted long ago, at revision 3."""
    made = World(types=("Queue",))
    buried = made.databases.namespace(made.v1).tombstones
    for n in range(BURIED):
        name = f"queues/{n:05}"
        buried["Queue", name] = Tombstone("Queue", name, made.uid(), 3, made.clock.now())
    return made


def slice_of(world: World, epoch: int | None = None) -> Outcome:
    """One slice of the director that has time for a single page."""
    world.epoch += 1
    lease = Lease("u1", epoch or world.epoch, "switch")
    return world.director.reconcile("u1", Budget(0.0, world.clock), lease)


def graves(world: World, type_: str) -> dict[str, int]:
    namespace = world.v1 if type_ == "Queue" else world.v2
    found = world.ports.store.tombstones(namespace, type_, limit=10 * BURIED)
    return {grave.name.partition("/")[2]: grave.revision for grave in found}


def followers(world: World) -> set[str]:
    return {cursor.follower for cursor in world.ports.feed.cursors(world.v1)}


def test_a_slice_brings_what_it_has_time_for_and_nothing_is_copied_before_the_last(world: World) -> None:
    world.put("queues/alive", 1)
    brought = []
    for _ in range(2):
        assert slice_of(world) == Again(0.0)
        assert not preparing.prepared(world.ports, world.record)
        world.run(world.sync, "u1/forward/0")
        brought.append((len(graves(world, "List")), followers(world), world.contents(world.v2)))
    holding = {"u1/tombstones"}
    assert brought == [(PAGE, holding, {}), (2 * PAGE, holding, {})]

    slice_of(world)
    slice_of(world)
    assert preparing.prepared(world.ports, world.record)
    assert followers(world) == {"u1/forward"}
    assert graves(world, "List") == graves(world, "Queue") == {f"{n:05}": 3 for n in range(BURIED)}
    assert [line.text for _, line in world.upgrades.lines if line.kind == "prepared"] == [
        "v2 was prepared; capture is on. Names that were deleted before: 2,500."
    ]


def test_who_is_killed_between_a_page_and_its_row_repeats_that_page_alone(world: World) -> None:
    slice_of(world)
    failpoints.arm("tombstones.applied:raise")
    try:
        with pytest.raises(Busy, match="Failpoint"):
            slice_of(world)
    finally:
        failpoints.arm("")
    assert len(graves(world, "List")) == 2 * PAGE
    slice_of(world)
    assert len(graves(world, "List")) == 2 * PAGE
    slice_of(world)
    assert len(graves(world, "List")) == BURIED


def test_a_deletion_behind_the_page_that_is_brought_comes_by_the_feed(world: World) -> None:
    slice_of(world)
    world.put("queues/00000", 7)
    world.delete("queues/00000")
    world.put("queues/00001", 8)
    world.turn_until(State.READY)
    assert graves(world, "List")["00000"] == 5
    assert world.contents(world.v2) == {("List", "lists/00001"): ({"amount": 8}, 4)}


def test_what_the_feed_gave_up_meanwhile_is_brought_again_from_the_beginning(world: World) -> None:
    slice_of(world)
    world.put("queues/00000", 7)
    world.delete("queues/00000")
    world.clock.advance(700.0)
    world.ports.feed.trim(world.v1, keep=0)
    assert True in {cursor.dead for cursor in world.ports.feed.cursors(world.v1, "u1/tombstones")}
    slice_of(world)
    assert graves(world, "List")["00000"] == 5
    world.turn_until(State.READY)
    assert graves(world, "List") == graves(world, "Queue")


def test_a_director_that_was_overtaken_brings_nothing_further(world: World) -> None:
    slice_of(world, epoch=10)
    slice_of(world, epoch=12)
    with pytest.raises(Stale):
        slice_of(world, epoch=11)
    assert len(graves(world, "List")) == 2 * PAGE


def test_an_abort_in_between_holds_nothing_back_any_more(world: World) -> None:
    slice_of(world)
    world.upgrades.ask("u1", DirectorRequest.ABORT)
    slice_of(world)
    assert world.record.state is State.ABORTED
    assert followers(world) == set()
