"""The main job in memory: copy, follow, prove, switch, roll back; exact contents on both sides."""

from __future__ import annotations

import pytest

from migrations_app.domain.switch.states import State
from migrations_app.engine.switch.director import TICK_SECONDS
from migrations_app.engine.switch.rehearsal import rehearse
from migrations_app.engine.switch.steps import ORDER
from migrations_app.engine.sync.shard import SyncController
from migrations_app.kernel.errors import Busy
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.fence import Mode
from migrations_app.ports.upgrades import Direction, DirectorRequest, ShardState
from tests.simulation.world import DEPLOYMENT, World


@pytest.fixture(params=[{}, {"split": True}], ids=["one-database", "two-databases"])
def world(request: pytest.FixtureRequest) -> World:
    return World(**request.param)


def test_the_first_report_of_a_shard_has_its_whole_rate() -> None:
    world = World(ring=1)
    for n in range(30):
        world.put(f"queues/{n}", n)
    while not (reports := [each for each in world.upgrades.shards("u1") if each.copied]):
        world.turn()

    # A report covers three seconds, and at first what was done in them is all that is known.
    (report,) = reports
    assert report.copied == 30
    assert report.rate_per_second == pytest.approx(10.0)


def test_what_exists_is_copied_and_what_changes_follows(world: World) -> None:
    for n in range(5):
        world.put(f"queues/{n}", n)
    world.put("gone/1", 1, "Gone")
    world.turn()
    world.put("queues/1", 11)
    world.delete("queues/2")
    world.put("queues/new", 99)
    world.turn_until(State.READY)

    assert world.contents(world.v2) == {
        ("List", "lists/0"): ({"amount": 0}, 1),
        ("List", "lists/1"): ({"amount": 11}, 2),
        ("List", "lists/3"): ({"amount": 3}, 1),
        ("List", "lists/4"): ({"amount": 4}, 1),
        ("List", "lists/new"): ({"amount": 99}, 1),
    }
    reports = world.upgrades.shards("u1")
    assert [report.state for report in reports] == [ShardState.READY, ShardState.READY]
    assert sum(report.copied for report in reports) == sum(report.total for report in reports)


def test_a_resource_whose_body_decides_its_name_moves_with_it(world: World) -> None:
    world.put("notes/1", "red", "Note")
    world.turn_until(State.READY)
    world.put("notes/1", "blue", "Note")
    world.turn()
    assert list(world.contents(world.v2)) == [("Note", "notes/blue")]
    world.delete("notes/1", "Note")
    world.turn()
    assert world.contents(world.v2) == {}


def switched(world: World) -> None:
    world.turn_until(State.READY)
    for _ in range(5):
        world.turn()
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.REVERSIBLE)


def test_the_switch_carries_what_was_written_last_and_opens_the_new_version(world: World) -> None:
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    for _ in range(5):
        world.turn()
    world.put("queues/a", 2)
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.run(world.director, "u1")

    assert world.record.state is State.REVERSIBLE
    assert world.fence.writable("v2")
    assert world.contents(world.v2) == {("List", "lists/a"): ({"amount": 2}, 2)}
    assert world.upgrades.published[DEPLOYMENT][0] == "v2"
    assert [mark.step for _, mark in world.upgrades.marks] == [
        "freeze",
        "catch-up",
        "parity",
        "flip",
        "publish",
        "reverse-replication",
    ]


def test_going_back_keeps_what_was_written_after_the_switch(world: World) -> None:
    world.put("queues/a", 1)
    switched(world)
    world.put("lists/a", 7, "List")
    world.put("lists/b", 8, "List")
    for _ in range(3):
        world.turn()
    world.put("lists/b", 9, "List")
    world.upgrades.ask("u1", DirectorRequest.REVERT)
    world.turn_until(State.REVERTED)

    assert [sum(told) for told in zip(*copied(world), strict=True)] == [1, 1]
    assert world.fence.writable("v1")
    assert world.contents(world.v1) == {
        ("Queue", "queues/a"): ({"value": 7}, 2),
        ("Queue", "queues/b"): ({"value": 9}, 2),
    }
    assert world.upgrades.published[DEPLOYMENT][0] == "v1"


