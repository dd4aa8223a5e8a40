"""The small world on real PostgreSQL: the same deployment and engine, with writers that never stop."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.repositories.places_memory import MemoryPlaces
from migrations_app.adapters.repositories.sync_memory import MemoryCheckpoints
from migrations_app.adapters.repositories.upgrades_memory import MemoryUpgrades
from migrations_app.adapters.store.comparing import PostgresComparing
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import Busy, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.checkpoints import Checkpoints
from migrations_app.ports.conversions import Conversions
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft, KeyRange
from tests.factories.due_keys import keys_due
from tests.simulation.world import DEPLOYMENT, NoThrottle, ToyConversions, World
from tests.waiting import attempts


@dataclass
class RealWorld(World):
    """`World` on PostgreSQL, by the aliases of its data databases."""

    ring: int = 4
    aliases: tuple[str, ...] = ()
    kept: Checkpoints = field(default_factory=MemoryCheckpoints)
    conversions: Conversions = field(default_factory=ToyConversions)

    def __post_init__(self) -> None:
        from django.conf import settings

        self.v1 = Namespace(DEPLOYMENT, "v1", self.aliases[0], "toy_v1", self.ring)
        ring = self.target_ring or self.ring
        self.v2 = Namespace(DEPLOYMENT, "v2", self.aliases[-1], "toy_v2", ring)
        if self.move:
            self.v2 = Namespace(DEPLOYMENT, "v1", self.aliases[-1], "toy_v1_elsewhere", ring)
        if self.reshard:
            self.v2 = Namespace(DEPLOYMENT, "v1", self.aliases[0], "toy_v1_again", ring, "again")
        self.pools = Databases(settings.SWITCHYARD.data_url, patience_seconds=60)
        self.upgrades = MemoryUpgrades()
        self.throttle = NoThrottle()
        self.lock = threading.Lock()
        conversions = ToyConversions(parted=self.parted) if self.parted else self.conversions
        self.furnish(
            PipelinePorts(
                store=PostgresStore(self.pools),
                feed=PostgresFeed(self.pools),
                fence=PostgresFence(self.pools),
                checkpoints=self.kept,
                upgrades=self.upgrades,
                places=MemoryPlaces(),
                conversions=conversions,
                throttle=self.throttle,
                clock=SystemClock(),
                comparing=PostgresComparing(self.pools),
            )
        )

    def uid(self) -> UUID:
        return uuid4()

    def turn(self) -> None:
        """Every key that is due once."""
        for controller in (self.director, self.sync, self.parity):
            for key in keys_due(controller):
                with self.lock:
                    self.epoch += 1
                    lease = Lease(key, self.epoch, controller.name)
                # The clockwork tries a busy database again: `prepare` waits only two seconds for a lock of writers.
                with suppress(Busy):
                    controller.reconcile(key, Budget(2.0, self.ports.clock), lease)

    def turn_until(self, state: State, turns: int = 200) -> None:
        """Turn at least so often, and for two minutes: the controllers wait by the clock, not by turns."""
        until = time.monotonic() + 120.0
        while time.monotonic() < until:
            try:
                return super().turn_until(state, turns)
            except AssertionError:
                if time.monotonic() >= until:
                    raise
        super().turn_until(state, turns)

    def contents(self, namespace: Namespace) -> dict[tuple[str, str], tuple[JsonObject, int]]:
        found: dict[tuple[str, str], tuple[JsonObject, int]] = {}
        for type_ in self.ports.store.types(namespace):
            for shard in range(namespace.ring):
                for row in self.ports.store.page(namespace, KeyRange(type_, shard, limit=1_000_000)):
                    found[type_, row.name] = (row.body, row.revision)
        return found

    def settle(self) -> None:
        """Let followers catch up with everything that is committed."""
        for _ in attempts():
            self.turn()
            record = self.record
            cursors = self.ports.feed.cursors(record.origin, f"{record.id}/{record.direction}")
            if all(
                self.ports.feed.backlog(record.origin, one.position, shards=[one.shard]).entries == 0
                for one in cursors
            ):
                return
        raise AssertionError("following does not come to its end")


@dataclass
class Writer:
    """One client that writes the version that is active, and remembers what was acknowledged."""

    world: RealWorld
    number: int
    seed: int
    names: int = 20
    # What must be there: value by number of the resource, or None once it was deleted.
    acknowledged: dict[int, int | None] = field(default_factory=dict)
    # All of it in order: each value that was acknowledged, None for each deletion.
    history: dict[int, list[int | None]] = field(default_factory=dict)
    writes: int = 0
    refused: int = 0
    error: BaseException | None = None

    def run(self, stop: threading.Event) -> None:
        chance = random.Random(self.seed)
        same_version = self.world.v1.version == self.world.v2.version
        active = self.world.v1
        while not stop.is_set():
            n = chance.randrange(self.names)
            try:
                self._write(active, n, chance)
            except SwitchyardError as error:
                self.refused += 1
                elsewhere = same_version and error.code == "frozen" and self.refused % 20 == 0
                if error.code == "version-not-active" or elsewhere:
                    active = self.world.v2 if active is self.world.v1 else self.world.v1
                elif error.code not in ("frozen", "database-busy", "fence-busy"):
                    self.error = error
                    return
                time.sleep(0.002)
                continue
            except BaseException as error:
                self.error = error
                return
            self.writes += 1
            time.sleep(0.004)

    def _write(self, active: Namespace, n: int, chance: random.Random) -> None:
        number = f"{self.number}-{n}"
        type_, name = self.world.place(active, number)
        value = self.writes + 1
        dice = chance.random()
        known = self.acknowledged.get(n)
        with self.world.ports.store.transaction(active) as transaction:
            if known is not None and dice < 0.15:
                transaction.delete(type_, name)
                value_after: int | None = None
            else:
                row = transaction.get(type_, name)
                body = self.world.body(active, number, value)
                transaction.put(Draft(type_, name, row.uid if row else uuid4(), body))
                value_after = value
            if dice > 0.97:
                # A long transaction: later writers commit before this one does.
                time.sleep(0.05)
            if dice > 0.99:
                raise _RolledBack("The client thought better of it.")
        self.acknowledged[n] = value_after
        self.history.setdefault(n, []).append(value_after)


class _RolledBack(SwitchyardError):
    default_code = "database-busy"


def let_write(writers: list[Writer], more: int = 1) -> None:
    """Wait until every writer was acknowledged so many more writes."""
    before, until = [writer.writes for writer in writers], time.monotonic() + 60.0
    while any(writer.writes < count + more for writer, count in zip(writers, before, strict=True)):
        assert time.monotonic() < until, [writer.error for writer in writers]
        time.sleep(0.01)


@contextmanager
def writing(world: RealWorld, writers: int = 3, seed: int = 1) -> Iterator[list[Writer]]:
    """Let clients write all the while; at the end each must still be well."""
    stop = threading.Event()
    clients = [Writer(world, number, seed * 100 + number) for number in range(writers)]
    threads = [threading.Thread(target=client.run, args=(stop,)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        yield clients
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for client in clients:
        if client.error is not None:
            raise client.error


def expected(world: RealWorld, writers: list[Writer], namespace: Namespace) -> dict[str, int]:
    """What must be in a namespace after all: every acknowledged write at its newest value."""
    folder = "queues" if namespace.version == "v1" else "lists"
    return {
        f"{folder}/{writer.number}-{n}": value
        for writer in writers
        for n, value in writer.acknowledged.items()
        if value is not None
    }


def found(world: RealWorld, namespace: Namespace) -> dict[str, int]:
    """What is in a namespace: the value of each queue or list."""
    type_, label = ("Queue", "value") if namespace.version == "v1" else ("List", "amount")
    return {
        name: int(str(body[label]))
        for (of, name), (body, _) in world.contents(namespace).items()
        if of == type_
    }


def revisions(world: RealWorld, namespace: Namespace) -> dict[str, int]:
    """Each resource's revision, by its name without the folder."""
    return {
        name.partition("/")[2]: revision for (_, name), (_, revision) in world.contents(namespace).items()
    }


def replaced(world: RealWorld, **changes: object) -> None:
    """Change the upgrade as a person's action would."""
    world.upgrades.records["u1"] = replace(world.record, **changes)  # type: ignore[arg-type]
