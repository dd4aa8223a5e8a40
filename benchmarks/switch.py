"""The main job measured: copy, follow, prove and switch one deployment while clients write; ratios within one run.

Run as `python -m benchmarks.switch [--resources 100000] [--writes-per-second 500]`; it starts its own PostgreSQL and
prints JSON. The upgrade's rows are kept in memory: what is measured is the engine and the data database.
"""

from __future__ import annotations

import argparse
import json
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from console.embedded.postgres import Postgres
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.repositories.sync_memory import MemoryCheckpoints
from migrations_app.adapters.repositories.upgrades_memory import MemoryUpgrades
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.throttle.postgres import PostgresThrottle
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Controller, Lease
from migrations_app.engine.parity.digests import digest_of_sides
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.sync.lane import Yard, lane_of
from migrations_app.engine.sync.shard import SyncController
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.fence import Site
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft, Layout
from migrations_app.ports.upgrades import Direction, Request, UpgradeRecord

DEPLOYMENT = "services/bench.example.com/deployments/here"
OLD = Namespace(DEPLOYMENT, "v1", "bench", "bench_v1")
NEW = Namespace(DEPLOYMENT, "v2", "bench", "bench_v2")
SEED = """
INSERT INTO bench_v1."r_Thing"
SELECT name, switchyard.shard_of(name, 16), switchyard.shard_of(name, 16), gen_random_uuid(), 1,
    jsonb_build_object('title', 'thing ' || number, 'labels', jsonb_build_object('a', 'b'), 'size', number,
        'text', repeat('lorem ipsum ', 30), 'region', 'eu-west1'),
    '{}', 'here', now(), now()
FROM (SELECT number, 'things/' || lpad(number::text, 8, '0') AS name FROM generate_series(1, %s) number) made
"""


@dataclass(frozen=True)
class Converted:
    """A thing in the other version."""

    name: str
    body: JsonObject
    references: None = None


@dataclass(frozen=True)
class Plan:
    """The conversion in SQL."""

    name_expression: str = "name"
    body_expression: str = (
        "jsonb_build_object('displayName', body -> 'title', 'tags', body -> 'labels', 'bytes', body -> 'size', "
        "'text', body -> 'text', 'place', body -> 'region')"
    )


class Renaming:
    """Five renamed fields, in Python and in SQL."""

    target_type = "Thing"
    identity = False
    FIELDS = {"title": "displayName", "labels": "tags", "size": "bytes", "text": "text", "region": "place"}

    def __init__(self, direction: Direction, pushed: bool) -> None:
        forward = direction is Direction.FORWARD
        self.fields = self.FIELDS if forward else {new: old for old, new in self.FIELDS.items()}
        self.sql = Plan() if pushed and forward else None

    def name(self, name: str) -> str:
        """Names stay."""
        return name

    def forward(self, name: str, body: JsonObject) -> Converted:
        """Rename the fields."""
        return Converted(name, {new: body[old] for old, new in self.fields.items()})


@dataclass
class Conversions:
    """One type, pushed down or not."""

    pushed: bool

    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Renaming]:
        """The one type."""
        return {"Thing": Renaming(direction, self.pushed)}

    def layouts(self, record: UpgradeRecord, direction: Direction) -> Sequence[Layout]:
        """The one table."""
        return [Layout("Thing")]