def test_a_name_deleted_before_the_upgrade_goes_on_from_its_revision_on_both_sides(world: World) -> None:
    for n in range(3):
        world.put("queues/a", n)
    world.delete("queues/a")
    switched(world)
    world.put("lists/a", 8, "List")
    for _ in range(3):
        world.turn()
    assert world.contents(world.v2) == {("List", "lists/a"): ({"amount": 8}, 5)}
    assert world.contents(world.v1) == {("Queue", "queues/a"): ({"value": 8}, 5)}


def copied(world: World) -> list[tuple[int, int]]:
    return [(report.copied, report.total) for report in world.upgrades.shards("u1")]


def test_a_rehearsal_tells_the_same_steps_and_changes_nothing(world: World) -> None:
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    for _ in range(5):
        world.turn()
    world.put("queues/a", 2)
    before = (world.fence, world.contents(world.v2), world.record)
    rehearsed = rehearse(world.ports, world.record, Direction.FORWARD)
    assert (world.fence, world.contents(world.v2), world.record) == before
    assert [told.step for told in rehearsed.steps] == list(ORDER)
    assert rehearsed.steps[1].sentence == "Would replicate 1 last change (shards: 2)."
    assert not rehearsed.stopped
    assert 0 < rehearsed.predicted_freeze_ms < 1000

    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.run(world.director, "u1")
    assert [mark.step for _, mark in world.upgrades.marks] == [told.step for told in rehearsed.steps]
    back = rehearse(world.ports, world.record, Direction.REVERSE)
    assert back.steps[-2].sentence == "Would show v1 as the current version."


def test_going_back_to_a_database_that_was_not_kept_in_step_has_the_data_of_the_switch() -> None:
    world = World(downgrade=False)
    world.put("queues/a", 1)
    switched(world)
    world.put("lists/a", 7, "List")
    world.turn()
    world.upgrades.ask("u1", DirectorRequest.REVERT)
    world.turn_until(State.REVERTED)
    assert world.contents(world.v1) == {("Queue", "queues/a"): ({"value": 1}, 1)}


def test_after_completion_replication_ends(world: World) -> None:
    world.put("queues/a", 1)
    switched(world)
    world.upgrades.ask("u1", DirectorRequest.COMPLETE)
    world.turn_until(State.COMPLETED)
    assert world.ports.feed.cursors(world.v1) == ()
    assert world.ports.feed.cursors(world.v2) == ()
    assert list(world.sync.due()) == []


def test_an_abort_at_the_gate_leaves_the_old_version_as_it_was(world: World) -> None:
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    world.upgrades.ask("u1", DirectorRequest.ABORT)
    world.turn_until(State.ABORTED)
    assert world.fence.writable("v1")
    assert world.fence.epoch == 1
    assert world.ports.feed.cursors(world.v1) == ()


def test_poison_is_set_aside_and_stops_the_switch_until_it_is_mended(world: World) -> None:
    world.put("queues/a", 1)
    world.put("queues/bad", "poison")
    world.turn_until(State.READY)
    for _ in range(5):
        world.turn()
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn()
    assert world.record.state is State.READY
    assert world.upgrades.lines[-1][1].kind == "refused"
    assert world.upgrades.lines[-1][1].text.startswith("1 resource ")
    quarantined = [
        one
        for shard in range(2)
        for one in world.checkpoints.quarantined(ShardKey("u1", Direction.FORWARD, shard))
    ]
    assert [(one.name, one.code) for one in quarantined] == [("queues/bad", "poison")]

    world.put("queues/bad", 5)
    world.clock.advance(600)
    for _ in range(5):
        world.turn()
    assert world.contents(world.v2)["List", "lists/bad"] == ({"amount": 5}, 2)
    world.upgrades.ask("u1", DirectorRequest.SWITCH)
    world.turn_until(State.REVERSIBLE)


def test_a_hook_that_hangs_ends_the_page_but_not_the_shard() -> None:
    world = World(ring=1, types=("Queue",))
    for n in range(8):
        world.put(f"queues/{n}", "hangs" if n in (1, 2, 3, 5) else n)
    world.sync = SyncController(world.ports, page=100)
    world.turn_until(State.READY)
    assert [name for _, name in world.contents(world.v2)] == ["lists/0", "lists/4", "lists/6", "lists/7"]
    quarantined = world.checkpoints.quarantined(ShardKey("u1", Direction.FORWARD, 0))
    assert [(one.name, one.code) for one in quarantined] == [
        (f"queues/{n}", "hook-hung") for n in (1, 2, 3, 5)
    ]


