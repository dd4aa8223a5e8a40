"""Seeded torture on real PostgreSQL: `python -m tests.acceptance.torturer FIRST LAST ALIAS OTHER` runs these seeds.

Each seed is one deployment of its own, with clients that never stop, two workers without leases whose slices die
at any call of a port or dawdle in it, and a person who changes their mind. It draws the weather and the goal. After so
many deaths the weather clears up, and a run that then does not reach its goal has failed. After it none dies, and
what was begun must come to its end by itself.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import django

if __name__ == "__main__":
    django.setup()

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.domain.switch.states import FINAL, State
from migrations_app.engine.controller import Budget, Controller, Lease
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.sync.shard import SyncController
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.errors import Busy, InvariantBroken, SwitchyardError
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import KeyRange
from migrations_app.ports.upgrades import DirectorRequest
from tests.acceptance.checker import Ending, Row, faults
from tests.factories.due_keys import keys_due
from tests.integration.sync.real_world import RealWorld, Writer, revisions, writing
from tests.simulation.world import Takeover

PORTS = ("store", "feed", "fence", "checkpoints", "upgrades")
# No run needs a tenth of this; it is there so that one that never comes to its end says so.
PATIENCE_SECONDS = 240.0
CALM_SECONDS = 180.0
# Who is hardly let onto a processor, as on a machine that is shared, is given more time, up to so many times as much.
SHARE, LONGEST = 0.25, 8
GOALS: tuple[tuple[DirectorRequest, ...], ...] = (
    (DirectorRequest.SWITCH,),
    (DirectorRequest.SWITCH, DirectorRequest.REVERT),
    (DirectorRequest.SWITCH, DirectorRequest.REVERT),
    (DirectorRequest.SWITCH, DirectorRequest.COMPLETE),
    (DirectorRequest.SWITCH, DirectorRequest.ABORT),
    (DirectorRequest.ABORT,),
)
ENDS = {
    DirectorRequest.SWITCH: {State.REVERSIBLE, State.COMPLETED},
    DirectorRequest.REVERT: {State.REVERTED},
    DirectorRequest.COMPLETE: {State.COMPLETED},
    DirectorRequest.ABORT: {State.ABORTED},
}
FROM = {
    DirectorRequest.SWITCH: {State.READY},
    DirectorRequest.REVERT: {State.REVERSIBLE},
    DirectorRequest.COMPLETE: {State.REVERSIBLE},
    DirectorRequest.ABORT: {State.READY, State.SWITCHING},
}


class Patience:
    """Some seconds, in which this process had a share of a processor to itself."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._began, self._spent = seconds, time.monotonic(), time.process_time()

    @property
    def lasts(self) -> bool:
        """Tell whether it is too early to give up."""
        passed, worked = time.monotonic() - self._began, time.process_time() - self._spent
        if passed < self._seconds:
            return True
        return worked < self._seconds * SHARE and passed < self._seconds * LONGEST


class Killed(BaseException):
    """The worker is no more: nothing may catch it, as nothing may after a kill -9."""


class Perilous:
    """A port before and after every call of which something may happen."""

    def __init__(self, port: object, peril: Callable[[], None]) -> None:
        self._port, self._peril = port, peril

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._port, name)
        if not callable(real) or name in ("transaction", "snapshot"):
            return real

        def call(*args: Any, **options: Any) -> Any:
            self._peril()
            answer = real(*args, **options)
            self._peril()
            return answer

        return call


@dataclass
class TortureWorld(RealWorld):
    """A small world with a deployment and schemas of its own, on pools that all seeds share."""

    seed: int = 0
    shared: Databases | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pools.close()
        assert self.shared is not None
        self.pools = self.shared

    def furnish(self, ports: PipelinePorts) -> None:
        assert self.shared is not None
        deployment = f"services/toy.example.com/deployments/seed-{self.seed}"
        version = "v1" if self.move or self.reshard else "v2"
        ring, numbering = self.target_ring or self.ring, "again" if self.reshard else ""
        self.v1 = Namespace(deployment, "v1", self.aliases[0], f"t{self.seed}_v1", self.ring)
        self.v2 = Namespace(deployment, version, self.aliases[-1], f"t{self.seed}_new", ring, numbering)
        wrapped_ports = {
            "store": PostgresStore(self.shared),
            "feed": PostgresFeed(self.shared),
            "fence": PostgresFence(self.shared),
        }
        super().furnish(replace(ports, **wrapped_ports))
        record = self.upgrades.records["u1"]
        self.upgrades.records["u1"] = replace(record, deployment=deployment)