@dataclass
class Prober:
    """A client that writes at a rate and notes each gap between two acknowledged writes."""

    store: PostgresStore
    rate: float
    names: int
    stop: threading.Event = field(default_factory=threading.Event)
    writes: int = 0
    gaps: list[float] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Write until stopped."""
        active, last = OLD, time.monotonic()
        while not self.stop.is_set():
            began = time.monotonic()
            name = f"things/{self.writes * 7919 % self.names + 1:08d}"
            try:
                with self.store.transaction(active) as transaction:
                    row = transaction.get("Thing", name)
                    body = dict(row.body) if row else {}
                    body["size" if active is OLD else "bytes"] = self.writes
                    transaction.put(Draft("Thing", name, row.uid if row else uuid4(), body))
            except SwitchyardError as error:
                if error.code == "version-not-active":
                    active = NEW if active is OLD else OLD
                else:
                    time.sleep(0.002)
                continue
            now = time.monotonic()
            self.gaps.append(now - last)
            self.took.append(now - began)
            self.writes, last = self.writes + 1, now
            time.sleep(max(0.0, 1 / self.rate - (now - began)))


class Bench:
    """One PostgreSQL, one deployment after the other."""

    def __init__(self, url: str, resources: int, rate: float) -> None:
        self.databases, self.resources, self.rate = Databases(lambda alias: url), resources, rate
        self.result: dict[str, float] = {"resources": resources}
        self.epoch = 0

    def run(self) -> dict[str, float]:
        """Measure everything."""
        store, fence = PostgresStore(self.databases), PostgresFence(self.databases)
        fence.open_first(Site.of(OLD), "v1")
        store.prepare(OLD, [Layout("Thing")])
        with self.databases.connection("bench") as connection:
            connection.execute("SET switchyard.capture = 'off'")
            connection.execute(SEED, (self.resources,))
            connection.execute("RESET switchyard.capture")
            connection.execute('VACUUM ANALYZE bench_v1."r_Thing"')
            began = time.monotonic()
            connection.execute('CREATE TABLE plain AS SELECT * FROM bench_v1."r_Thing" WITH NO DATA')
            connection.execute("ALTER TABLE plain ADD PRIMARY KEY (name)")
            connection.execute('INSERT INTO plain SELECT * FROM bench_v1."r_Thing" ORDER BY name')
            plain = self.resources / (time.monotonic() - began)
        self.result["insert_select_per_second"] = plain
        for label, pushed in (("python", False), ("pushed_down", True)):
            store.drop(NEW)
            seconds = self.copy(self.yard(pushed))
            self.result[f"copy_{label}_per_second"] = self.resources / seconds
            self.result[f"copy_{label}_ratio"] = self.resources / seconds / plain
        self.switch(self.kept)
        return self.result

    def yard(self, pushed: bool) -> Yard:
        """The ports, with a fresh upgrade that copies."""
        upgrades = MemoryUpgrades()
        upgrades.add(UpgradeRecord("u1", 1, DEPLOYMENT, "v1", "v2", OLD, NEW, State.SYNCING))
        self.kept = Yard(
            store=PostgresStore(self.databases),
            feed=PostgresFeed(self.databases),
            fence=PostgresFence(self.databases),
            checkpoints=MemoryCheckpoints(),
            upgrades=upgrades,
            conversions=Conversions(pushed),
            throttle=PostgresThrottle(self.databases),
            clock=SystemClock(),
        )
        for cursor in {one.follower for one in self.kept.feed.cursors(OLD)}:
            self.kept.feed.forget(OLD, cursor)
        return self.kept

    def turn(self, yard: Yard, controllers: Sequence[Controller]) -> None:
        """Every due key once."""
        for controller in controllers:
            for key in list(controller.due()):
                self.epoch += 1
                controller.reconcile(key, Budget(2.0, yard.clock), Lease(key, self.epoch, controller.name))

    def until(
        self, yard: Yard, state: State, controllers: Sequence[Controller], ask: Request | None = None
    ) -> None:
        """Work until a state is reached, asking again when a check refuses."""
        while yard.upgrades.load("u1").state is not state:
            if ask and yard.upgrades.load("u1").request is None:
                yard.upgrades.ask("u1", ask)  # type: ignore[attr-defined]
            self.turn(yard, controllers)

    def copy(self, yard: Yard) -> float:
        """Copy everything with one worker; tell the seconds until all shards are level."""
        self.turn(yard, [Director(yard)])
        return timed(lambda: self.until(yard, State.READY, [SyncController(yard), Director(yard)]))

    def switch(self, yard: Yard) -> None:
        """Prove, switch and go back while a client writes."""
        controllers = [SyncController(yard), ParityController(yard), Director(yard)]
        lane = lane_of(yard, yard.upgrades.load("u1"), Direction.FORWARD, 0)
        self.result["digest_both_sides_seconds"] = timed(lambda: digest_of_sides(yard, lane))
        calm = Prober(PostgresStore(self.databases), self.rate, self.resources)
        self.write(calm, lambda: time.sleep(3))
        busy = Prober(PostgresStore(self.databases), self.rate, self.resources)

        def there_and_back() -> None:
            self.until(yard, State.REVERSIBLE, controllers, Request.SWITCH)
            time.sleep(1)
            self.until(yard, State.REVERTED, controllers, Request.REVERT)

        self.write(busy, there_and_back)
        self.result["writes_per_second"] = self.rate
        self.result["write_gap_longest_ms"] = max(busy.gaps) * 1000
        self.result["write_p95_calm_ms"] = p95(calm.took) * 1000
        self.result["write_p95_busy_ms"] = p95(busy.took) * 1000
        for _, mark in yard.upgrades.marks:  # type: ignore[attr-defined]
            key = f"step_{mark.step.replace('-', '_')}_ms"
            self.result[key] = max(self.result.get(key, 0.0), (mark.took_seconds or 0.0) * 1000)

    def write(self, prober: Prober, work: Callable[[], None]) -> None:
        """Let a client write while something is done."""
        thread = threading.Thread(target=prober.run)
        thread.start()
        try:
            work()
        finally:
            prober.stop.set()
            thread.join()


def timed(work: Callable[[], object]) -> float:
    """Tell how many seconds something takes."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


def p95(values: Sequence[float]) -> float:
    """Tell the 95th percentile."""
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    """Measure on a PostgreSQL of one's own, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=100_000)
    parser.add_argument("--writes-per-second", type=float, default=500.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder:
        postgres = Postgres(Path(folder) / "postgres")
        postgres.create()
        child = postgres.start(Path(folder) / "postgres.log")
        try:
            postgres.wait_ready(child)
            bench = Bench(postgres.url("postgres"), options.resources, options.writes_per_second)
            result = bench.run()
            bench.databases.close()
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()
    json.dump({key: round(value, 3) for key, value in result.items()}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
