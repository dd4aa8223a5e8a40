"""The clients of the switch's benchmark: processes that write and read through the router, as the servers do."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from threading import Thread
from uuid import uuid4

from benchmarks.things import DEPLOYMENT, NEW, OLD
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.store import Reading, Transaction
from migrations_app.ports.stored import Draft

PROCESSES, THREADS = 2, 2
READS_PER_SECOND = 25.0
_SERVICE, _REGION = "bench.example.com", "here"
_TOP = b"""
service: bench.example.com
versions:
  - {version: v1, ordinal: 10, nextVersion: v2, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, ordinal: 20, sources: [{kind: ir, path: v1.yaml}]}
edges: [edge.yaml]
"""
_EDGE = b"edge: {service: bench.example.com, from: v1, to: v2}\ntypes: {Thing: {ops: []}}\n"
_THING = (
    b"schema: {types: {Thing: {fields: {name: string}}}, resources: {Thing: {patterns: ['things/{thing}']}}}"
)


@dataclass(frozen=True)
class Write:
    """An acknowledged write: by whom, when, how long it took, and how long the client had no answer before."""

    client: int
    at: float
    took: float
    gap: float


@dataclass
class Seen:
    """What the clients of one process saw."""

    writes: list[Write] = field(default_factory=list)
    reads: int = 0
    refused_reads: Counter[str] = field(default_factory=Counter)
    refused_writes: Counter[str] = field(default_factory=Counter)


class Believing:
    """A directory that knows both namespaces, and believes what it heard first: the fence corrects it."""

    def __init__(self, compiled: CompiledService) -> None:
        self._served = Served(
            DEPLOYMENT, _SERVICE, _REGION, OLD.version, compiled, {OLD.version: OLD, NEW.version: NEW}
        )

    def served(self, region: str, service: str) -> Served:
        """The one deployment."""
        return self._served

    def forget(self, region: str, service: str) -> None:
        """There is nothing newer to read."""


@dataclass
class Client:
    """One client that writes at a rate, whichever version is active."""

    router: Router
    number: int
    rate: float
    names: int
    seen: Seen

    def write(self, stop: Event) -> None:
        """Write until stopped."""
        due = last = time.monotonic()
        count = 0
        while not stop.is_set():
            began, count = time.monotonic(), count + 1
            number = count * PROCESSES * THREADS + self.number
            name = f"things/{number * 7919 % self.names + 1:08d}"
            try:
                self.router.write_active(_REGION, _SERVICE, self._change(name, number))
            except SwitchyardError as error:
                self.seen.refused_writes[error.code] += 1
            else:
                now = time.monotonic()
                self.seen.writes.append(Write(self.number, now, now - began, now - last))
                last = now
            due = max(due + 1 / self.rate, time.monotonic() - 0.1)
            time.sleep(max(0.0, due - time.monotonic()))

    @staticmethod
    def _change(name: str, number: int) -> Callable[[ServingRoute, Transaction], None]:
        def change(route: ServingRoute, transaction: Transaction) -> None:
            row = transaction.get("Thing", name)
            body = dict(row.body) if row else {}
            body["size" if route.namespace == OLD else "bytes"] = number
            transaction.put(Draft("Thing", name, row.uid if row else uuid4(), body))

        return change

    def read(self, stop: Event) -> None:
        """Read the old version until stopped, also while its writes pause and after the switch."""
        due, count = time.monotonic(), 0
        while not stop.is_set():
            count += 1
            name = f"things/{count * 7919 % self.names + 1:08d}"
            try:
                self.router.read(_REGION, _SERVICE, OLD.version, self._look(name), once=True)
                self.seen.reads += 1
            except SwitchyardError as error:
                self.seen.refused_reads[error.code] += 1
            due = max(due + 1 / READS_PER_SECOND, time.monotonic() - 0.1)
            time.sleep(max(0.0, due - time.monotonic()))

    @staticmethod
    def _look(name: str) -> Callable[[ServingRoute, Reading], int]:
        return lambda route, reading: len(reading.batch_get("Thing", [name]))


def clients(url: str, number: int, rate: float, names: int, stop: Event, told: Queue[Seen]) -> None:
    """Be one process of clients."""
    databases, seen = Databases(lambda alias: url), Seen()
    compiled = compile_service(read_files({"service.yaml": _TOP, "v1.yaml": _THING, "edge.yaml": _EDGE}))
    router = Router(Believing(compiled), PostgresStore(databases), PostgresFence(databases))
    mine = [Client(router, number * THREADS + n, rate, names, seen) for n in range(THREADS)]
    threads = [Thread(target=each.write, args=(stop,)) for each in mine]
    threads.append(Thread(target=mine[0].read, args=(stop,)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told.put(seen)
    databases.close()


def freeze_and_wait(url: str, frozen: Event) -> None:
    """Be a worker that stops the writers, and is killed then."""
    fence = PostgresFence(Databases(lambda alias: url))
    fence.freeze(OLD, fence.state(FenceLocation.of(OLD)), deadline_seconds=5.0)
    frozen.set()
    time.sleep(600)