@dataclass
class Gang:
    """Workers in threads, without leases; each slice may be killed, or held up, at any call of a port."""

    world: RealWorld
    chance: random.Random
    deadly: float
    slow: float
    # After so many deaths the weather clears up: a run is there to reach its goal.
    most: int
    kills: int = 0
    broken: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        wrapped_ports = {port: Perilous(getattr(self.world.ports, port), self.peril) for port in PORTS}
        ports = replace(self.world.ports, **wrapped_ports)
        self.controllers: tuple[Controller, ...] = (
            Director(ports),
            SyncController(ports, page=10, crew=Takeover(self.world)),
            ParityController(ports),
        )

    def peril(self) -> None:
        dice = self.chance.random()
        if dice < self.deadly and self.kills < self.most:
            self.kills += 1
            raise Killed
        if dice > 1 - self.slow:
            time.sleep(self.chance.random() * 0.2)

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            controller = self.chance.choice(self.controllers)
            try:
                keys = keys_due(controller)
                if keys:
                    self.work(controller, self.chance.choice(keys))
            except InvariantBroken as error:
                self.broken.append(error)
            except (Killed, SwitchyardError):
                continue
            except BaseException as error:
                self.broken.append(error)
                return

    def work(self, controller: Controller, key: str) -> None:
        with self.world.lock:
            self.world.epoch += 1
            lease = Lease(key, self.world.epoch, controller.name)
        controller.reconcile(key, Budget(0.5, self.world.ports.clock), lease)