def test_after_two_that_hang_the_rest_of_a_batch_of_changes_waits_for_its_retry() -> None:
    world = World(ring=1, types=("Queue",))
    world.turn_until(State.READY)
    for n in range(5):
        world.put(f"queues/{n}", "hangs" if n < 3 else n)
    for _ in range(2):
        world.turn()
    quarantined = {
        one.name: one.code for one in world.checkpoints.quarantined(ShardKey("u1", Direction.FORWARD, 0))
    }
    assert quarantined["queues/0"] == quarantined["queues/1"] == "hook-hung"
    for _ in range(8):
        world.turn()
    quarantined = {
        one.name: one.code for one in world.checkpoints.quarantined(ShardKey("u1", Direction.FORWARD, 0))
    }
    assert quarantined == dict.fromkeys(("queues/0", "queues/1", "queues/2"), "hook-hung")
    assert [name for _, name in world.contents(world.v2)] == ["lists/3", "lists/4"]


def test_a_difference_is_found_mended_and_listed(world: World) -> None:
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    kept = world.databases.namespace(world.v2).resources
    damaged = kept["List", "lists/a"]
    from dataclasses import replace

    kept["List", "lists/a"] = replace(damaged, body={"amount": 666})
    world.clock.advance(601)
    for _ in range(6):
        world.turn()
    assert world.contents(world.v2) == {("List", "lists/a"): ({"amount": 1}, 2)}
    mismatch, repair = world.checkpoints.differences("u1")[0]
    assert (mismatch.kind, mismatch.name, repair) == ("content", "lists/a", "written again at the origin")


def test_a_frozen_deployment_opens_by_itself_when_the_deadline_passes(world: World) -> None:
    world.put("queues/a", 1)
    world.turn_until(State.READY)
    site = world.fence.site
    world.ports.fence.freeze(world.v1, world.ports.fence.state(site), deadline_seconds=5)
    with pytest.raises(Busy):
        world.put("queues/a", 2)
    world.clock.advance(5.1)
    assert world.fence.mode is Mode.OPEN
    assert world.put("queues/a", 3).revision == 2


@pytest.mark.parametrize("world", [{"move": True}, {"reshard": True, "target_ring": 3}], indirect=True)
def test_a_deployment_moves_to_another_place_and_back_in_the_same_version(world: World) -> None:
    world.put("queues/a", 1)
    world.put("queues/b", 1)
    switched(world)
    assert world.active is world.v2
    assert world.upgrades.places[DEPLOYMENT] == world.v2
    with pytest.raises(Busy):
        world.put("queues/a", 2, namespace=world.v1)
    world.put("queues/a", 3)
    world.delete("queues/b")
    for _ in range(3):
        world.turn()
    assert world.contents(world.v1) == world.contents(world.v2) == {("Queue", "queues/a"): ({"value": 3}, 2)}

    world.upgrades.ask("u1", DirectorRequest.REVERT)
    world.turn_until(State.REVERTED)
    assert world.active is world.v1
    assert world.upgrades.places[DEPLOYMENT] == world.v1
    world.put("queues/a", 4)


def test_a_pending_check_is_measured_at_each_look_and_settled_ones_seldom(world: World) -> None:
    world.put("queues/1", 1)
    world.turn_until(State.READY)
    verdicts, measured = [], []
    for _ in range(20):
        before = world.upgrades.checks.get("u1")
        world.run(world.director, "u1")
        after = world.upgrades.checks["u1"]
        measured.append(after is not before)
        verdicts.append({check.check: check.verdict for check in after}["parity"])
        if verdicts[-1] == "pass":
            break
        world.run(world.parity, str(ShardKey("u1", Direction.FORWARD, 0)))
        world.run(world.parity, str(ShardKey("u1", Direction.FORWARD, 1)))
        world.clock.advance(TICK_SECONDS)
    assert verdicts[-1] == "pass"
    assert all(measured)

    settled = world.upgrades.checks["u1"]
    for _ in range(4):
        world.clock.advance(TICK_SECONDS)
        world.run(world.director, "u1")
    assert world.upgrades.checks["u1"] is settled
    world.clock.advance(TICK_SECONDS)
    world.run(world.director, "u1")
    assert world.upgrades.checks["u1"] is not settled
