"""The laws of overload: with less time than work everything is later, and nothing stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from migrations_app.domain.work_classes import SHARES, WorkClass
from migrations_app.kernel.errors import Busy
from tests.simulation.overload import (
    Drifting,
    Load,
    Processor,
    Scheduling,
    standing,
    total_share,
    upgrade,
)

THREADS = 6
Make = Callable[[float], Processor]


@pytest.fixture
def processor() -> Iterator[Make]:
    made: list[Processor] = []

    def make(cores: float) -> Processor:
        made.append(Processor(cores))
        return made[-1]

    yield make
    for each in made:
        each.end()


def settled_in(scheduling: Scheduling, seconds: float) -> int:
    before = scheduling.settled()
    scheduling.processor.run(seconds)
    return scheduling.settled() - before


def starved(processor: Processor, *, old_rules: bool = False) -> Scheduling:
    loads = (*standing(processor), *upgrade(processor))
    return Scheduling(processor, *loads, threads=THREADS, old_rules=old_rules)


def test_the_old_rules_collapse_and_the_new_ones_do_not(processor: Make) -> None:
    old, new = starved(processor(0.1), old_rules=True), starved(processor(0.1))
    for scheduling in (old, new):
        scheduling.processor.run(240)
    of_old, of_new = settled_in(old, 60), settled_in(new, 60)
    # The queue of the old ones is longer than what is taken from it before it is too old, and grows.
    assert old.longest_queue > 100 * THREADS
    assert of_old * 5 < of_new, (of_old, of_new)
    assert new.longest_queue <= 2 * THREADS


def test_goodput_is_proportional_to_the_processor(processor: Make) -> None:
    loads = (WorkClass.CATCH_UP, WorkClass.READ_COPIES, WorkClass.UPKEEP)
    found = []
    for cores in (0.1, 0.2, 0.4):
        own = processor(cores)
        kinds = [Load(own, each.value, each, 60, 0.02, 0.0) for each in loads]
        scheduling = Scheduling(own, *kinds, threads=THREADS)
        own.run(20)
        found.append(settled_in(scheduling, 120))
        assert scheduling.longest_queue <= 2 * THREADS
    tenth, fifth, much = found
    assert 1.8 * tenth <= fifth <= 2.2 * tenth
    assert 3.6 * tenth <= much <= 4.4 * tenth


def test_every_class_gets_at_least_its_share(processor: Make) -> None:
    own = processor(0.1)
    # Slices of one class take a hundred times as long as those of another: what is divided is time.
    seconds = {WorkClass.BACKFILL: 5.0, WorkClass.VERIFICATION: 5.0}
    loads = [Load(own, each.value, each, 30, seconds.get(each, 0.02), 0.0) for each in SHARES]
    scheduling = Scheduling(own, *loads, threads=THREADS)
    own.run(60)
    before = scheduling.used()
    own.run(600)
    used = {each: seconds - before[each] for each, seconds in scheduling.used().items()}
    total = sum(used.values())
    for each, share in SHARES.items():
        assert used[each] >= 0.8 * total * share / total_share(), (each, used)


@pytest.mark.parametrize("scale", [1, 10])
def test_catch_up_is_late_by_its_share_and_not_by_the_work_of_others(processor: Make, scale: int) -> None:
    own = processor(0.2)
    catching_up = Load(own, "sync", WorkClass.CATCH_UP, 8, 0.005, 1.0)
    others = (*standing(own, scale), *upgrade(own, 16)[1:])
    scheduling = Scheduling(own, catching_up, *others, threads=THREADS)
    own.run(240)
    # It needs a fifth of this processor and may have two of them: it waits for a slice that is under way, no more.
    assert max(scheduling.lateness[WorkClass.CATCH_UP][60:]) <= 6.0
    assert max(scheduling.lateness[WorkClass.READ_COPIES]) > 6.0
    assert sum(catching_up.settled.values()) >= 8 * 240 / 6


def test_lateness_ends_soon_after_the_load(processor: Make) -> None:
    own = processor(0.05)
    scheduling = Scheduling(own, *standing(own), threads=THREADS)
    own.run(300)
    assert max(each.late_seconds for each in scheduling.leases.backlog()) > 3.0
    own.cores = 1.0
    # Each key is late once, however long the overload was: there is no backlog beside the keys themselves.
    own.run(10)
    assert max(each.late_seconds for each in scheduling.leases.backlog()) <= 1.0
    assert settled_in(scheduling, 60) >= 60 * 40


def test_a_burst_of_wake_ups_leaves_a_short_queue(processor: Make) -> None:
    own = processor(1.0)
    load = Load(own, "sync", WorkClass.CATCH_UP, 50, 0.02, 3600.0)
    scheduling = Scheduling(own, load, threads=THREADS)
    own.run(60)
    assert set(load.settled.values()) == {1}
    for number in range(10_000):
        scheduling.leases.wake("sync", f"sync/{number % 50}", work_class=WorkClass.CATCH_UP)
        scheduling.wake()
    own.run(60)
    assert scheduling.longest_queue <= 2 * THREADS
    # Each key once more: a key is never queued twice.
    assert set(load.settled.values()) == {2}


def test_a_lost_queue_costs_a_tick(processor: Make) -> None:
    own = processor(1.0)
    load = Load(own, "sync", WorkClass.CATCH_UP, 50, 0.02, 30.0)
    scheduling = Scheduling(own, load, threads=THREADS)
    own.run(10)
    scheduling.wake = lambda count=1: None  # type: ignore[method-assign]
    scheduling.messages.clear()
    own.run(100)
    del scheduling.wake  # type: ignore[method-assign]
    before = dict(load.settled)
    own.run(12)
    assert all(load.settled[key] > before[key] for key in before)


def _raise(key: str) -> None:
    raise ValueError("broken")


def test_a_controller_that_raises_keeps_no_other_from_work(processor: Make) -> None:
    own = processor(0.5)
    broken = Load(own, "broken", WorkClass.CATCH_UP, 20, 0.02, 0.0, fails=_raise)
    healthy = Load(own, "healthy", WorkClass.CATCH_UP, 5, 0.02, 0.5)
    scheduling = Scheduling(own, broken, healthy, threads=THREADS)
    own.run(300)
    quarantined = [scheduling.leases.quarantined("broken", f"broken/{number}") for number in range(20)]
    assert {each.code if each else "" for each in quarantined} == {"unexpected"}
    assert min(healthy.settled.values()) >= 300 / 2
    # It was tried as often as is tried, and not over and over.
    assert {len(epochs) for epochs in broken.epochs.values()} == {8}


def test_a_key_that_is_always_refused_comes_up_more_and_more_rarely(processor: Make) -> None:
    own = processor(0.5)

    def refuse(key: str) -> None:
        if key == "sync/0":
            raise Busy("Not now.", retry_after_seconds=0.1)

    load = Load(own, "sync", WorkClass.CATCH_UP, 5, 0.02, 0.5, fails=refuse)
    Scheduling(own, load, threads=THREADS)
    own.run(600)
    assert len(load.epochs["sync/0"]) <= 8 + 600 / 60 + 1
    assert min(load.settled[f"sync/{number}"] for number in range(1, 5)) >= 600


def test_a_key_that_hangs_costs_one_thread_of_the_process(processor: Make) -> None:
    own = processor(1.0)
    hanging = Load(own, "hanging", WorkClass.UPKEEP, 2, 0.02, 0.0, fails=lambda key: own.sleep(1e9))
    healthy = Load(own, "healthy", WorkClass.READ_COPIES, 10, 0.02, 1.0)
    Scheduling(own, hanging, healthy, threads=THREADS)
    own.run(300)
    assert [len(epochs) for epochs in hanging.epochs.values()] == [1, 1]
    assert min(healthy.settled.values()) >= 250


def test_a_controller_that_spins_keeps_to_its_share(processor: Make) -> None:
    own = processor(0.5)
    spinning = Load(own, "spinning", WorkClass.UPKEEP, 50, 5.0, 0.0)
    copying = Load(own, "copying", WorkClass.BACKFILL, 16, 5.0, 0.0)
    scheduling = Scheduling(own, spinning, copying, threads=THREADS)
    own.run(300)
    used = scheduling.used()
    assert used[WorkClass.UPKEEP] <= 1.2 * 300 * THREADS * 5 / 25
    assert used[WorkClass.BACKFILL] >= 3 * used[WorkClass.UPKEEP]


def test_a_stopped_worker_and_wrong_clocks_change_nothing_but_time(processor: Make) -> None:
    own = processor(1.0)
    load = Load(own, "sync", WorkClass.CATCH_UP, 20, 0.02, 1.0)
    stopped: list[str] = []

    def stop(key: str) -> None:
        # Every hundredth slice is stopped for longer than its lease.
        stopped.append(key)
        if len(stopped) % 100 == 0:
            own.sleep(25.0)

    load.fails = stop
    scheduling = Scheduling(own, load, threads=2)
    scheduling.start(Drifting(own.clock, 1.3, 500.0), 2)
    scheduling.start(Drifting(own.clock, 0.7, -500.0), 2)
    own.run(300)
    assert min(load.settled.values()) >= 150
    for epochs in load.epochs.values():
        assert epochs == sorted(set(epochs))