def torture(seed: int, alias: str, other: str, shared: Databases) -> dict[str, object]:
    """Run one seed; tell what became of it."""
    began, chance = time.monotonic(), random.Random(seed)
    # One version, in another database or in another number of shards; the others change versions.
    move, reshard = seed % 8 == 3, seed % 8 == 7
    aliases = (alias, other) if seed % 4 == 1 or move else (alias,)
    # In half of them the queues are of two types in one of the versions: they split, or merge.
    parted = ("v1", "v2")[seed // 4 % 2] if seed % 4 in (1, 2) else ""
    world = TortureWorld(
        aliases=aliases,
        move=move,
        reshard=reshard,
        target_ring=(7, 2, 8)[seed // 8 % 3] if reshard else 0,
        parted=parted,
        seed=seed,
        shared=shared,
    )
    goal = list(chance.choice(GOALS))
    deadly, slow = chance.choice((0.002, 0.005, 0.01)), chance.choice((0.0, 0.001, 0.003))
    gang = Gang(world, chance, deadly, slow, chance.randint(2, 12))
    told: dict[str, object] = {"seed": seed, "goal": [each.value for each in goal]}
    try:
        writers = suffer(world, gang, goal)
        judge(world, gang, writers, goal)
        told["error"] = ""
    except BaseException:
        told["error"] = traceback.format_exc()
    finally:
        for place in (world.v1, world.v2):
            world.ports.store.drop(place)
    told |= {"state": world.record.state.value, "kills": gang.kills, "seconds": time.monotonic() - began}
    return told


def suffer(world: RealWorld, gang: Gang, goal: list[DirectorRequest]) -> list[Writer]:
    """Let everybody work until the goal is reached, then in calm until it is settled."""
    stop = threading.Event()
    with writing(world, writers=2, seed=gang.chance.randrange(1 << 30)) as writers:
        threads = [threading.Thread(target=gang.run, args=(stop,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        patience = Patience(PATIENCE_SECONDS)
        while goal and patience.lasts and not gang.broken:
            wish(world, goal)
            time.sleep(0.02)
        stop.set()
        for thread in threads:
            thread.join()
        calm(world)
    return writers


def wish(world: RealWorld, goal: list[DirectorRequest]) -> None:
    """Ask for the next thing as soon as it makes sense; take it off the list once it is reached."""
    record = world.record
    if record.state in ENDS[goal[0]] or (
        goal[0] is DirectorRequest.ABORT and record.state is State.REVERSIBLE
    ):
        # An abort may come too late: the flip was faster, and is told so.
        goal.pop(0)
    elif record.state in FROM[goal[0]] and (record.request is None or goal[0] is DirectorRequest.ABORT):
        world.upgrades.ask("u1", goal[0])
        if goal[0] is DirectorRequest.SWITCH and goal[1:] == [DirectorRequest.ABORT]:
            goal.pop(0)


def calm(world: RealWorld) -> None:
    """Take turns until nothing is under way any more."""
    patience = Patience(CALM_SECONDS)
    while patience.lasts:
        try:
            world.turn()
        except Busy:
            # As a worker does: the same again, later.
            continue
        record = world.record
        if record.state in FINAL | {State.READY, State.REVERSIBLE} and record.request is None:
            return
    raise AssertionError(f"still {world.record.state} with {world.record.request}")


def judge(world: RealWorld, gang: Gang, writers: list[Writer], unreached: list[DirectorRequest]) -> None:
    """Every acknowledged write is in the active version once, both sides are caught up, one fence is open."""
    assert gang.broken == [], gang.broken
    record = world.record
    serves = world.v2 if record.state in (State.REVERSIBLE, State.COMPLETED) else world.v1
    assert active(world) is serves, record.state
    rows = list(rows_of(world, serves))
    sides = None
    if record.state not in FINAL:
        world.settle()
        sides = revisions(world, world.v1), revisions(world, world.v2)
    sites = dict.fromkeys((FenceLocation.of(world.v1), FenceLocation.of(world.v2)))
    states = [world.ports.fence.state(site) for site in sites]
    ending = Ending(
        acknowledged=histories(world, writers, serves),
        rows=rows,
        fences=[(state.mode.value, state.active_version) for state in states],
        serves=serves.version,
        moves=[(str(event), str(before), str(after)) for event, before, after in world.upgrades.moves],
        sides=sides,
        unreached=[each.value for each in unreached],
    )
    assert faults(ending) == [], faults(ending)


def histories(
    world: RealWorld, writers: list[Writer], namespace: Namespace
) -> dict[str, Sequence[int | None]]:
    """What the clients were told of each resource, by its name in a namespace."""
    return {
        world.place(namespace, f"{writer.number}-{n}")[1]: told
        for writer in writers
        for n, told in writer.history.items()
    }


def rows_of(world: RealWorld, namespace: Namespace) -> Iterator[Row]:
    """Read what is in a namespace."""
    label = "value" if namespace.version == "v1" else "amount"
    for type_ in sorted({world.place(namespace, number)[0] for number in ("0-0", "0-1")}):
        for shard in range(namespace.ring):
            for row in world.ports.store.page(namespace, KeyRange(type_, shard, limit=1_000_000)):
                yield Row(row.name, str(row.uid), int(str(row.body[label])))


def active(world: RealWorld) -> Namespace:
    """Find the namespace that may be written."""
    for place in (world.v2, world.v1):
        state = world.ports.fence.state(FenceLocation.of(place))
        if state.mode is Mode.OPEN and state.active_version == place.version:
            return place
    raise AssertionError("no version is open")


def main(first: str, last: str, alias: str, other: str) -> None:
    """Run these seeds one after the other, a line of JSON for each."""
    from django.conf import settings

    shared = Databases(settings.SWITCHYARD.data_url, patience_seconds=60)
    for seed in range(int(first), int(last)):
        print(json.dumps(torture(seed, alias, other, shared)), flush=True)
    shared.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
