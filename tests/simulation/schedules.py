"""Seeded schedules: the whole engine on memory, where every port call may crash, pause or be overtaken.

`python -m tests.simulation.schedules --count 10000` runs many and tells the rate; `--seed 4711` shows one. What breaks
is told with its seed and as the shortest schedule that still breaks: each step has dice of its own, so that leaving one
out does not change the others.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace

from migrations_app.domain.switch.states import FINAL, State
from migrations_app.engine.controller import Budget, Controller, Lease
from migrations_app.engine.sync.data_flow import flows
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.kernel.errors import Missing, SwitchyardError
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Transaction
from migrations_app.ports.stored import Draft
from migrations_app.ports.upgrades import DirectorRequest
from tests.simulation.haste import hurry, tidy
from tests.simulation.perils import Broken, Crash, Perilous
from tests.simulation.world import World

STEPS = 60
# An upgrade that has ended is only written beside: so many more steps show whether it stays ended.
AFTER = 6
NAMES = 3
RING = 2
# The new version has as many shards, more or fewer: by the seed.
TARGET_RINGS = (2, 2, 2, 2, 3, 1, 5)
CRASH = 0.006
LOSS = 0.06
REST_TURNS = 12
# So many schedules are given to a process at a time.
PART = 40


@dataclass
class Client:
    """A writer whose transactions may stay open while the world goes on."""

    number: int
    namespace: Namespace
    open: AbstractContextManager[Transaction] | None = None
    pending: dict[str, int | None] = field(default_factory=dict)


class Schedule:
    """One run, wholly determined by its seed and by which of its steps are taken."""

    def __init__(self, seed: int, steps: Sequence[int] = range(STEPS), *, losing: bool = False) -> None:
        self.chance = random.Random(seed)
        self.seed, self.steps, self.losing = seed, steps, losing
        self.depth = 0
        self.trace: list[str] = []
        # In some schedules the version stays, and only the number of shards is another one.
        reshards = seed % 8 == 4
        self.world = World(
            ring=RING,
            target_ring=TARGET_RINGS[seed % len(TARGET_RINGS)],
            split=self.chance.random() < 0.3 and not reshards,
            reshard=reshards,
            downgrade=self.chance.random() < 0.9,
            types=("Queue",),
            # In every other schedule the queues are of two types in one of the versions: they split, or merge.
            parted=("", "v2", "", "v1")[seed % 4],
        )
        ports = self.world.ports
        port_names = ("store", "feed", "fence", "checkpoints", "upgrades")
        self.world.engage(
            replace(ports, **{port: Perilous(getattr(ports, port), self) for port in port_names})
        )
        self.ports: PipelinePorts = ports
        self.clients = [Client(n, self.world.v1) for n in range(2)]
        self.sites = FenceLocation.of(self.world.v1), FenceLocation.of(self.world.v2)
        self.acknowledged: dict[str, int] = {}
        self.value = 0
        self.published = 0
        self.blind_revert = False

    def peril(self, call: str, dice: float) -> None:
        """Crash, or let another process run while this one is stopped at a port."""
        if dice < CRASH:
            self.trace.append(f"{self.indent}crash at {call}")
            raise Crash
        if self.depth < 2:
            self.trace.append(f"{self.indent}paused at {call}:")
            self.step()

    @property
    def indent(self) -> str:
        """Show what happened while another process was paused."""
        return "  " * self.depth

    def run(self) -> None:
        """Let things happen, then let the dust settle, and check."""
        for n in range(NAMES):
            self.write(self.clients[0], str(n))
        left = AFTER
        for n in self.steps:
            self.chance.seed(self.seed * STEPS + n)
            self.step()
            left -= self.world.record.state in FINAL
            if not left:
                break
        self.settle()

    def step(self) -> None:
        """Let a process do something."""
        self.depth += 1
        try:
            if self.losing and self.chance.random() < LOSS:
                self.lose()
            dice = self.chance.random()
            if dice < 0.25:
                self.client(self.chance.choice(self.clients))
            elif dice < 0.50:
                self.work(self.world.sync)
            elif dice < 0.65:
                self.work(self.world.parity)
            elif dice < 0.88:
                self.work(self.world.director)
            elif dice < 0.94:
                self.world.clock.advance(self.chance.choice((0.1, 1.0, 3.0, 6.0)))
            else:
                self.ask()
        finally:
            self.depth -= 1
        self.check()

    def lose(self) -> None:
        """Give up every follower that is behind, and delete what it has not read."""
        for namespace in (self.world.v1, self.world.v2):
            with suppress(Missing):
                if self.ports.feed.trim(namespace, keep=0, retain_seconds=0.0):
                    self.trace.append(f"{self.indent}changes of {namespace.version} were deleted")

    def work(self, controller: Controller) -> None:
        """One slice of one key, by a worker that has just taken its lease."""
        keys = self.due(controller)
        if not keys:
            return
        key = self.chance.choice(keys)
        self.world.epoch += 1
        self.trace.append(f"{self.indent}{controller.name} {key}")
        lease = Lease(key, self.world.epoch, controller.name)
        try:
            controller.reconcile(key, Budget(2.0, self.world.clock), lease)
        except Crash:
            if self.depth > 1:
                raise
        except SwitchyardError as error:
            self.trace.append(f"{self.indent}  {type(error).__name__} {error.code}")
            if type(error).__name__ == "Broken":
                raise

    def due(self, controller: Controller) -> list[str]:
        """Tell what a controller would be asked for; a hint may come late, so no more than this is known."""
        record = self.world.record
        if controller is self.world.director:
            return [record.id] if record.state not in FINAL else []
        if not flows(record, record.direction):
            return []
        return [str(ShardKey(record.id, record.direction, shard)) for shard in range(record.ring)]

    def ask(self) -> None:
        """A process wants something; most often to go on."""
        record = self.world.record
        if record.state in FINAL or record.request is not None:
            return
        wanted = {
            State.SYNCING: [DirectorRequest.ABORT],
            State.READY: [DirectorRequest.SWITCH] * 12 + [DirectorRequest.ABORT],
            State.SWITCHING: [DirectorRequest.ABORT],
            State.REVERSIBLE: [DirectorRequest.REVERT] * 3
            + [DirectorRequest.COMPLETE, DirectorRequest.ABORT],
        }.get(record.state)
        if wanted is None or (record.state is State.SYNCING and self.chance.random() < 0.9):
            return
        request = self.chance.choice(wanted)
        self.trace.append(f"{self.indent}ask {request}")
        self.world.upgrades.ask("u1", request)

    def client(self, client: Client) -> None:
        """A client begins, ends or aborts a transaction."""
        if client.open is not None:
            self.finish(client, commit=self.chance.random() < 0.8)
            return
        self.write(client, str(self.chance.randrange(NAMES)), hold=self.chance.random() < 0.2)

    def write(self, client: Client, name: str, *, hold: bool = False) -> None:
        """Write one resource; a client that is told of another version tries that one next."""
        opened = self.ports.store.transaction(client.namespace)
        try:
            transaction = opened.__enter__()
            client.open = opened
            client.pending[name] = self.change(transaction, client.namespace, name)
        except SwitchyardError as error:
            opened.__exit__(type(error), error, error.__traceback__) if client.open else None
            client.open, client.pending = None, {}
            if error.code == "version-not-active" or (self.world.reshard and error.code == "frozen"):
                other = self.world.v2 if client.namespace is self.world.v1 else self.world.v1
                client.namespace = other
            return
        if not hold:
            self.finish(client, commit=True)

    def change(self, transaction: Transaction, namespace: Namespace, name: str) -> int | None:
        type_, full = self.world.place(namespace, name)
        known = transaction.get(type_, full)
        if known is not None and self.chance.random() < 0.25:
            transaction.delete(type_, full)
            return None
        self.value += 1
        uid = known.uid if known else self.world.uid()
        transaction.put(Draft(type_, full, uid, self.world.body(namespace, name, self.value)))
        return self.value

    def finish(self, client: Client, *, commit: bool) -> None:
        """Commit, or let the connection die."""
        opened, client.open = client.open, None
        assert opened is not None
        pending, client.pending = client.pending, {}
        if commit:
            opened.__exit__(None, None, None)
            self.acknowledge(pending)
            words = f"client {client.number} wrote {pending} in {client.namespace.version}"
            self.trace.append(f"{self.indent}{words}")
        else:
            died = Crash()
            try:
                opened.__exit__(Crash, died, None)
            except Crash:
                return

    def acknowledge(self, pending: Mapping[str, int | None]) -> None:
        """Remember what a client was told is written, or deleted."""
        for name, value in pending.items():
            if value is None:
                self.acknowledged.pop(name, None)
            else:
                self.acknowledged[name] = value

    def check(self) -> None:
        """The invariants that hold at every moment."""
        near = self.ports.fence.state(self.sites[0])
        far = self.ports.fence.state(self.sites[1]) if self.prepared else near
        if near.mode is Mode.OPEN and far is not near and far.mode is Mode.OPEN:
            raise Broken("two versions are writable")
        active, epoch = self.world.upgrades.published.get(self.world.record.deployment, ("", 0))
        if epoch < self.published:
            raise Broken(f"the published epoch rolled back to {epoch} ({active})")
        self.published = epoch
        state = far if near.mode is Mode.CLOSED else near
        if state.mode is Mode.OPEN:
            self.compare(self.world.served(state))

    @property
    def prepared(self) -> bool:
        """Tell whether the other side has a fence of its own, and it stands."""
        near, far = self.sites
        return near != far and far.key in self.world.databases.database(far.database).fences

    def compare(self, namespace: Namespace) -> None:
        """Every acknowledged write is in the active version, exactly once, at its newest value."""
        record = self.world.record
        if not self.world.downgrade and record.state in (State.REVERTED, State.REVERTING):
            # Rolling back to an old database that was not kept current has a price, which was said.
            return
        label = "value" if namespace.version == "v1" else "amount"
        kept = self.world.databases.namespace(namespace).resources
        found = {name.partition("/")[2]: resource.body[label] for (_, name), resource in kept.items()}
        places = {number: self.world.place(namespace, number) for number in found}
        if kept.keys() != set(places.values()):
            raise Broken(f"{namespace.version} holds {sorted(kept)}, which should be {places}")
        if found != self.acknowledged:
            raise Broken(f"{namespace.version} holds {found}, acknowledged is {self.acknowledged}")

    def settle(self) -> None:
        """Nothing fails any more: everything must come to rest, level and open, and stay so."""
        self.world.engage(self.ports)
        for client in self.clients:
            if client.open is not None:
                self.finish(client, commit=True)
        wrong, rested = "", 0
        for _ in range(REST_TURNS):
            try:
                self.world.turn()
            except SwitchyardError as error:
                self.trace.append(f"  {error.code} while settling")
            self.check()
            wrong = self.unrest()
            rested = 0 if wrong else rested + 1
            if rested == 2:
                return
        raise Broken(wrong or "it does not come to rest")

    def unrest(self) -> str:
        """Tell what is not as it must be once nothing fails any more."""
        record, fence = self.world.record, self.world.fence
        if fence.mode is not Mode.OPEN:
            return f"the fence stays {fence.mode}"
        if record.state in (State.SWITCHING, State.REVERTING, State.HALTED):
            return f"the upgrade stays {record.state}"
        new = record.state in (State.REVERSIBLE, State.COMPLETED)
        serves = self.world.served(fence)
        if (serves == self.world.v2) is not new:
            return f"the upgrade is {record.state}, the fence open for {fence.active_version}"
        shown = self.world.upgrades.places.get(record.deployment, self.world.v1)
        if shown != serves:
            return f"{shown.schema} is shown, {serves.schema} is open"
        if record.state is State.SYNCING:
            return "the shards do not get level"
        if record.state is State.READY or (record.state is State.REVERSIBLE and self.world.downgrade):
            return self.unlevel()
        return ""

    def unlevel(self) -> str:
        """Tell how the two sides differ."""
        sides = [
            {
                name.partition("/")[2]: (body.get("value", body.get("amount")), revision)
                for (_, name), (body, revision) in found.items()
            }
            for found in (self.world.contents(self.world.v1), self.world.contents(self.world.v2))
        ]
        return "" if sides[0] == sides[1] else f"the sides differ: {sides[0]} and {sides[1]}"


def fate(
    seed: int, steps: Sequence[int] = range(STEPS), *, losing: bool = False
) -> tuple[BaseException | None, Schedule]:
    """Run one schedule; tell what it broke on, if it did."""
    schedule = Schedule(seed, steps, losing=losing)
    try:
        schedule.run()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return error, schedule
    return None, schedule


def shortest(seed: int, *, losing: bool = False) -> tuple[BaseException, Schedule]:
    """Leave steps out of a schedule that breaks, as many as can be, so that it still breaks.

    Raises: ValueError when it does not break.
    """
    error, schedule = fate(seed, losing=losing)
    if error is None:
        raise ValueError(f"schedule {seed} holds")
    share = STEPS // 2
    while share:
        for start in range(0, len(schedule.steps), share):
            kept = [*schedule.steps[:start], *schedule.steps[start + share :]]
            fewer, tried = fate(seed, kept, losing=losing)
            if fewer is not None and len(kept) < len(schedule.steps):
                error, schedule = fewer, tried
                break
        else:
            share //= 2
    return error, schedule


def told(seed: int, *, losing: bool = False) -> str:
    """Tell a schedule that breaks: its seed, what it breaks on, and its shortest form."""
    error, schedule = shortest(seed, losing=losing)
    steps = ",".join(map(str, schedule.steps))
    words = f"seed {seed}, steps {steps}: {type(error).__name__} {error}"
    return "\n  ".join([words, *schedule.trace])


def failing(seeds: Iterable[int], *, losing: bool = False) -> Iterator[int]:
    """Run schedules; give the seeds of those that break something."""
    return (seed for seed in seeds if fate(seed, losing=losing)[0] is not None)


def main() -> int:
    """Run many schedules, or show one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    first, count = (options.first, options.count) if options.seed is None else (options.seed, 1)
    began = time.monotonic()
    parts = [range(at, min(at + PART, first + count)) for at in range(first, first + count, PART)]
    with multiprocessing.get_context("fork").Pool(options.processes, initializer=hurry) as pool:
        answers = list(pool.imap_unordered(report, parts))
    seconds, cpu = time.monotonic() - began, sum(answer[1] for answer in answers)
    bad = sorted(seed for found, _ in answers for seed in found)
    for seed in bad[:3]:
        print(told(seed))
    print(f"{count} schedules, {len(bad)} broke: {bad[:20]}")
    print(f"{count / seconds * 60:.0f} schedules a minute; {count / cpu * 60:.0f} a minute of processor time")
    return 1 if bad else 0


def report(seeds: range) -> tuple[list[int], float]:
    """Run a part of the schedules; tell what broke, and the processor time it took."""
    began = time.process_time()
    found = list(failing(seeds))
    tidy()
    return found, time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
