"""Seeded schedules of owners, followers and a bad network over three regions: the copies end equal to their owners.

`python -m tests.simulation.copies_schedules --count 2000` runs many; `--seed 47` shows one.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
from collections.abc import Sequence

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.copies import MemoryCopies
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.copying import CopyController
from migrations_app.engine.regions.owned import OwnedServer
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.kernel.errors import InvariantBroken as OurFault
from migrations_app.kernel.json import Json
from migrations_app.kernel.uids import new_uid, seeded_uids
from migrations_app.ports.copies import ComparisonStage
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Draft, Layout, Query, StoredResource
from tests.factories.due_keys import keys_due
from tests.simulation.constraints_world import Network
from tests.simulation.perils import PERIL, Broken, Crash, Perilous

SERVICE, REGIONS = "base.example.com", ("a", "b", "c")
STEPS, NAMES, DEEPEST, ROUNDS = 60, 3, 2, 40
DIES = 0.3
_TOP = b"service: base.example.com\nversions: [{version: v1, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}]\n"
_THING = b"schema: {types: {Thing: {fields: {name: string, size: i32}}}, resources: {Thing: {patterns: ['things/{thing}']}}}"
COMPILED = compile_service(read_files({"service.yaml": _TOP, "v1.yaml": _THING}))


def home_of(peer: Peer) -> Namespace:
    return Namespace(peer.deployment, "v1", peer.region, "v1", ring=2)


class Map:
    """The directory of the simulated regions."""

    def served(self, region: str, service: str) -> Served:
        peer = Peer(service, region)
        return Served(peer.deployment, service, region, "v1", COMPILED, {"v1": home_of(peer)})

    def forget(self, region: str, service: str) -> None:
        return None


class Schedule:
    """One run, wholly determined by its seed; also the world that the network asks about."""

    def __init__(self, seed: int) -> None:
        self.seed, self.chance = seed, random.Random(seed)
        self.faulty, self.dying, self.depth = True, False, 0
        self.trace: list[str] = []
        self.clock = HeldClock()
        self.databases = databases = MemoryDatabases(self.clock)
        self.store, self.feed, fence = MemoryStore(databases), MemoryFeed(databases), MemoryFence(databases)
        self.copies = MemoryCopies(databases)
        self.peers = [Peer(SERVICE, region) for region in REGIONS]
        for peer in self.peers:
            fence.open_first(FenceLocation.of(home_of(peer)), "v1")
            self.store.prepare(home_of(peer), [Layout("Thing")])
        router = Router(
            Map(), self.store, fence, hold_seconds=0.0, sleep=lambda _: None, monotonic=self.clock.monotonic
        )
        store, feed, copies = (Perilous(each, self) for each in (self.store, self.feed, self.copies))
        owned = OwnedServer(router, store, feed, copies)  # type: ignore[arg-type]
        self.mixin = MixinServer(router, more=owned.actions)
        self.network = Network(self)  # type: ignore[arg-type]
        self.controller = CopyController(
            CopyPorts(store, copies, fence, Map()),  # type: ignore[arg-type]
            self.network,
            lambda: self.peers,
            lambda _: REGIONS,
            self.clock,
            sleep=lambda _: None,
        )
        self.keys = keys_due(self.controller)

    def peril(self, call: str, dice: float) -> None:
        self.may(call)

    def alive(self) -> None:
        if self.dying:
            raise Crash

    def may(self, call: str) -> None:
        """Die here, or let another process do something first."""
        self.alive()
        if not self.faulty or self.chance.random() >= 10 * PERIL:
            return
        if self.chance.random() < DIES:
            self.note(f"dies at {call}")
            self.dying = True
            raise Crash
        if self.depth < DEEPEST:
            self.note(f"pauses at {call}")
            for _ in range(self.chance.choice((1, 2, 5))):
                self.step()

    def note(self, text: str) -> None:
        self.trace.append("  " * self.depth + text)

    def run(self) -> None:
        """Let things happen, then heal everything, and compare."""
        for _ in range(STEPS):
            self.step()
        self.faulty, self.network.cut = False, set()
        for _ in range(ROUNDS):
            self.clock.advance(1.0)
            for key in self.keys:
                with contextlib.suppress(Busy, Stale):
                    self.work(key)
        self.check()

    def step(self) -> None:
        """Let a process do something; if it dies, the others live on."""
        self.depth += 1
        try:
            self._act()
        except Crash:
            self.dying = False
        except OurFault:
            raise
        except SwitchyardError as error:
            self.note(f"{type(error).__name__} {error.code}")
        finally:
            self.depth -= 1

    def _act(self) -> None:
        dice, peer = self.chance.random(), self.chance.choice(self.peers)
        if dice < 0.45:
            self.change(peer)
        elif dice < 0.5:
            self.network.cut ^= {peer}
            self.note(f"{peer.region} is {'cut' if peer in self.network.cut else 'healed'}")
        elif dice < 0.55:
            self.clock.advance(1000.0)
            gone = self.feed.trim(home_of(peer), retain_seconds=0.0)
            self.note(f"{peer.region} forgets {gone} changes")
        elif dice < 0.62 and self.network.late:
            letter = self.network.late.pop(self.chance.randrange(len(self.network.late)))
            self.note(f"late {letter.action}")
            self.network.deliver(letter)
        else:
            self.clock.advance(0.5)
            self.work(self.chance.choice(self.keys))

    def change(self, peer: Peer) -> None:
        """Write or delete one of a region's own things; now and then its policy is another."""
        home, name = home_of(peer), f"things/{peer.region}{self.chance.randrange(NAMES)}"
        found = self.store.read(home).get("Thing", name)
        with self.store.transaction(home) as transaction:
            if found is not None and self.chance.random() < 0.3:
                self.note(f"{peer.region} deletes {name}")
                transaction.delete("Thing", name)
                return
            others = [each for each in REGIONS if each != peer.region and self.chance.random() < 0.7]
            regions: list[Json] = [peer.region, *others]
            self.note(f"{peer.region} writes {name} for {''.join(others)}")
            syncing: Json = {"owningRegion": peer.region, "regions": regions}
            uid = found.uid if found else new_uid()
            body: dict[str, Json] = {"size": self.chance.randrange(1000)}
            transaction.put(Draft("Thing", name, uid, body, {"syncing": syncing}, peer.region))

    def work(self, key: str) -> None:
        self.note(f"copies {key}")
        self.controller.reconcile(key, Budget(2.0, self.clock), Lease(key, 1))

    def check(self) -> None:
        """Copies equal their owners, and there are no others."""
        for here in self.peers:
            held = {each.name: each for each in self._all(here) if each.owning_region != here.region}
            due = {
                each.name: each
                for there in self.peers
                for each in self._all(there)
                if there != here and each.owning_region == there.region and here.region in _regions(each)
            }
            if {name: _told(each) for name, each in held.items()} != {
                name: _told(each) for name, each in due.items()
            }:
                raise Broken(f"{here.region} holds {sorted(held)}, its owners have {sorted(due)} for it")
            for source in self.copies.sources(home_of(here)):
                if source.stage is not ComparisonStage.FOLLOW or source.problem:
                    raise Broken(f"{here.region} has not come to rest with {source.region}: {source}")

    def _all(self, peer: Peer) -> Sequence[StoredResource]:
        return self.store.read(home_of(peer)).list(Query("Thing", limit=1000)).resources


def _regions(resource: StoredResource) -> Sequence[Json]:
    syncing = resource.metadata["syncing"]
    assert isinstance(syncing, dict)
    regions = syncing["regions"]
    assert isinstance(regions, list)
    return regions


def _told(resource: StoredResource) -> tuple[object, ...]:
    found = resource
    return (found.uid, found.revision, found.body, found.metadata, found.create_time, found.update_time)


def fate(seed: int) -> tuple[BaseException | None, Schedule]:
    """Run a schedule; tell what broke, if anything did."""
    schedule = Schedule(seed)
    try:
        with seeded_uids(f"schedule {seed}"):
            schedule.run()
    except (Broken, OurFault) as error:
        return error, schedule
    return None, schedule


def told(seed: int) -> str:
    """Tell the story of a schedule."""
    error, schedule = fate(seed)
    return "\n".join([f"seed {seed}: {error}", *schedule.trace])


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    asked = parser.parse_args()
    if asked.seed is not None:
        print(told(asked.seed))
        return
    broken = [seed for seed in range(asked.first, asked.first + asked.count) if fate(seed)[0] is not None]
    print(f"{asked.count} schedules, broken: {broken}")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
