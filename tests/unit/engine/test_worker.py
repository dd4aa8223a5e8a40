"""What a thread of a worker asks for: keys that are left, and no further question when it knows that none is."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import Budget, ensure_due
from migrations_app.engine.worker import Events, Worker
from migrations_app.kernel.clock import HeldClock
from migrations_app.ports.locks import Again, Done, Lease, Outcome, TakenKey, WorkPool

POOL = WorkPool("pool", ("load",))


class Load:
    """A controller of some keys that notes which were worked on."""

    name, queue, work_class = "load", "housekeeping", WorkClass.UPKEEP

    def __init__(self, keys: Iterable[str], work: Callable[[Lease], Outcome] = lambda lease: Done()) -> None:
        self.keys, self.work = list(keys), work
        self.worked: list[str] = []

    def due(self) -> Iterable[str]:
        return self.keys

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        self.worked.append(key)
        return self.work(lease)


class CountedLeases(MemoryLeases):
    """Leases that count how often they are asked for the next key."""

    asked = 0

    def take_next(self, *arguments: object, **named: object) -> TakenKey | None:
        self.asked += 1
        return super().take_next(*arguments, **named)  # type: ignore[arg-type]


@pytest.fixture
def leases() -> CountedLeases:
    return CountedLeases(HeldClock())


def _worker(load: Load, leases: CountedLeases) -> Worker:
    return Worker({load.name: load}, leases, HeldClock(), POOL, threads=1, events=Events())


@pytest.mark.parametrize(("keys", "asked"), [([], 1), (["a"], 1), (["a", "b"], 2), (["a", "b", "c"], 3)])
def test_a_thread_asks_once_for_each_key_and_not_again_when_none_is_left(
    leases: CountedLeases, keys: list[str], asked: int
) -> None:
    load = Load(keys)
    ensure_due(load, leases)
    assert not _worker(load, leases).work("w")
    assert (load.worked, leases.asked) == (keys, asked)


def test_a_key_that_is_woken_while_it_is_worked_on_is_taken_again(leases: CountedLeases) -> None:
    def work(lease: Lease) -> Outcome:
        if len(load.worked) == 1:
            leases.wake("load", "a")
        return Done()

    load = Load(["a"], work)
    ensure_due(load, leases)
    assert not _worker(load, leases).work("w")
    assert (load.worked, leases.asked) == (["a", "a"], 2)


def test_a_key_that_is_due_again_at_once_is_taken_again(leases: CountedLeases) -> None:
    load = Load(["a"], lambda lease: Again(0) if len(load.worked) < 4 else Again(60))
    ensure_due(load, leases)
    assert not _worker(load, leases).work("w")
    assert (load.worked, leases.asked) == (["a"] * 4, 4)


def test_keys_that_a_slice_releases_without_a_wake_up_are_taken_next(leases: CountedLeases) -> None:
    def work(lease: Lease) -> Outcome:
        if lease.key == "a":
            neighbour = leases.take("load", "b", holder="w:beside", lease_seconds=10)
            assert neighbour is not None
            leases.settle(neighbour, Again(0))
        return Done()

    load = Load(["a", "b"], work)
    ensure_due(load, leases)
    assert not _worker(load, leases).work("w")
    assert (load.worked, leases.asked) == (["a", "b"], 2)
