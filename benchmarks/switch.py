"""The switch measured: one deployment switched and taken back again and again, while clients write without pause.

Run as `python -m benchmarks.switch [--resources 100000] [--writes-per-second 500] [--rounds 10]`; it starts its own
PostgreSQL, prints JSON, and a table to standard error. The clients are processes of their own; a gap is the time between
two writes acknowledged to one of them. The upgrade's rows are kept in memory: what is measured is the engine and the
data database.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from threading import Thread
from uuid import uuid4

from benchmarks.things import NEW, OLD, seed, server, table, yard_of
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Again, Budget, Controller, Lease
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.sync.lane import Yard
from migrations_app.engine.sync.shard import SyncController
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.fence import Site
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft, Layout
from migrations_app.ports.upgrades import Request

PROCESSES, THREADS = 2, 2
Write = tuple[float, float, float]
"""When a write was acknowledged, how long it took, and how long the client had no answer before it."""


@dataclass
class Client:
    """One client that writes at a rate, whichever version is active."""

    store: PostgresStore
    number: int
    rate: float
    names: int
    writes: list[Write] = field(default_factory=list)

    def run(self, stop: Event) -> None:
        """Write until stopped."""
        active, due = OLD, time.monotonic()
        last = due
        while not stop.is_set():
            began = time.monotonic()
            count = len(self.writes) * PROCESSES * THREADS + self.number
            name = f"things/{count * 7919 % self.names + 1:08d}"
            while not self._write(active, name, count):
                active = NEW if active is OLD else OLD
            now = time.monotonic()
            self.writes.append((now, now - began, now - last))
            last, due = now, max(due + 1 / self.rate, now - 0.1)
            time.sleep(max(0.0, due - now))

    def _write(self, namespace: Namespace, name: str, count: int) -> bool:
        """Write once, waiting while writes pause; false when the other version is active."""
        while True:
            try:
                with self.store.transaction(namespace) as transaction:
                    row = transaction.get("Thing", name)
                    body = dict(row.body) if row else {}
                    body["size" if namespace is OLD else "bytes"] = count
                    transaction.put(Draft("Thing", name, row.uid if row else uuid4(), body))
                return True
            except SwitchyardError as error:
                if error.code == "version-not-active":
                    return False
                time.sleep(0.002)


def clients(url: str, number: int, rate: float, names: int, stop: Event, told: Queue[list[Write]]) -> None:
    """Be one process of clients."""
    databases = Databases(lambda alias: url)
    mine = [Client(PostgresStore(databases), number * THREADS + n, rate, names) for n in range(THREADS)]
    threads = [Thread(target=client.run, args=(stop,)) for client in mine]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told.put([write for client in mine for write in client.writes])
    databases.close()


class Switching:
    """One PostgreSQL, one deployment, many switches."""

    def __init__(self, url: str, resources: int, rate: float, rounds: int) -> None:
        self.url, self.resources, self.rate, self.rounds = url, resources, rate, rounds
        self.databases = Databases(lambda alias: url)
        self.epoch = 0
        self.asked: list[tuple[float, float]] = []
        self.freezes: list[float] = []
        self.steps: dict[str, list[float]] = {}
        self.rests: dict[tuple[str, str], float] = {}

    def run(self) -> dict[str, float]:
        """Write all the time: a while in calm, then through every round; then look at what the clients saw."""
        yard = yard_of(self.databases, True)
        yard.fence.open_first(Site.of(OLD), "v1")
        for namespace in (OLD, NEW):
            yard.store.prepare(namespace, [Layout("Thing")])
        seed(self.databases, self.resources)
        spawn = get_context("spawn")
        stop, told = spawn.Event(), spawn.Queue()
        each = self.rate / PROCESSES / THREADS
        writers = [
            spawn.Process(target=clients, args=(self.url, number, each, self.resources, stop, told))
            for number in range(PROCESSES)
        ]
        for writer in writers:
            writer.start()
        time.sleep(4)
        calm = (time.monotonic(), time.monotonic() + 8)
        time.sleep(8)
        busy_from = time.monotonic()
        for _ in range(self.rounds):
            self.round()
        busy = (busy_from, time.monotonic())
        stop.set()
        writes = [write for _ in writers for write in told.get()]
        for writer in writers:
            writer.join()
        self.databases.close()
        return self.result(writes, calm, busy)

    def round(self) -> None:
        """Copy, switch, follow back for a moment, go back."""
        yard = yard_of(self.databases, True)
        self.rests.clear()
        for follower in {one.follower for one in yard.feed.cursors(OLD)}:
            yard.feed.forget(OLD, follower)
        yard.store.drop(NEW)
        controllers: list[Controller] = [SyncController(yard), ParityController(yard), Director(yard)]
        self.until(yard, State.READY, controllers)
        self.until(yard, State.REVERSIBLE, controllers, Request.SWITCH)
        moment = time.monotonic() + 1
        while time.monotonic() < moment:
            self.turn(yard, controllers)
        self.until(yard, State.REVERTED, controllers, Request.REVERT)
        for _, mark in yard.upgrades.marks:  # type: ignore[attr-defined]
            self.steps.setdefault(mark.step, []).append((mark.took_seconds or 0.0) * 1000)

    def until(
        self, yard: Yard, state: State, controllers: Sequence[Controller], ask: Request | None = None
    ) -> None:
        """Work until a state is reached, asking again when a check refuses."""
        began = time.monotonic()
        while yard.upgrades.load("u1").state is not state:
            if ask and yard.upgrades.load("u1").request is None:
                began = time.monotonic()
                yard.upgrades.ask("u1", ask)  # type: ignore[attr-defined]
                self.rests.clear()
            self.turn(yard, controllers)
        if ask:
            self.asked.append((began, time.monotonic() + 0.5))
            line = next(line for _, line in yard.upgrades.lines[::-1] if line.kind == "flip")  # type: ignore[attr-defined]
            self.freezes.append(float(line.details["freeze_ms"]))

    def turn(self, yard: Yard, controllers: Sequence[Controller]) -> None:
        """Every key once that is due, as the leases and the sweep would have it; rest when none is."""
        busy = False
        for controller in controllers:
            for key in list(controller.due()):
                if time.monotonic() < self.rests.get((controller.name, key), 0.0):
                    continue
                busy, self.epoch = True, self.epoch + 1
                lease = Lease(key, self.epoch, controller.name)
                outcome = controller.reconcile(key, Budget(2.0, yard.clock), lease)
                after = outcome.after_seconds if isinstance(outcome, Again) else 0.0
                self.rests[controller.name, key] = time.monotonic() + after
        if not busy:
            time.sleep(0.02)

    def result(
        self, writes: list[Write], calm: tuple[float, float], busy: tuple[float, float]
    ) -> dict[str, float]:
        """Tell what the fence measured and what the clients saw."""
        gaps = [
            max((gap for at, _, gap in writes if since <= at <= until), default=0.0) * 1000
            for since, until in self.asked
        ]
        # The freezes themselves are told apart; here is what an upgrade under way costs each write.
        around = [(since, until) for since, until in self.asked]
        calm_ms = [took * 1000 for at, took, _ in writes if calm[0] <= at <= calm[1]]
        busy_ms = [
            took * 1000
            for at, took, _ in writes
            if busy[0] <= at <= busy[1] and not any(since <= at <= until for since, until in around)
        ]
        seconds = busy[1] - calm[0]
        return {
            "resources": self.resources,
            "switches": len(self.freezes),
            "writes_per_second": sum(at >= calm[0] for at, _, _ in writes) / seconds,
            "freeze_p50_ms": statistics.median(self.freezes),
            "freeze_p95_ms": p95(self.freezes),
            "freeze_longest_ms": max(self.freezes),
            "client_gap_p50_ms": statistics.median(gaps),
            "client_gap_p95_ms": p95(gaps),
            "client_gap_longest_ms": max(gaps),
            "write_calm_p50_ms": statistics.median(calm_ms),
            "write_calm_p95_ms": p95(calm_ms),
            "write_during_upgrade_p50_ms": statistics.median(busy_ms),
            "write_during_upgrade_p95_ms": p95(busy_ms),
            "writers_slowdown_p95": p95(busy_ms) / p95(calm_ms),
            **{
                f"step_{step.replace('-', '_')}_p95_ms": p95(took)
                for step, took in self.steps.items()
                if step in ("freeze", "catch-up", "parity", "flip")
            },
        }


def p95(values: Sequence[float]) -> float:
    """Tell the 95th percentile."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def main() -> None:
    """Measure on a PostgreSQL of one's own, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=100_000)
    parser.add_argument("--writes-per-second", type=float, default=500.0)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with server() as url:
        result = Switching(url, options.resources, options.writes_per_second, options.rounds).run()
    print(table(result), file=sys.stderr)
    json.dump({key: round(value, 3) for key, value in result.items()}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
