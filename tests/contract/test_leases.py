"""What every adapter of leases promises about the next due key: classes by their shares, and one holder each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction

from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.domain.work_classes import CREDIT, SHARES, URGENT, WorkClass
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.json import JsonObject
from migrations_app.models.work import Work
from migrations_app.ports.locks import (
    Again,
    Done,
    DueKey,
    Leases,
    Outcome,
    QuarantinedKey,
    SettledLease,
    TakenKey,
    WokenKey,
    WorkPool,
)

POOL = WorkPool("housekeeping,sync", ("sync", "upkeep"))


@dataclass
class World:
    """Leases, and a way to make a moment pass for them."""

    leases: Leases
    pass_seconds: Callable[[float], None]

    def next(self, *only: WorkClass, pool: WorkPool = POOL, seconds: float = 10.0) -> TakenKey | None:
        return self.leases.take_next(pool, holder="test", lease_seconds=seconds, only=only)

    def next_key(self, *only: WorkClass) -> str | None:
        taken = self.next(*only)
        return taken.lease.key if taken else None

    def fill(self, *classes: WorkClass, keys: int = 1) -> None:
        for each in classes:
            self.leases.ensure("sync", [DueKey(f"{each}/{number}", each) for number in range(keys)])

    def work(self, slices: int, seconds: dict[WorkClass, float]) -> Counter[WorkClass]:
        """Take and settle keys that are due again at once; count the seconds that each class used."""
        used: Counter[WorkClass] = Counter()
        for _ in range(slices):
            taken = self.next()
            assert taken is not None
            work_class = taken.lease.work_class
            assert work_class is not None
            spent = seconds.get(work_class, 1.0)
            used[work_class] += spent  # type: ignore[assignment]
            assert self.leases.settle(taken.lease, Again(0), used_seconds=spent)
        return used


@pytest.fixture(params=["memory", "postgres"])
def world(request: pytest.FixtureRequest) -> World:
    if request.param == "memory":
        clock = HeldClock()
        return World(MemoryLeases(clock), clock.advance)
    request.getfixturevalue("transactional_db")
    return World(PostgresLeases(), _shift_rows)


def _shift_rows(seconds: float) -> None:
    """Let time pass for all rows: what they say moves into the past."""
    for row in Work.objects.all():
        shifted = {
            name: value - timedelta(seconds=seconds)
            for name in ("due_at", "leased_until", "settled_at")
            if (value := getattr(row, name)) is not None
        }
        Work.objects.filter(pk=row.pk).update(**shifted)


def test_of_one_class_the_key_that_has_been_due_longest_is_next(world: World) -> None:
    for key in ("c", "a", "b"):
        world.leases.ensure("sync", [DueKey(key, WorkClass.CATCH_UP)])
        world.pass_seconds(1)
    # Waking a due key again does not move it back.
    world.leases.wake("sync", "c")
    assert [world.next_key() for _ in range(4)] == ["c", "a", "b", None]


def test_a_key_is_taken_once_and_again_when_its_lease_ran_out(world: World) -> None:
    world.fill(WorkClass.CATCH_UP)
    first = world.next()
    assert first is not None
    assert (first.lease.work_class, first.lease.attempts, first.others_due) == (WorkClass.CATCH_UP, 1, False)
    assert world.next() is None
    world.pass_seconds(11)
    second = world.next()
    assert second is not None
    assert (second.lease.key, second.lease.attempts) == (first.lease.key, 2)
    assert second.lease.epoch > first.lease.epoch
    assert not world.leases.settle(first.lease, QuarantinedKey("late"), used_seconds=5)
    assert world.leases.settle(second.lease, Done(), used_seconds=5)
    assert world.next() is None


def test_keys_of_other_controllers_and_skipped_ones_are_left_alone(world: World) -> None:
    world.leases.ensure("elsewhere", [DueKey("a", WorkClass.CATCH_UP)])
    world.leases.ensure("sync", [DueKey("b", WorkClass.CATCH_UP)])
    skipped = world.leases.take_next(POOL, holder="w", lease_seconds=10, skip=[("sync", "b")])
    assert skipped is None
    assert world.next_key() == "b"
    assert world.next() is None


@pytest.mark.parametrize(
    ("outcome", "woken", "due_now"),
    [
        (Done(), False, False),
        (Done(), True, True),
        (Done(for_good=True), False, False),
        (Done(for_good=True), True, True),
        (Again(60), False, False),
        (Again(60), True, True),
        (Again(0), False, True),
        (QuarantinedKey("broken"), True, False),
    ],
)
def test_a_lease_that_is_let_go_says_whether_its_key_is_due_at_once(
    world: World, outcome: Outcome, woken: bool, due_now: bool
) -> None:
    world.fill(WorkClass.UPKEEP)
    taken = world.next()
    assert taken is not None
    if woken:
        world.leases.wake("sync", taken.lease.key)
    assert world.leases.settle(taken.lease, outcome) == SettledLease(more_due=due_now)
    assert (world.next() is not None) == due_now


@pytest.mark.parametrize(
    ("outcome", "woken", "kept"),
    [
        (Done(), False, {"seen": 1}),
        (Done(for_good=True), False, {}),
        (Done(for_good=True), True, {"seen": 1}),
    ],
)
def test_a_key_that_is_done_for_good_is_forgotten_unless_it_was_woken(
    world: World, outcome: Outcome, woken: bool, kept: JsonObject
) -> None:
    world.fill(WorkClass.CATCH_UP)
    first = world.next()
    assert first is not None
    world.leases.settle(first.lease, Again(0, memo={"seen": 1}))
    second = world.next()
    assert second is not None
    if woken:
        world.leases.wake("sync", second.lease.key)
    assert world.leases.settle(second.lease, outcome) == SettledLease(more_due=woken)
    third = world.leases.take("sync", second.lease.key, holder="w", lease_seconds=10)
    assert third is not None
    assert third.memo == kept
    assert third.epoch > second.lease.epoch
    assert world.leases.settle(second.lease, Done(for_good=True)) is None


def test_a_lease_that_is_let_go_says_whether_another_key_is_due_and_free(world: World) -> None:
    world.fill(WorkClass.UPKEEP, WorkClass.CATCH_UP)
    first = world.next()
    assert first is not None
    # One that was released meanwhile, without a wake-up, counts as well.
    assert world.leases.settle(first.lease, Done()) == SettledLease(more_due=True)
    second = world.next()
    assert second is not None
    world.leases.ensure("sync", [DueKey("held", WorkClass.BACKFILL)])
    held = world.next()
    assert held is not None
    assert world.leases.settle(second.lease, Done()) == SettledLease(more_due=False)
    assert world.leases.settle(held.lease, Again(60)) == SettledLease(more_due=False)


def test_quarantined_scheduled_and_done_keys_are_not_next(world: World) -> None:
    world.fill(WorkClass.UPKEEP, keys=3)
    for outcome in (QuarantinedKey("broken"), Again(60), Done()):
        taken = world.next()
        assert taken is not None
        assert world.leases.settle(taken.lease, outcome, used_seconds=1)
    assert world.next() is None
    world.fill(WorkClass.UPKEEP, keys=3)
    # Only the one that is done is due again: the others are quarantined, and scheduled.
    assert [world.next_key(), world.next_key()] == ["upkeep/2", None]


def test_a_switch_goes_before_everything_else(world: World) -> None:
    world.fill(*SHARES, keys=2)
    world.pass_seconds(3600)
    world.fill(WorkClass.SWITCH, keys=2)
    assert [world.next_key(), world.next_key()] == ["switch/0", "switch/1"]


def test_the_time_of_workers_is_divided_by_the_shares(world: World) -> None:
    world.fill(*SHARES, keys=3)
    # However long one slice of a class takes: what is divided is time, not slices.
    used = world.work(400, {WorkClass.BACKFILL: 2.0, WorkClass.UPKEEP: 0.5, WorkClass.CATCH_UP: 0.25})
    total = sum(used.values())
    for work_class, share in SHARES.items():
        least = total * share / sum(SHARES.values()) - 4.0
        assert used[work_class] >= least, (work_class, used)


def test_unused_shares_go_to_the_others(world: World) -> None:
    world.fill(WorkClass.VERIFICATION, WorkClass.UPKEEP, keys=2)
    used = world.work(60, {})
    assert used[WorkClass.VERIFICATION] + used[WorkClass.UPKEEP] == 60
    assert 39 <= used[WorkClass.VERIFICATION] <= 41


def test_a_class_that_had_no_work_keeps_a_bounded_credit(world: World) -> None:
    world.fill(WorkClass.CATCH_UP, keys=2)
    world.work(100, {WorkClass.CATCH_UP: 2.0})
    world.fill(WorkClass.UPKEEP, keys=2)
    used = world.work(40, {})
    # Its credit, then its share of what is left, and a slice that was under way.
    credit = CREDIT * SHARES[WorkClass.UPKEEP]
    assert credit <= used[WorkClass.UPKEEP] <= credit + 40 * 5 / 45 + 1


def test_only_urgent_classes_are_given_where_only_those_are_asked_for(world: World) -> None:
    world.fill(WorkClass.BACKFILL, WorkClass.CATCH_UP)
    assert world.next_key(*URGENT) == "catch-up/0"
    assert world.next_key(*URGENT) is None
    assert world.next_key() == "backfill/0"


def test_an_outcome_changes_the_class_of_the_next_slice(world: World) -> None:
    world.fill(WorkClass.BACKFILL)
    taken = world.next()
    assert taken is not None
    world.leases.settle(taken.lease, Again(0, work_class=WorkClass.CATCH_UP), used_seconds=1)
    # The safety net lists the key by what it was; what the outcome said counts.
    assert world.leases.ensure("sync", [DueKey("backfill/0", WorkClass.BACKFILL)]) == 0
    taken = world.next()
    assert taken is not None
    assert (taken.lease.key, taken.lease.work_class) == ("backfill/0", WorkClass.CATCH_UP)
    used = {each.work_class: each.used_seconds for each in world.leases.backlog()}
    assert (used[WorkClass.BACKFILL], used[WorkClass.CATCH_UP]) == (1.0, 0.0)


def test_the_backlog_tells_how_late_each_class_is(world: World) -> None:
    world.fill(WorkClass.CATCH_UP, keys=2)
    world.pass_seconds(40)
    world.fill(WorkClass.UPKEEP)
    late = {each.work_class: (each.due, round(each.late_seconds)) for each in world.leases.backlog()}
    assert late[WorkClass.CATCH_UP] == (2, 40)
    assert late[WorkClass.UPKEEP] == (1, 0)
    assert late[WorkClass.BACKFILL] == (0, 0)
    assert world.leases.count_due(["sync"], limit=2) == {"sync": 2}
    assert world.leases.count_due(["sync"], limit=9) == {"sync": 3}


def test_a_key_that_was_taken_by_its_name_is_next_when_its_worker_died(world: World) -> None:
    assert world.leases.take("sync", "a", holder="dies", lease_seconds=10) is not None
    world.leases.ensure("sync", [DueKey("a", WorkClass.CATCH_UP)])
    assert world.next() is None
    world.pass_seconds(11)
    assert world.next_key() == "a"


# What holds on PostgreSQL when several connections choose at one moment.


@pytest.fixture
def threads(transactional_db: None) -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def _in_thread(work: Callable[[], object]) -> object:
    try:
        return work()
    finally:
        connections.close_all()


def test_many_workers_take_each_key_exactly_once(threads: ThreadPoolExecutor) -> None:
    leases = PostgresLeases()
    leases.ensure("sync", [DueKey(f"k{n:03}", list(SHARES)[n % 6]) for n in range(120)])

    def take_all() -> list[str]:
        found = []
        while (taken := leases.take_next(POOL, holder="w", lease_seconds=60)) is not None:
            found.append(taken.lease.key)
            leases.settle(taken.lease, Done(), used_seconds=0.1)
        return found

    takers = [threads.submit(_in_thread, take_all) for _ in range(8)]
    keys = [key for taker in takers for key in taker.result(60)]  # type: ignore[attr-defined]
    assert sorted(keys) == [f"k{n:03}" for n in range(120)]


def test_a_key_that_another_connection_is_taking_blocks_no_worker(threads: ThreadPoolExecutor) -> None:
    leases = PostgresLeases()
    leases.ensure("sync", [DueKey("a", WorkClass.CATCH_UP), DueKey("b", WorkClass.CATCH_UP)])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT key FROM switchyard_work WHERE key = 'a' FOR UPDATE")
        other = threads.submit(_in_thread, lambda: leases.take_next(POOL, holder="w", lease_seconds=60))
        taken = other.result(60)
        assert isinstance(taken, TakenKey)
        assert taken.lease.key == "b"
        third = threads.submit(_in_thread, lambda: leases.take_next(POOL, holder="w", lease_seconds=60))
        assert third.result(60) is None


def test_the_safety_net_waits_for_no_key_that_is_being_settled(threads: ThreadPoolExecutor) -> None:
    leases = PostgresLeases()
    leases.ensure("sync", [DueKey("a", WorkClass.CATCH_UP)])
    taken = leases.take_next(POOL, holder="w", lease_seconds=60)
    assert taken is not None
    with transaction.atomic():
        leases.confirm(taken.lease)
        net = threads.submit(
            _in_thread, lambda: leases.ensure("sync", [DueKey(key, WorkClass.CATCH_UP) for key in "ab"])
        )
        assert net.result(60) == 1


def test_a_key_that_is_settled_while_another_chooses_is_not_taken_before_it_is_due(
    threads: ThreadPoolExecutor,
) -> None:
    leases = PostgresLeases()
    leases.ensure("sync", [DueKey("a", WorkClass.CATCH_UP)])
    taken = leases.take_next(POOL, holder="w", lease_seconds=0.01)
    assert taken is not None
    time.sleep(0.05)
    # Its lease ran out, so that it is next; but its holder is just settling it.
    with transaction.atomic():
        assert leases.settle(taken.lease, Again(60), used_seconds=1)
        other = threads.submit(_in_thread, lambda: leases.take_next(POOL, holder="w", lease_seconds=60))
        assert other.result(60) is None
    assert leases.take_next(POOL, holder="w", lease_seconds=60) is None


def test_many_keys_are_woken_at_once_scheduled_new_and_held_ones_alike(world: World) -> None:
    world.fill(WorkClass.CATCH_UP, keys=2)
    first, second = world.next(), world.next()
    assert first is not None
    assert second is not None
    world.leases.settle(first.lease, Again(1000))
    assert world.next() is None
    woken = [first.lease.key, second.lease.key, "fresh"]

    world.leases.wake_all([WokenKey("sync", key, WorkClass.CATCH_UP) for key in [*woken, "fresh"]])
    assert {world.next_key(), world.next_key()} == {first.lease.key, "fresh"}
    assert world.next() is None
    world.leases.settle(second.lease, Done())
    assert world.next_key() == second.lease.key
    world.leases.wake_all([])
