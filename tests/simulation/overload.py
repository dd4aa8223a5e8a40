"""Workers with less time than work, in virtual time: the real worker and leases on a processor of so many cores.

Threads are real ones that run one at a time, in the order of virtual time, so that a run is the same every time. The
rules of before (a message for each due key, first in first out, each dropped when it is old) are `old_rules`.
"""

from __future__ import annotations

import heapq
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.domain.work_classes import SHARES, URGENT, WorkClass
from migrations_app.engine.controller import (
    Again,
    Budget,
    Controller,
    DueKey,
    Lease,
    Outcome,
    Ran,
    Terms,
    ensure_due,
    reconcile,
)
from migrations_app.engine.worker import Events, Worker
from migrations_app.kernel.clock import Clock, HeldClock
from migrations_app.ports.locks import WorkPool

MESSAGE_SECONDS = 0.002
TICK_SECONDS = 5.0
HELP_SECONDS = 0.1
STEP_SECONDS = 0.02


class Ended(BaseException):
    """The simulation is over: a thread unwinds."""


class Processor:
    """Threads that share so many cores; what they do takes longer the more of them are at it."""

    def __init__(self, cores: float) -> None:
        self.cores = cores
        self.clock = HeldClock()
        self.busy = 0
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._order = count()
        self._control = threading.Semaphore(0)
        self._threads: list[tuple[threading.Thread, threading.Semaphore]] = []
        self._own = threading.local()
        self._ended = False

    def after(self, seconds: float, action: Callable[[], object]) -> None:
        heapq.heappush(self._events, (self.clock.monotonic() + seconds, next(self._order), action))

    def every(self, seconds: float, action: Callable[[], object]) -> None:
        def again() -> None:
            action()
            self.after(seconds, again)

        self.after(seconds, again)

    def spawn(self, body: Callable[[], object]) -> None:
        turn = threading.Semaphore(0)

        def run() -> None:
            self._own.turn = turn
            turn.acquire()
            try:
                body()
            except Ended:
                pass
            finally:
                self._control.release()

        thread = threading.Thread(target=run, daemon=True)
        self._threads.append((thread, turn))
        thread.start()
        self.after(0.0, lambda: self.resume(turn))

    def resume(self, turn: threading.Semaphore) -> None:
        turn.release()
        self._control.acquire()

    def wait(self) -> threading.Semaphore:
        """Let others run until this thread is resumed."""
        turn: threading.Semaphore = self._own.turn
        self._control.release()
        turn.acquire()
        if self._ended:
            raise Ended
        return turn

    def turn(self) -> threading.Semaphore:
        return self._own.turn  # type: ignore[no-any-return]

    def sleep(self, seconds: float) -> None:
        turn = self.turn()
        self.after(seconds, lambda: self.resume(turn))
        self.wait()

    def spend(self, seconds: float) -> None:
        """Use the processor for so long; at the moment it is shared by all who use it."""
        self.busy += 1
        try:
            self.sleep(seconds * max(1.0, self.busy / self.cores))
        finally:
            self.busy -= 1

    def run(self, seconds: float) -> None:
        end = self.clock.monotonic() + seconds
        while self._events and self._events[0][0] <= end:
            at, _, action = heapq.heappop(self._events)
            self.clock.advance(max(0.0, at - self.clock.monotonic()))
            action()
        self.clock.advance(end - self.clock.monotonic())

    def end(self) -> None:
        self._ended = True
        for thread, turn in self._threads:
            if thread.is_alive():
                turn.release()
                self._control.acquire()


class Drifting:
    """A worker's own clock, which is wrong and runs too fast or too slowly."""

    def __init__(self, clock: Clock, rate: float, off_seconds: float) -> None:
        self._clock, self._rate, self._off = clock, rate, off_seconds

    def now(self) -> datetime:
        return self._clock.now() + timedelta(seconds=self._off)

    def monotonic(self) -> float:
        return self._clock.monotonic() * self._rate + self._off


@dataclass
class Load:
    """A controller whose keys cost `seconds` of processor in steps, and are due again after `again_seconds`."""

    processor: Processor
    name: str
    work_class: WorkClass
    keys: int
    seconds: float
    again_seconds: float
    fails: Callable[[str], None] = lambda key: None
    queue: str = "sync"
    settled: Counter[str] = field(default_factory=Counter)
    epochs: dict[str, list[int]] = field(default_factory=dict)

    def due(self) -> Iterable[str | DueKey]:
        return [f"{self.name}/{number}" for number in range(self.keys)]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        self.epochs.setdefault(key, []).append(lease.epoch)
        self.fails(key)
        left = self.seconds
        while left > 0 and not budget.spent:
            self.processor.spend(min(STEP_SECONDS, left))
            left -= STEP_SECONDS
        self.settled[key] += 1
        return Again(self.again_seconds if left <= 0 else 0.0)


