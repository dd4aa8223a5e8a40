"""Torture on real PostgreSQL: clients that never stop, workers that die at any call, people who change their minds.

`TORTURE_RUNS` says how many runs (`make torture`: 1,000); each is determined by its seed as far as the machine allows.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from migrations_app.domain.switch.states import FINAL, State
from migrations_app.engine.controller import Budget, Controller, Lease
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.sync.shard import SyncController
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.fence import Mode
from migrations_app.ports.upgrades import Request
from tests.integration.sync.conftest import split_world as split_world
from tests.integration.sync.conftest import world as world
from tests.integration.sync.real_world import RealWorld, expected, found, revisions, writing
from tests.simulation.schedules import Crash, Perilous

RUNS = int(os.environ.get("TORTURE_RUNS", "2"))
SECONDS = 6.0


class Gang:
    """Workers in threads; each slice may be killed at any call of a port, before it or after."""

    def __init__(self, world: RealWorld, seed: int) -> None:
        self.world, self.chance = world, random.Random(seed)
        ports = ("store", "feed", "fence", "checkpoints", "upgrades")
        yard = replace(
            world.yard, **{port: Perilous(getattr(world.yard, port), self.peril) for port in ports}
        )
        self.controllers: tuple[Controller, ...] = (
            Director(yard),
            SyncController(yard, page=10),
            ParityController(yard),
        )
        self.kills = 0
        self.broken: list[BaseException] = []

    def peril(self, call: str) -> None:
        if self.chance.random() < 0.004:
            self.kills += 1
            raise Crash(call)

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            controller = self.chance.choice(self.controllers)
            try:
                keys = list(controller.due())
                if keys:
                    self.work(controller, self.chance.choice(keys))
            except (Crash, SwitchyardError) as error:
                if type(error).__name__ == "Broken":
                    self.broken.append(error)
            except BaseException as error:
                self.broken.append(error)
                return

    def work(self, controller: Controller, key: str) -> None:
        with self.world.lock:
            self.world.epoch += 1
            lease = Lease(key, self.world.epoch, controller.name)
        controller.reconcile(key, Budget(0.5, self.world.yard.clock), lease)

    def wish(self) -> None:
        record = self.world.record
        wishes: list[Request | None] = {
            State.READY: [Request.SWITCH] * 20 + [Request.ABORT],
            State.SWITCHING: [Request.ABORT],
            State.REVERSIBLE: [Request.REVERT] + [None] * 9,
        }.get(record.state, [])
        wish = self.chance.choice(wishes) if wishes and record.request is None else None
        if wish is not None:
            self.world.upgrades.ask("u1", wish)


@pytest.fixture
def threads() -> Iterator[list[threading.Thread]]:
    started: list[threading.Thread] = []
    yield started
    for thread in started:
        thread.join(timeout=30)


@pytest.mark.parametrize("seed", range(RUNS))
def test_torture(seed: int, request: pytest.FixtureRequest, threads: list[threading.Thread]) -> None:
    world: RealWorld = request.getfixturevalue("split_world" if seed % 3 == 1 else "world")
    gang, stop = Gang(world, seed), threading.Event()
    with writing(world, writers=2, seed=seed) as writers:
        for _ in range(2):
            threads.append(threading.Thread(target=gang.run, args=(stop,)))
            threads[-1].start()
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            time.sleep(0.2)
            gang.wish()
        stop.set()
        for thread in threads:
            thread.join(timeout=30)
        # From here on nobody dies: what was begun must come to its end by itself.
        for _ in range(60):
            world.turn()
            if world.record.state in FINAL | {State.READY, State.REVERSIBLE} and world.record.request is None:
                break
    assert gang.broken == [], f"seed {seed}"
    assert world.fence.mode is Mode.OPEN, f"seed {seed}"
    new = world.record.state in (State.REVERSIBLE, State.COMPLETED)
    assert (world.active is world.v2) is new, f"seed {seed}: {world.record.state}"
    assert found(world, world.active) == expected(world, writers, world.active), f"seed {seed}"
    if world.record.state not in FINAL:
        world.settle()
        assert revisions(world, world.v1) == revisions(world, world.v2), f"seed {seed}"
