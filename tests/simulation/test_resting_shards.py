"""While nothing is written, one shard of an upgrade that waits follows and reports for all; what is written wakes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from migrations_app.adapters.dispatch.in_process import InProcessDispatch
from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.domain.switch.progress import LAG_LIMIT_SECONDS
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Controller, Terms, ensure_due, reconcile_taken
from migrations_app.engine.parity.watch import FULL_PASS_SECONDS, ParityController
from migrations_app.engine.regions.dependants import Dependants
from migrations_app.engine.switch.director import MEASURE_SECONDS, Director
from migrations_app.engine.sync.resting_shards import QUIET_SECONDS, REST_SECONDS
from migrations_app.engine.sync.shard import SyncController
from migrations_app.engine.sync.shard_pipeline import parity_follower
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.locks import WokenKey, WorkPool
from migrations_app.ports.upgrades import Direction, DirectorRequest, ShardReport, ShardState
from tests.simulation.world import World

RING = 8
MINUTE = 60.0
SETTLED = 2 * QUIET_SECONDS + REST_SECONDS
"""After so long all shards have come up since the last change, and rest."""


class NotedReports:
    """The upgrades of a world; notes when each shard was reported, and whether alone."""

    def __init__(self, world: World) -> None:
        self._world, self._upgrades = world, world.ports.upgrades
        self.at: dict[int, datetime] = {}
        self.alone: list[int] = []
        self.together: list[tuple[int, ...]] = []

    def report_shard(self, upgrade_id: str, report: ShardReport) -> None:
        self.alone.append(report.shard)
        self.at[report.shard] = self._world.clock.now()
        self._upgrades.report_shard(upgrade_id, report)

    def report_resting(self, upgrade_id: str, shards: Sequence[int], lag_seconds: float) -> Sequence[int]:
        reported = self._upgrades.report_resting(upgrade_id, shards, lag_seconds)
        self.together.append(tuple(reported))
        self.at.update(dict.fromkeys(reported, self._world.clock.now()))
        return reported

    def __getattr__(self, name: str) -> Any:
        return getattr(self._upgrades, name)


class Process:
    """What one process knows: its own controllers, with their hints."""

    def __init__(self, waiting: Waiting) -> None:
        ports = replace(waiting.world.ports, upgrades=waiting.reports, dispatch=waiting.dispatch)  # type: ignore[arg-type]
        every: Sequence[Controller] = (
            SyncController(ports, page=2), ParityController(ports, page=2), Director(ports)
        )  # fmt: skip
        self.controllers: Mapping[str, Controller] = {each.name: each for each in every}


class Waiting:
    """An upgrade that is caught up and waits for people, with processes that take whatever is due in turns."""

    def __init__(self, processes: int = 1) -> None:
        self.world = World(ring=RING)
        for n in range(24):
            self.world.put(f"queues/{n}", n)
        self.world.turn_until(State.READY)
        self.reports = NotedReports(self.world)
        self.leases = MemoryLeases(self.world.clock)
        self.dispatch = InProcessDispatch(self.leases)
        self.turns: Counter[str] = Counter()
        self.oldest = 0.0
        self.begin(processes)
        self.run(SETTLED)

    def begin(self, processes: int) -> None:
        """Begin other processes, which know nothing of what the last ones saw."""
        self.processes = [Process(self) for _ in range(processes)]

    def run(self, seconds: float) -> None:
        """Let workers work for so long, and note how old the oldest report became."""
        clock = self.world.clock
        self.turns.clear()
        self.oldest = 0.0
        self.reports.alone.clear()
        self.reports.together.clear()
        pool = WorkPool("all", ("sync", "parity", "switch"))
        end, slices = clock.monotonic() + seconds, 0
        while clock.monotonic() < end:
            for controller in self.processes[0].controllers.values():
                ensure_due(controller, self.leases)
            while (taken := self.leases.take_next(pool, holder="test", lease_seconds=10.0)) is not None:
                process = self.processes[slices % len(self.processes)]
                slices += 1
                self.turns[taken.lease.controller] += 1
                controller = process.controllers[taken.lease.controller]
                reconcile_taken(controller, taken.lease, leases=self.leases, clock=clock, terms=Terms())
            for at in self.reports.at.values():
                self.oldest = max(self.oldest, (clock.now() - at).total_seconds())
            clock.advance(0.25)

    def ask(self, request: DirectorRequest) -> None:
        """Ask the director for something, and let it be done."""
        self.world.upgrades.ask("u1", request)
        self.dispatch.poke_all([WokenKey("switch", "u1", Director.work_class)])
        self.run(5.0)

    def values(self, count: int) -> list[object]:
        """Give the values of the first resources in the new version."""
        contents = self.world.contents(self.world.v2)
        return [contents["List", f"lists/{n}"][0]["amount"] for n in range(count)]

    def tell_of_write(self) -> None:
        """Wake what follows the written namespace, as the look at its feed does."""
        dependants = Dependants(
            None,  # type: ignore[arg-type]
            list,
            lambda _: (),
            lambda _: (),
            lambda: self.world.upgrades.syncing(),
        )
        self.dispatch.poke_all(dependants.of_upgrades([self.world.v1]))


def test_shards_that_wait_are_followed_by_one_and_no_report_grows_old() -> None:
    waiting = Waiting()
    waiting.run(10 * MINUTE)
    assert waiting.oldest <= LAG_LIMIT_SECONDS
    # The first shard comes up with each pulse, the others once a minute: 9,600 slices before.
    pulses = 10 * MINUTE / MEASURE_SECONDS
    assert waiting.turns["sync"] <= 2 * pulses + RING * 10 * MINUTE / (REST_SECONDS * 0.75)
    assert waiting.reports.together == [tuple(range(RING))] * len(waiting.reports.together)
    assert len(waiting.reports.alone) <= RING


def test_verification_rests_until_a_full_comparison_is_due() -> None:
    waiting = Waiting()
    waiting.run(FULL_PASS_SECONDS / 2)
    # Before: the first shard every two seconds, the others every twelve.
    assert waiting.turns["parity"] <= FULL_PASS_SECONDS / 2 / 5 + RING * (FULL_PASS_SECONDS / 2 / 45 + 1)
    passed = [waiting.world.checkpoints.load_scan(key).passed_at for key in keys()]
    waiting.run(2 * FULL_PASS_SECONDS)
    assert all(
        before is not None and after is not None and before < after
        for before, after in zip(
            passed, [waiting.world.checkpoints.load_scan(key).passed_at for key in keys()], strict=True
        )
    )


@pytest.mark.parametrize("processes", [1, 2, 4])
def test_what_is_written_while_shards_rest_is_followed_at_once(processes: int) -> None:
    waiting = Waiting(processes)
    before = {each.shard: each.applied for each in waiting.world.upgrades.shards("u1")}
    written = [waiting.world.put(f"queues/{n}", 100 + n).shard for n in range(12)]
    waiting.tell_of_write()
    waiting.run(0.5)
    assert waiting.values(12) == [100 + n for n in range(12)]
    waiting.run(2 * REST_SECONDS)
    assert waiting.oldest <= LAG_LIMIT_SECONDS
    after = waiting.world.upgrades.shards("u1")
    assert {each.state for each in after} == {ShardState.READY}
    if processes == 1:
        assert [each.applied - before[each.shard] for each in after] == [
            written.count(n) for n in range(RING)
        ]


def test_a_write_of_which_no_writer_told_is_followed_with_the_next_pulse() -> None:
    waiting = Waiting()
    waiting.world.put("queues/3", 33)
    waiting.run(MEASURE_SECONDS + 1)
    assert waiting.values(24)[3] == 33


@pytest.mark.parametrize("processes", [2, 4, 8])
def test_shards_rest_though_each_slice_is_of_another_process(processes: int) -> None:
    waiting = Waiting(processes)
    waiting.run(10 * MINUTE)
    assert waiting.oldest <= LAG_LIMIT_SECONDS
    assert waiting.turns["sync"] <= 10 * MINUTE * RING / 4


def test_processes_that_begin_anew_leave_no_report_to_grow_old() -> None:
    waiting = Waiting()
    for _ in range(20):
        waiting.begin(1)
        waiting.run(7.0)
        assert waiting.oldest <= LAG_LIMIT_SECONDS


def test_writes_that_come_and_go_leave_no_report_to_grow_old() -> None:
    waiting = Waiting(2)
    for n in range(12):
        waiting.world.put(f"queues/{n}", 200 + n)
        waiting.tell_of_write()
        waiting.run(7.0 + 5 * n)
        assert waiting.oldest <= LAG_LIMIT_SECONDS, n


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("name", ["queues/0", "queues/1", "queues/2", "queues/3", "queues/4"])
def test_a_shard_with_a_quarantined_resource_does_not_rest(name: str, processes: int) -> None:
    waiting = Waiting(processes)
    poisoned = waiting.world.put(name, "poison").shard
    waiting.run(SETTLED)
    quarantined = waiting.world.checkpoints.quarantined(ShardKey("u1", Direction.FORWARD, poisoned))
    assert [one.name for one in quarantined] == [name]
    waiting.run(2 * MINUTE)
    assert waiting.oldest <= LAG_LIMIT_SECONDS
    assert all(poisoned not in shards for shards in waiting.reports.together)


def test_shards_that_rested_through_a_pause_are_followed_when_it_ends() -> None:
    waiting = Waiting()
    waiting.world.pause(True)
    waiting.run(QUIET_SECONDS)
    for n in range(24):
        waiting.world.put(f"queues/{n}", 300 + n)
    waiting.world.pause(False)
    waiting.run(LAG_LIMIT_SECONDS)
    assert waiting.values(24) == [300 + n for n in range(24)]
    waiting.run(2 * MINUTE)
    assert waiting.oldest <= 2 * LAG_LIMIT_SECONDS


@pytest.mark.parametrize("processes", [1, 3])
def test_shards_that_rest_when_their_database_is_restored_are_copied_and_compared_again(
    processes: int,
) -> None:
    waiting = Waiting(processes)
    world = waiting.world
    begun = world.clock.now()
    world.databases.database(world.v1.database).restored = True
    assert world.ports.feed.reset_restored([world.v1])
    world.put("queues/3", 333)
    waiting.run(MINUTE)
    again = {line.details["shard"] for _, line in world.upgrades.lines if line.kind == "shard-copied-again"}
    assert again == {*range(RING)}
    passed = [world.checkpoints.load_scan(key).passed_at for key in keys()]
    assert [each is not None and each > begun for each in passed] == [True] * RING
    assert (world.record.state, waiting.values(24)[3]) == (State.READY, 333)


def test_one_shard_that_is_copied_again_while_the_others_rest_is_compared_soon() -> None:
    waiting = Waiting()
    world, key = waiting.world, ShardKey("u1", Direction.FORWARD, 5)
    begun = world.clock.now()
    world.checkpoints.void_proof(key)
    waiting.run(MINUTE / 2)
    passed = world.checkpoints.load_scan(key).passed_at
    assert passed is not None
    assert passed > begun


@pytest.mark.parametrize("shard", [0, 5])
@pytest.mark.parametrize("processes", [1, 3])
def test_a_shard_whose_worker_ended_before_it_reported_that_it_is_caught_up_reports_it_soon(
    processes: int, shard: int
) -> None:
    waiting = Waiting(processes)
    reports = waiting.world.upgrades.reports
    reports["u1", shard] = replace(reports["u1", shard], state=ShardState.SYNCING)
    waiting.run(LAG_LIMIT_SECONDS)
    assert reports["u1", shard].state is ShardState.READY
    waiting.run(SETTLED)
    assert set(waiting.reports.together) == {tuple(range(RING))}


@pytest.mark.parametrize("shard", [0, 5])
def test_a_shard_that_measured_a_long_lag_before_it_went_to_rest_measures_it_again(shard: int) -> None:
    waiting = Waiting()
    key = ShardKey("u1", Direction.FORWARD, shard)
    checkpoint, epoch = waiting.world.checkpoints._rows._rows[key]
    waiting.world.checkpoints.save(replace(checkpoint, lag_seconds=60.0), epoch)
    waiting.run(LAG_LIMIT_SECONDS)
    assert waiting.world.checkpoints.load(key).lag_seconds == 0.0


@pytest.mark.parametrize("shard", [0, 5])
@pytest.mark.parametrize("processes", [1, 3])
def test_one_shard_whose_changes_to_compare_are_lost_is_compared_again_and_holds_up_no_other(
    processes: int, shard: int
) -> None:
    waiting = Waiting(processes)
    world, follower = waiting.world, parity_follower("u1", Direction.FORWARD)
    begun = world.clock.now()
    cursors = world.databases.namespace(world.v1).cursors
    cursors[follower, shard] = replace(cursors[follower, shard], dead=True)
    waiting.run(MINUTE / 2)
    assert not cursors[follower, shard].dead
    passed = {key.shard: world.checkpoints.load_scan(key).passed_at for key in keys()}
    assert {each for each, at in passed.items() if at is None or at > begun} == {shard}
    waiting.ask(DirectorRequest.SWITCH)
    assert world.record.state is State.REVERSIBLE


def test_a_switch_and_a_rollback_are_not_held_up_by_shards_that_rest() -> None:
    waiting = Waiting()
    waiting.ask(DirectorRequest.SWITCH)
    assert waiting.world.record.state is State.REVERSIBLE
    waiting.run(SETTLED)
    assert waiting.oldest <= LAG_LIMIT_SECONDS
    waiting.run(MINUTE)
    assert waiting.turns["sync"] <= 2 * MINUTE / MEASURE_SECONDS + RING * 2
    waiting.world.put("lists/7", 77, "List")
    waiting.ask(DirectorRequest.REVERT)
    assert waiting.world.record.state is State.REVERTED
    assert waiting.world.contents(waiting.world.v1)["Queue", "queues/7"][0] == {"value": 77}
    waiting.run(SETTLED)
    waiting.run(MINUTE)
    assert waiting.turns == Counter()


def keys() -> list[ShardKey]:
    return [ShardKey("u1", Direction.FORWARD, shard) for shard in range(RING)]