class Scheduling:
    """Workers, a broker's queue, an alarm and a tick over leases in memory."""

    def __init__(self, processor: Processor, *loads: Load, threads: int = 6, old_rules: bool = False) -> None:
        self.processor, self.loads = processor, loads
        self.leases = MemoryLeases(processor.clock)
        self.controllers: dict[str, Controller] = {each.name: each for each in loads}
        self.threads = threads
        self.messages: deque[tuple[str, str, float]] = deque()
        self.longest_queue = 0
        self.lateness: dict[WorkClass, list[float]] = {each: [] for each in WorkClass}
        self._idle: list[threading.Semaphore] = []
        self._old = OldRules(self) if old_rules else None
        for load in loads:
            ensure_due(load, self.leases)
        processor.every(1.0, self._watch)
        if self._old is None:
            processor.every(TICK_SECONDS, self.tick)
            self.start(processor.clock, threads)
        else:
            for _ in range(threads):
                processor.spawn(self._old.body)

    def start(self, clock: Clock, threads: int) -> Worker:
        """Start a worker process with so many threads and a clock of its own."""
        worker = Worker(
            self.controllers,
            self.leases,
            clock,
            WorkPool("pool", tuple(self.controllers)),
            threads=threads,
            events=Events(self._slice_ended, lambda lease: self._others_due(worker, lease)),
        )
        for number in range(threads):
            self.processor.spawn(lambda number=number: self._body(worker, f"w{id(worker)}:{number}"))
            self.wake()
        return worker

    def wake(self, count: int = 1) -> None:
        for _ in range(count):
            if len(self.messages) < self.threads:
                self.push("", "", float("inf"))

    def push(self, controller: str, key: str, expires: float) -> None:
        self.messages.appendleft((controller, key, expires))
        self.longest_queue = max(self.longest_queue, len(self.messages))
        if self._idle:
            turn = self._idle.pop()
            self.processor.after(0.0, lambda: self.processor.resume(turn))

    def receive(self) -> tuple[str, str, float]:
        while not self.messages:
            self._idle.append(self.processor.turn())
            self.processor.wait()
        message = self.messages.pop()
        self.processor.spend(MESSAGE_SECONDS)
        return message

    def tick(self) -> None:
        for load in self.loads:
            ensure_due(load, self.leases)
        self.wake(sum(self.leases.count_due(list(self.controllers), limit=100).values()))

    def used(self) -> dict[WorkClass, float]:
        return {each.work_class: each.used_seconds for each in self.leases.backlog()}

    def settled(self) -> int:
        return sum(sum(each.settled.values()) for each in self.loads)

    def _body(self, worker: Worker, holder: str) -> None:
        while True:
            self.receive()
            if worker.work(holder):
                self.wake()

    def _slice_ended(self, lease: Lease, ran: Ran) -> None:
        if ran.due_in_seconds is not None and ran.due_in_seconds > 0:
            self.processor.after(ran.due_in_seconds, self.wake)

    def _others_due(self, worker: Worker, lease: Lease) -> None:
        # As celery_worker/station.py does.
        if lease.work_class in URGENT:
            self.wake()
        else:
            self.processor.after(HELP_SECONDS, lambda: self.wake() if worker.others_due else None)

    def _watch(self) -> None:
        for each in self.leases.backlog():
            self.lateness[each.work_class].append(each.late_seconds)


class OldRules:
    """What was before: a message for each due key again after four seconds, which no worker takes after thirty."""

    QUIET_SECONDS, HINT_SECONDS, DROP_SECONDS = 4.0, 30.0, 0.001

    def __init__(self, scheduling: Scheduling) -> None:
        self._scheduling = scheduling
        self._due: dict[tuple[str, str], float] = {}
        self._quiet: dict[tuple[str, str], float] = {}
        self._held: set[tuple[str, str]] = set()
        scheduling.processor.every(1.0, self._sweep)

    def body(self) -> None:
        scheduling, clock = self._scheduling, self._scheduling.processor.clock
        while True:
            name, key, expires = scheduling.receive()
            if clock.monotonic() > expires:
                scheduling.processor.spend(self.DROP_SECONDS)
                continue
            self._quiet.pop((name, key), None)
            self._held.add((name, key))
            ran = reconcile(
                scheduling.controllers[name], key,
                leases=scheduling.leases, clock=clock, holder="old", terms=Terms(),
            )  # fmt: skip
            self._held.discard((name, key))
            if ran.due_in_seconds is not None:
                self._due[name, key] = clock.monotonic() + ran.due_in_seconds
            if ran.at_once:
                self._send(name, key)

    def _send(self, name: str, key: str) -> None:
        now = self._scheduling.processor.clock.monotonic()
        self._scheduling.push(name, key, now + self.HINT_SECONDS)

    def _sweep(self) -> None:
        now = self._scheduling.processor.clock.monotonic()
        for load in self._scheduling.loads:
            for each in load.due():
                key = (load.name, str(each))
                if key in self._held or self._due.get(key, 0.0) > now or self._quiet.get(key, 0.0) > now:
                    continue
                self._quiet[key] = now + self.QUIET_SECONDS
                self._send(*key)


def standing(processor: Processor, scale: int = 1) -> tuple[Load, ...]:
    """The keys of deployments that are not used, as an installation with a dozen of them has them."""
    return (
        Load(processor, "read-copies", WorkClass.READ_COPIES, 20 * scale, 0.006, 1.0),
        Load(processor, "syncing-meta", WorkClass.READ_COPIES, 12 * scale, 0.006, 1.0),
        Load(processor, "search", WorkClass.UPKEEP, 12 * scale, 0.004, 1.0),
        Load(processor, "pending", WorkClass.CONSTRAINT_ANSWERS, 33 * scale, 0.004, 3.0),
    )


def upgrade(processor: Processor, shards: int = 16) -> tuple[Load, ...]:
    """The keys of an upgrade: shards that catch up, copy, and are verified."""
    return (
        Load(processor, "sync", WorkClass.CATCH_UP, shards, 0.02, 0.5),
        Load(processor, "copy", WorkClass.BACKFILL, shards, 5.0, 0.0),
        Load(processor, "parity", WorkClass.VERIFICATION, shards, 5.0, 0.0),
    )


def total_share() -> float:
    return sum(SHARES.values())
