"""A slice that copies takes the shards beside its own along: each has its checkpoint, and none is held up by another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget
from migrations_app.engine.sync.lease_pool import NeighbourLeasePool
from migrations_app.engine.sync.shard import SyncController
from migrations_app.kernel.errors import Stale
from migrations_app.ports.checkpoints import ShardKey, ShardStage
from migrations_app.ports.locks import Again, Lease
from migrations_app.ports.stored import Copied, KeyRange
from migrations_app.ports.upgrades import Direction
from tests.simulation.world import Takeover, World

RING = 4


@dataclass
class Read:
    """A store that notes which shards were copied together."""

    store: Any
    together: list[tuple[int, ...]] = field(default_factory=list)

    def copy_through(self, source: Any, target: Any, key_range: KeyRange, *rest: Any) -> Copied | None:
        copied: Copied | None = self.store.copy_through(source, target, key_range, *rest)
        if copied is not None:
            self.together.append(tuple(sorted(key_range.afters)))
        return copied

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.fixture
def world() -> World:
    made = World(ring=RING, types=("Queue",))
    for n in range(40):
        made.put(f"queues/{n:02}", n)
    made.run(made.director, "u1")
    return made


def key(shard: int) -> ShardKey:
    return ShardKey("u1", Direction.FORWARD, shard)


def stages(world: World) -> set[ShardStage]:
    return {world.checkpoints.load(key(shard)).stage for shard in range(RING)}


def test_one_slice_copies_all_shards_that_are_free_and_each_keeps_its_own_checkpoint(world: World) -> None:
    read = Read(world.ports.store)
    world.sync = SyncController(replace(world.ports, store=read), page=10, crew=Takeover(world))
    world.run(world.sync, str(key(2)))
    assert set(read.together) == {(0, 1, 2, 3)}
    assert stages(world) == {ShardStage.FOLLOW}
    counts = world.ports.store.counts(world.v1, "Queue")
    assert {shard: world.checkpoints.load(key(shard)).copied for shard in range(RING)} == counts
    assert {one.shard: one.copied for one in world.upgrades.shards("u1")} == counts
    assert len(world.contents(world.v2)) == 40


def test_a_shard_that_another_worker_holds_is_left_to_it_and_catches_up_alone(world: World) -> None:
    leases = MemoryLeases(world.clock)
    held = leases.take("sync", str(key(1)), holder="another", lease_seconds=10.0)
    read = Read(world.ports.store)
    world.sync = SyncController(
        replace(world.ports, store=read), page=10, crew=NeighbourLeasePool(leases, "this")
    )
    reconcile(world, leases, 0)
    assert set(read.together) == {(0, 2, 3)}
    assert world.checkpoints.load(key(1)).stage is ShardStage.PREPARE
    assert held is not None
    assert leases.settle(held, Again(0.0))
    # What went along is free again at once.
    assert all(reconcile(world, leases, shard) for shard in range(1, RING))
    assert stages(world) == {ShardStage.FOLLOW}
    assert len(world.contents(world.v2)) == 40


def test_a_shard_that_was_taken_over_meanwhile_is_not_written_by_who_had_it_before(world: World) -> None:
    class Lost(Takeover):
        def take(self, keys: Sequence[str]) -> list[Lease]:
            taken = super().take(keys)
            # Another worker took shard 3 over the moment after it was given.
            later = Lease(str(key(3)), world.epoch + 100, "sync")
            world.checkpoints.save(world.checkpoints.load(key(3)), later.epoch)
            return taken

    world.sync = SyncController(world.ports, page=10, crew=Lost(world))
    world.run(world.sync, str(key(0)))
    assert world.checkpoints.load(key(0)).stage is ShardStage.FOLLOW
    assert world.checkpoints.load(key(3)).stage is ShardStage.PREPARE
    with pytest.raises(Stale):
        world.checkpoints.save(world.checkpoints.load(key(3)), world.epoch)


def test_poison_in_one_shard_parts_them_and_parks_nothing_of_the_others(world: World) -> None:
    poisoned = world.put("queues/17", "poison").shard
    world.turn_until(State.SYNCING)
    for _ in range(4):
        world.turn()
    quarantined = {
        shard: [one.name for one in world.checkpoints.quarantined(key(shard))] for shard in range(RING)
    }
    assert quarantined == {shard: ["queues/17"] if shard == poisoned else [] for shard in range(RING)}
    assert len(world.contents(world.v2)) == 39
    assert stages(world) == {ShardStage.FOLLOW}


def test_work_that_did_not_come_to_its_end_before_goes_by_itself(world: World) -> None:
    read = Read(world.ports.store)
    world.sync = SyncController(replace(world.ports, store=read), page=10, crew=Takeover(world))
    world.epoch += 1
    world.sync.reconcile(
        str(key(0)), Budget(2.0, world.clock), Lease(str(key(0)), world.epoch, "sync", attempts=2)
    )
    assert read.together == []
    assert world.checkpoints.load(key(0)).stage is ShardStage.FOLLOW
    assert world.checkpoints.load(key(1)).stage is ShardStage.PREPARE


def reconcile(world: World, leases: MemoryLeases, shard: int) -> bool:
    lease = leases.take("sync", str(key(shard)), holder="this", lease_seconds=10.0)
    if lease is None:
        return False
    outcome = world.sync.reconcile(lease.key, Budget(2.0, world.clock), lease)
    world.clock.advance(1.0)
    return leases.settle(lease, outcome)
