"""The switch measured: one deployment switched and taken back again and again, while clients write and read.

Run as `python -m benchmarks.switch [--resources 100000] [--writes-per-second 500] [--rounds 10]`; it starts its own
PostgreSQL, tells standard error how far it is, prints JSON, and a table to standard error. The clients are processes of
their own and go through the router; a gap is the time between two writes acknowledged to one of them. Calm and upgrades
take turns, so that the machine is the same for both. Writers are also stopped by a freeze that is aborted, and by one
whose worker is killed. The upgrade's rows are kept in memory: what is measured is the engine and the data database.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import get_context

from benchmarks.switch_clients import PROCESSES, THREADS, Seen, Write, clients, freeze_and_wait
from benchmarks.things import NEW, OLD, ports_of, seed, server, table, timed
from migrations_app.adapters.databases import Databases
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.engine.controller import Again, Budget, Controller, DueKey, Lease
from migrations_app.engine.parity.duty_cycle import DutyCycle
from migrations_app.engine.parity.recheck import begin
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.sync.shard import SyncController
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, pipeline_of
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.stored import Layout
from migrations_app.ports.upgrades import DirectorRequest, TimelineEntry

CALM_SECONDS = LEVEL_SECONDS = 4.0
PHASES = ("calm", "copying", "proving", "level", "behind")
Span = tuple[float, float]


class Switching:
    """One PostgreSQL, one deployment, many switches."""

    def __init__(
        self,
        url: str,
        resources: int,
        rate: float,
        rounds: int,
        stops: int,
        share: float = 1.0,
        unproved: bool = False,
    ) -> None:
        self.url, self.resources, self.rate, self.rounds, self.share = url, resources, rate, rounds, share
        self.unproved = unproved
        self.stops = stops
        self.databases = Databases(lambda alias: url)
        self.spawn = get_context("spawn")
        self.epoch = 0
        self.spans: dict[str, list[Span]] = {phase: [] for phase in PHASES}
        self.asked: list[Span] = []
        self.aborts: list[float] = []
        self.kills: list[float] = []
        self.freezes: list[float] = []
        self.copies: list[float] = []
        self.proofs: list[float] = []
        self.steps: dict[str, list[float]] = {}
        self.rests: dict[tuple[str, str], float] = {}

    def run(self) -> dict[str, float]:
        """Write all the time: in calm, and through every round; then look at what the clients saw."""
        ports = ports_of(self.databases, True)
        ports.fence.open_first(FenceLocation.of(OLD), "v1")
        for namespace in (OLD, NEW):
            ports.store.prepare(namespace, [Layout("Thing")])
        say(f"filled in {timed(lambda: seed(self.databases, self.resources)):.1f} s")
        stop, told = self.spawn.Event(), self.spawn.Queue()
        each = self.rate / PROCESSES / THREADS
        writers = [
            self.spawn.Process(target=clients, args=(self.url, number, each, self.resources, stop, told))
            for number in range(PROCESSES)
        ]
        for writer in writers:
            writer.start()
        time.sleep(4)
        for number in range(self.rounds):
            self.round(number)
        for number in range(self.stops):
            self.abort()
            self.kill()
            say(f"stop {number + 1} of {self.stops}: one freeze aborted, one orphaned")
        stop.set()
        seen = [told.get() for _ in writers]
        for writer in writers:
            writer.join()
        self.databases.close()
        return self.result(seen)

    def afresh(self) -> tuple[PipelinePorts, list[Controller]]:
        """Begin an upgrade as if there had been none."""
        ports = ports_of(self.databases, True)
        self.rests.clear()
        # What is taken away at once here no client may believe to be served still.
        time.sleep(0.3)
        for follower in {one.follower for one in ports.feed.cursors(OLD)}:
            ports.feed.forget(OLD, follower)
        ports.store.drop(NEW)
        proving = ParityController(ports, ease=DutyCycle(self.share, ports.clock))
        return ports, [SyncController(ports), proving, Director(ports)]

    def round(self, number: int) -> None:
        """Leave the clients alone; then copy, prove, stay level, switch, follow back for a moment, roll back.

        What is copied is proved after it here, so that each can be told apart; while following back, both go on.
        """
        ports, controllers = self.afresh()
        copying, _, directing = controllers
        time.sleep(1)
        since = time.monotonic()
        time.sleep(CALM_SECONDS)
        began = self.note("calm", since)
        self.until(ports, State.READY, [copying, directing])
        copied = self.note("copying", began)
        self.copies.append(copied - began)
        say(f"{self.resources} resources were copied in {copied - began:.1f} s")
        if self.unproved:
            self.believe(ports)
        while not may_switch(ports):
            self.turn(ports, controllers)
        proved = self.note("proving", copied)
        self.proofs.append(proved - copied)
        while time.monotonic() < proved + LEVEL_SECONDS:
            self.turn(ports, controllers)
        self.note("level", proved)
        self.until(ports, State.REVERSIBLE, controllers, DirectorRequest.SWITCH)
        say(f"frozen for {self.freezes[-1]:.0f} ms")
        if self.unproved:
            self.believe(ports)
        since = time.monotonic() + 0.5
        while time.monotonic() < since + 1:
            self.turn(ports, controllers)
        self.note("behind", since)
        self.until(ports, State.REVERTED, controllers, DirectorRequest.REVERT)
        for _, mark in ports.upgrades.marks:  # type: ignore[attr-defined]
            self.steps.setdefault(mark.step, []).append((mark.took_seconds or 0.0) * 1000)
        say(
            f"round {number + 1} of {self.rounds}: copied in {self.copies[-1]:.1f} s, "
            f"proved in {self.proofs[-1]:.1f} s, frozen for {self.freezes[-2]:.0f} and {self.freezes[-1]:.0f} ms"
        )

    def believe(self, ports: PipelinePorts) -> None:
        """Take the full pass and the price as known; what changes from now on is compared, also in the freeze."""
        record, now = ports.upgrades.load("u1"), ports.clock.now()
        for shard in range(record.ring):
            pipeline = pipeline_of(ports, record, record.direction, shard)
            begin(ports, pipeline)
            scan = ports.checkpoints.load_scan(pipeline.key)
            ports.checkpoints.save_scan(
                replace(scan, started_at=now, ended_at=now, passed_at=now), self.epoch
            )
            price = replace(ports.checkpoints.load_price(pipeline.key), started_at=now, ended_at=now)
            ports.checkpoints.save_price(replace(price, counted=0, counted_at=now), self.epoch)

    def note(self, phase: str, since: float) -> float:
        """Note that a phase ends now."""
        now = time.monotonic()
        self.spans[phase].append((since, now))
        return now

    def until(
        self,
        ports: PipelinePorts,
        state: State,
        controllers: Sequence[Controller],
        ask: DirectorRequest | None = None,
    ) -> None:
        """Work until a state is reached, asking again when a check refuses."""
        began = time.monotonic()
        while ports.upgrades.load("u1").state is not state:
            if ask and ports.upgrades.load("u1").request is None:
                began = time.monotonic()
                ports.upgrades.ask("u1", ask)  # type: ignore[attr-defined]
                self.rests.clear()
            self.turn(ports, controllers)
        if ask and ask is not DirectorRequest.ABORT:
            self.asked.append((began, time.monotonic() + 0.5))
            line = next(line for _, line in ports.upgrades.lines[::-1] if line.kind == "flip")  # type: ignore[attr-defined]
            self.freezes.append(float(line.details["freeze_ms"]))

    def turn(self, ports: PipelinePorts, controllers: Sequence[Controller]) -> None:
        """Every key once that is due, as the leases and the sweep would have it; rest when none is."""
        busy = False
        for controller in controllers:
            for due in list(controller.due()):
                key = due.key if isinstance(due, DueKey) else due
                if time.monotonic() < self.rests.get((controller.name, key), 0.0):
                    continue
                busy, self.epoch = True, self.epoch + 1
                lease = Lease(key, self.epoch, controller.name)
                outcome = controller.reconcile(key, Budget(2.0, ports.clock), lease)
                after = outcome.after_seconds if isinstance(outcome, Again) else 0.0
                self.rests[controller.name, key] = time.monotonic() + after
        if not busy:
            time.sleep(0.02)

    def abort(self) -> None:
        """Let an operator abort in the middle of a freeze."""
        ports, controllers = self.afresh()
        self.until(ports, State.READY, controllers)
        state = ports.fence.state(FenceLocation.of(OLD))
        record = ports.upgrades.load("u1")
        ports.upgrades.transition(
            record, UpgradeEvent.FREEZE, TimelineEntry("freeze", ""), freeze_epoch=state.epoch + 1
        )
        ports.fence.freeze(OLD, state)
        time.sleep(0.1)
        self.aborts.append(time.monotonic())
        self.until(ports, State.ABORTED, [controllers[-1]], DirectorRequest.ABORT)
        time.sleep(1)

    def kill(self) -> None:
        """Kill a worker that has just stopped the writers; only the clients are there to notice."""
        frozen = self.spawn.Event()
        worker = self.spawn.Process(target=freeze_and_wait, args=(self.url, frozen))
        worker.start()
        frozen.wait()
        time.sleep(0.1)
        worker.kill()
        self.kills.append(time.monotonic())
        worker.join()
        with self.databases.connection(OLD.database) as connection:
            while connection.execute("SELECT mode FROM switchyard.fence").fetchone() != (Mode.OPEN.value,):
                time.sleep(0.01)
        time.sleep(1)

    def result(self, seen: Sequence[Seen]) -> dict[str, float]:
        """Tell what the fence measured and what the clients saw."""
        writes = [write for one in seen for write in one.writes]
        gaps = [
            max((each.gap for each in writes if within(each.at, [span])), default=0.0) for span in self.asked
        ]
        calm = p95([each.took * 1000 for each in writes if within(each.at, self.spans["calm"])])
        say(f"refused writes: {dict(sum((one.refused_writes for one in seen), Counter())) or 'none'}")
        seconds = max(each.at for each in writes) - min(each.at for each in writes)
        return {
            "resources": self.resources,
            "switches": len(self.freezes),
            "writes_per_second": len(writes) / seconds,
            "writes_refused": sum(sum(one.refused_writes.values()) for one in seen),
            "reads": sum(one.reads for one in seen),
            "reads_refused": sum(sum(one.refused_reads.values()) for one in seen),
            "freeze_p50_ms": statistics.median(self.freezes),
            "freeze_p95_ms": p95(self.freezes),
            "freeze_longest_ms": max(self.freezes),
            "client_gap_p50_ms": statistics.median(gaps) * 1000,
            "client_gap_p95_ms": p95(gaps) * 1000,
            "client_gap_longest_ms": max(gaps) * 1000,
            **{
                f"writable_after_{stop}_longest_ms": max(writable(writes, at) for at in ats) * 1000
                for stop, ats in (("abort", self.aborts), ("kill", self.kills))
                if ats
            },
            "write_calm_p95_ms": calm,
            "copy_seconds_p50": statistics.median(self.copies),
            "proof_seconds_p50": statistics.median(self.proofs),
            **self.cost(writes, calm),
            **{
                f"step_{step.replace('-', '_')}_p95_ms": p95(took)
                for step, took in self.steps.items()
                if step in ("freeze", "catch-up", "parity", "flip")
            },
        }

    def cost(self, writes: Sequence[Write], calm: float) -> dict[str, float]:
        """Tell what an upgrade under way costs each write; the freezes themselves are told apart."""
        told: dict[str, float] = {}
        for name, phases in {**{phase: (phase,) for phase in PHASES[1:]}, "upgrade": PHASES[1:]}.items():
            spans = [span for phase in phases for span in self.spans[phase]]
            took = [
                each.took * 1000
                for each in writes
                if within(each.at, spans) and not within(each.at, self.asked)
            ]
            told |= {f"write_{name}_p95_ms": p95(took), f"writers_slowdown_{name}_p95": p95(took) / calm}
        return told


def may_switch(ports: PipelinePorts) -> bool:
    """Tell whether every check of the gate passed when the director looked last."""
    checks = ports.upgrades.checks.get("u1", ())  # type: ignore[attr-defined]
    return bool(checks) and all(check.verdict in ("pass", "warn") for check in checks)


def within(at: float, spans: Sequence[Span]) -> bool:
    """Tell whether a moment lies in one of these spans."""
    return any(since <= at <= until for since, until in spans)


def writable(writes: Sequence[Write], since: float) -> float:
    """Tell after how long the last of the clients was acknowledged a write again."""
    first: dict[int, float] = {}
    for each in writes:
        if each.at > since:
            first[each.client] = min(each.at, first.get(each.client, each.at))
    return max(first.values()) - since


def say(sentence: str) -> None:
    """Tell those who wait."""
    print(f"  {sentence}", file=sys.stderr, flush=True)


def p95(values: Sequence[float]) -> float:
    """Tell the 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def main() -> None:
    """Measure on a PostgreSQL of one's own, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=100_000)
    parser.add_argument("--writes-per-second", type=float, default=500.0)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--stops", type=int, default=3, help="freezes to abort, and as many to orphan")
    parser.add_argument(
        "--unproved",
        action="store_true",
        help="believe the copies, where a full pass takes longer than the rest",
    )
    parser.add_argument("--proof-percent", type=int, default=100, help="as SWITCHYARD_PROOF_PERCENT")
    options = parser.parse_args()
    with server() as url:
        asked = (
            options.resources,
            options.writes_per_second,
            options.rounds,
            options.stops,
            options.proof_percent / 100,
            options.unproved,
        )
        result = Switching(url, *asked).run()
    print(table(result), file=sys.stderr)
    json.dump({key: round(value, 3) for key, value in result.items()}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
