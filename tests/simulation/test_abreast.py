"""Level shards are followed in one batch; one that needs attention goes by itself and holds no other up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from migrations_app.domain.switch.progress import REPORT_SECONDS, ShardFacts, shard_as_of
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Again, Share
from migrations_app.engine.parity.duty_cycle import DutyCycle
from migrations_app.engine.parity.waiting import LEAST_SECONDS
from migrations_app.engine.parity.watch import (
    COPYING_SECONDS,
    LOOK_SECONDS,
    PAUSE_SECONDS,
    RECHECK_SECONDS,
    ParityController,
)
from migrations_app.engine.sync.shard import SyncController
from migrations_app.ports.checkpoints import ShardKey, ShardStage
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction, ShardReport
from tests.factories.due_keys import keys_due
from tests.simulation.world import World

RING = 4


class Asked:
    """A feed that notes whose changes it was asked for."""

    def __init__(self, feed: Any) -> None:
        self._feed, self.shards = feed, list[tuple[int, ...]]()

    def read(
        self, namespace: Namespace, after: Any, *, shards: Collection[int] | None = None, **options: Any
    ) -> Any:
        self.shards.append(tuple(after if shards is None else shards))
        return self._feed.read(namespace, after, shards=shards, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._feed, name)


@pytest.fixture
def world() -> World:
    made = World(ring=RING)
    for n in range(12):
        made.put(f"queues/{n}", n)
    made.turn_until(State.READY)
    made.turn()
    return made


def listening(world: World) -> Asked:
    """Note what the sync controller asks the feed for from now on, by a worker that has seen every shard once."""
    asked = Asked(world.ports.feed)
    world.sync = SyncController(replace(world.ports, feed=asked), page=2)
    sync_all(world)
    asked.shards.clear()
    return asked


def sync_all(world: World) -> None:
    for key in keys_due(world.sync):
        world.run(world.sync, key)
    world.clock.advance(1.0)


def test_one_slice_carries_the_changes_of_all_level_shards(world: World) -> None:
    asked = listening(world)
    for n in range(12):
        world.put(f"queues/{n}", 100 + n)
    sync_all(world)
    assert asked.shards == [tuple(range(RING))]
    assert world.contents(world.v2) == {("List", f"lists/{n}"): ({"amount": 100 + n}, 2) for n in range(12)}


def test_what_was_carried_along_is_counted_for_the_shard_it_belongs_to(world: World) -> None:
    listening(world)
    before = [world.checkpoints.load(key(shard)).applied for shard in range(RING)]
    written = {n: world.put(f"queues/{n}", 100 + n).shard for n in range(12)}
    for _ in range(int(REPORT_SECONDS) + 1):
        sync_all(world)
    after = [world.checkpoints.load(key(shard)).applied for shard in range(RING)]
    assert [late - early for early, late in zip(before, after, strict=True)] == [
        list(written.values()).count(shard) for shard in range(RING)
    ]


@pytest.mark.parametrize("late_seconds", [0.0, 5.0])
def test_the_lag_of_shards_that_stay_caught_up_does_not_count_as_grown(
    world: World, late_seconds: float
) -> None:
    listening(world)
    newest: dict[int, ShardReport] = {}
    reported: dict[int, datetime] = {}
    lags = []
    for _ in range(60):
        sync_all(world)
        for report in world.upgrades.shards("u1"):
            if newest.get(report.shard) is not report:
                newest[report.shard], reported[report.shard] = report, world.clock.now()
        world.clock.advance(late_seconds)
        shown = [
            shard_as_of(
                ShardFacts(n, each.state, lag_seconds=each.lag_seconds, reported_at=reported[n]),
                world.clock.now(),
            )
            for n, each in newest.items()
        ]
        lags += [each.lag_seconds for each in shown]
    assert (len(lags), {*lags}) == (60 * RING, {0.0})


def test_a_shard_with_a_worklist_goes_by_itself_and_the_others_go_on(world: World) -> None:
    asked = listening(world)
    poisoned = world.put("queues/0", "poison").shard
    world.put("queues/1", 101)
    for _ in range(3):
        sync_all(world)
    assert [one.name for one in world.checkpoints.quarantined(key(poisoned))] == ["queues/0"]
    assert world.contents(world.v2)["List", "lists/1"] == ({"amount": 101}, 2)
    asked.shards.clear()
    world.put("queues/2", 102)
    sync_all(world)
    others = tuple(shard for shard in range(RING) if shard != poisoned)
    assert sorted(asked.shards) == sorted([(poisoned,), others])
    assert world.contents(world.v2)["List", "lists/2"] == ({"amount": 102}, 2)


def test_a_shard_that_gets_no_share_of_the_copying_still_follows() -> None:
    world = World(ring=RING)
    for n in range(12):
        world.put(f"queues/{n}", n)
    world.sync = SyncController(world.ports, page=2, copies=Share(0))
    world.turn()
    world.put("queues/new", 99)
    for _ in range(3):
        world.turn()
    assert list(world.contents(world.v2)) == [("List", "lists/new")]
    assert {world.checkpoints.load(key(shard)).stage for shard in range(RING)} == {ShardStage.BACKFILL}


def test_without_a_share_of_the_scanning_changed_keys_are_still_proved(world: World) -> None:
    world.parity = ParityController(world.ports, full_pass_seconds=0.0, page=2, scans=Share(0))
    scanned = [world.checkpoints.load_scan(key(shard)).scanned for shard in range(RING)]
    world.put("queues/0", 100)
    for _ in range(4):
        world.turn()
    assert [world.checkpoints.load_scan(key(shard)).scanned for shard in range(RING)] == scanned
    proved = world.ports.feed.cursors(world.v1, "u1/forward/parity")
    head = max(cursor.position for cursor in world.ports.feed.cursors(world.v1, "u1/forward"))
    assert all(world.ports.feed.backlog(world.v1, cursor.position).entries == 0 for cursor in proved), head


def copied() -> World:
    """A world whose shards have all been copied, and none compared."""
    world = World(ring=RING)
    for n in range(12):
        world.put(f"queues/{n}", n)
    for _ in range(4):
        for controller in (world.director, world.sync):
            for name in keys_due(controller):
                world.run(controller, name)
        world.clock.advance(1.0)
    return world


@pytest.mark.parametrize(
    ("throttled", "seconds"), [("the disk is slow", LOOK_SECONDS), ("", COPYING_SECONDS)]
)
def test_the_first_pass_waits_for_shards_that_are_copied_but_not_for_good(
    throttled: str, seconds: float
) -> None:
    world = copied()
    report = replace(world.upgrades.shards("u1")[1], stage="backfill")
    world.upgrades.report_shard("u1", report)
    assert world.run(world.parity, str(key(0))) == Again(PAUSE_SECONDS)
    scan = world.checkpoints.load_scan(key(0))
    assert (scan.scanned, scan.ended_at) == (0, None)

    world.upgrades.report_shard("u1", replace(report, throttled=throttled))
    world.clock.advance(seconds)
    world.run(world.parity, str(key(0)))
    assert world.checkpoints.load_scan(key(0)).ended_at == world.clock.now()


def test_the_changes_of_a_shard_are_read_once_a_second_and_not_with_every_page() -> None:
    world = copied()
    asked = Asked(world.ports.feed)
    parity = ParityController(replace(world.ports, feed=asked), page=1)
    # No other shard is proved yet, so this one is looked at by itself.
    world.run(parity, str(key(0)))
    assert world.checkpoints.load_scan(key(0)).ended_at is not None
    assert asked.shards == [(0,)]
    world.clock.advance(RECHECK_SECONDS)
    world.run(parity, str(key(0)))
    assert asked.shards == [(0,), (0,)]


def test_a_shard_that_gets_no_share_of_the_scanning_asks_again_soon_while_its_pass_is_under_way(
    world: World,
) -> None:
    refused = ParityController(world.ports, page=2, scans=Share(0))
    assert world.run(refused, str(key(0))) == Again(PAUSE_SECONDS)
    scan = world.checkpoints.load_scan(key(0))
    world.checkpoints.save_scan(replace(scan, ended_at=None), world.epoch)
    assert world.run(refused, str(key(0))) == Again(LEAST_SECONDS)


def test_while_full_passes_rest_changed_keys_are_still_proved(world: World) -> None:
    ease = DutyCycle(0.25, world.clock)
    world.parity = ParityController(world.ports, full_pass_seconds=0.0, page=2, ease=ease)
    began = world.clock.monotonic()
    world.clock.advance(20.0)
    ease.worked(began)
    before = [world.checkpoints.load_scan(key(shard)) for shard in range(RING)]
    world.put("queues/0", 100)
    for _ in range(4):
        world.turn()
    assert ease.rests
    assert [world.checkpoints.load_scan(key(shard)) for shard in range(RING)] == before
    proved = world.ports.feed.cursors(world.v1, "u1/forward/parity")
    assert sum(world.ports.feed.backlog(world.v1, cursor.position).entries for cursor in proved) == 0
    world.clock.advance(60.0)
    world.turn()
    after = [world.checkpoints.load_scan(key(shard)) for shard in range(RING)]
    assert all(then.started_at != now.started_at for then, now in zip(before, after, strict=True))


def key(shard: int) -> ShardKey:
    return ShardKey("u1", Direction.FORWARD, shard)
