"""The lifecycle of a key: taken, worked on, settled; and what each kind of error leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.engine.controller import (
    GONE,
    Again,
    Budget,
    Done,
    Lease,
    Outcome,
    QuarantinedKey,
    Terms,
    WorkClass,
    backoff_seconds,
    ensure_due,
    reconcile,
    while_hosted,
)
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Halted,
    InvariantBroken,
    Missing,
    NamespaceMissing,
    PeerUnavailable,
    Stale,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message, verbatim
from migrations_app.ports.locks import SettledLease

TERMS = Terms(budget_seconds=2.0, lease_seconds=10.0, attempts=3, longest_backoff_seconds=60.0)


class Scripted:
    """A controller that does what it is told."""

    name, queue, work_class = "scripted", "housekeeping", WorkClass.UPKEEP

    def __init__(self, work: Callable[[Budget, Lease], Outcome]) -> None:
        self.work = work
        self.leases: list[Lease] = []

    def due(self) -> Iterable[str]:
        return ["a"]

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        self.leases.append(lease)
        return self.work(budget, lease)


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
def leases(clock: HeldClock) -> MemoryLeases:
    return MemoryLeases(clock)


def _failing(error: Exception) -> Scripted:
    def work(budget: Budget, lease: Lease) -> Outcome:
        raise error

    return Scripted(work)


def test_a_budget_is_spent_when_its_time_has_passed(clock: HeldClock) -> None:
    budget = Budget(2.0, clock)
    clock.advance(1.5)
    assert (budget.left_seconds, budget.spent) == (0.5, False)
    clock.advance(1.0)
    assert (budget.left_seconds, budget.spent) == (0.0, True)


def test_done_leaves_the_key_free_and_forgets_the_attempts(leases: MemoryLeases, clock: HeldClock) -> None:
    controller = Scripted(lambda budget, lease: Done())
    for _ in range(5):
        ran = reconcile(controller, "a", leases=leases, clock=clock, holder="w1", terms=TERMS)
        assert (ran.outcome, ran.settled, ran.at_once) == (Done(), SettledLease(more_due=False), False)
    assert [lease.attempts for lease in controller.leases] == [1] * 5
    assert [lease.epoch for lease in controller.leases] == [1, 2, 3, 4, 5]


def test_a_key_is_due_again_when_its_outcome_says(leases: MemoryLeases, clock: HeldClock) -> None:
    at_once = reconcile(
        Scripted(lambda b, x: Again()), "a", leases=leases, clock=clock, holder="w", terms=TERMS
    )
    later = reconcile(
        Scripted(lambda b, x: Again(5)), "a", leases=leases, clock=clock, holder="w", terms=TERMS
    )
    early = reconcile(Scripted(lambda b, x: Done()), "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert (at_once.at_once, later.at_once, later.due_in_seconds) == (True, False, 5)
    assert (early.outcome, early.settled) == (None, None)
    assert leases.count_due(["scripted"], limit=5) == {}
    clock.advance(5)
    assert leases.count_due(["scripted"], limit=5) == {"scripted": 1}


def test_a_held_key_is_left_alone_until_its_lease_runs_out(leases: MemoryLeases, clock: HeldClock) -> None:
    held = leases.take("scripted", "a", holder="dead", lease_seconds=10)
    assert held is not None
    controller = Scripted(lambda budget, lease: Done())
    assert reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS).outcome is None
    clock.advance(10)
    assert reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS).settled
    assert not leases.settle(held, Done())
    with pytest.raises(Stale):
        leases.confirm(held)


def test_who_lost_the_lease_settles_nothing(leases: MemoryLeases, clock: HeldClock) -> None:
    def slow(budget: Budget, lease: Lease) -> Outcome:
        clock.advance(11)
        assert leases.take("scripted", "a", holder="other", lease_seconds=10) is not None
        return QuarantinedKey("must not be written")

    ran = reconcile(Scripted(slow), "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert (ran.settled is not None, leases.quarantined("scripted", "a")) == (False, None)


def test_a_key_woken_while_held_stays_due(leases: MemoryLeases, clock: HeldClock) -> None:
    def woken(budget: Budget, lease: Lease) -> Outcome:
        leases.wake("scripted", "a")
        return Again(60)

    reconcile(Scripted(woken), "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert leases.count_due(["scripted"], limit=5) == {"scripted": 1}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Busy("later", retry_after_seconds=7.0), Again(7.0, fruitless=True)),
        (PeerUnavailable(message("It is silent.")), Again(1.0, waits_for=message("It is silent."))),
        (PeerUnavailable("No answer."), Again(1.0, waits_for=verbatim("No answer."))),
        (Stale("moved"), Again(0.0, fruitless=True)),
        (OSError("no route"), Again(0.5, fruitless=True)),
        (Halted("look", code="owner", remedy="Decide."), QuarantinedKey("look", "owner", "Decide.")),
        (InvariantBroken("lost", code="parity"), QuarantinedKey("lost", "parity")),
        (Halted(message("look"), code="owner"), QuarantinedKey(message("look"), "owner")),
    ],
)
def test_an_error_says_what_happens_next(
    leases: MemoryLeases, clock: HeldClock, error: Exception, outcome: Outcome
) -> None:
    ran = reconcile(_failing(error), "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert (ran.outcome, ran.settled is not None, ran.error) == (outcome, True, error)


@pytest.mark.parametrize("name", ["sync", "parity", "switch"])
def test_work_of_an_upgrade_that_is_refused_tries_again_and_says_what_it_waits_for(
    leases: MemoryLeases, clock: HeldClock, name: str
) -> None:
    controller = _failing(Conflict("It is not here.", code="not-here"))
    controller.name = name
    for _ in range(20):
        ran = reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS)
        assert (ran.outcome, ran.settled is not None) == (
            Again(0.5, waits_for=verbatim("It is not here.")),
            True,
        )
        clock.advance(60.0)


def test_who_waits_for_another_is_never_quarantined_and_tries_again_the_later_the_longer_it_waits(
    leases: MemoryLeases, clock: HeldClock
) -> None:
    controller = _failing(PeerUnavailable("No answer."))
    began, tried = clock.now(), list[float]()
    while (clock.now() - began).total_seconds() < 90:
        ran = reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS)
        if ran.outcome is not None:
            tried.append((clock.now() - began).total_seconds())
        clock.advance(1)
    assert leases.quarantined("scripted", "a") is None
    assert tried == [0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 63, 78]


def test_what_an_attempt_leaves_is_given_to_the_next(leases: MemoryLeases, clock: HeldClock) -> None:
    seen: list[JsonObject] = []

    def leaving(budget: Budget, lease: Lease) -> Outcome:
        seen.append(lease.memo)
        return Again(memo={"at": len(seen)}) if len(seen) < 2 else Again()

    for _ in range(4):
        reconcile(Scripted(leaving), "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert seen == [{}, {"at": 1}, {"at": 1}, {"at": 1}]


def test_an_error_that_stays_parks_the_key_after_the_last_attempt(
    leases: MemoryLeases, clock: HeldClock
) -> None:
    controller = _failing(ValueError("bad row"))
    waits: list[float] = []
    for _ in range(2):
        outcome = reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS).outcome
        assert isinstance(outcome, Again)
        waits.append(outcome.after_seconds)
        clock.advance(outcome.after_seconds)
    last = reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS).outcome
    assert waits == [0.5, 1.0]
    assert isinstance(last, QuarantinedKey)
    assert (last.code, last.reason) == ("unexpected", "ValueError: bad row")


def test_a_key_whose_workers_die_is_quarantined_as_poison(leases: MemoryLeases, clock: HeldClock) -> None:
    for _ in range(3):
        assert leases.take("scripted", "a", holder="dies", lease_seconds=10) is not None
        clock.advance(10)
    controller = Scripted(lambda budget, lease: Done())
    ran = reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert isinstance(ran.outcome, QuarantinedKey)
    assert (ran.outcome.code, controller.leases) == ("work-abandoned", [])
    assert (ensure_due(controller, leases), leases.count_due(["scripted"], limit=5)) == (0, {})
    leases.wake("scripted", "a")
    assert leases.count_due(["scripted"], limit=5) == {}
    leases.wake("scripted", "a", lift_quarantine=True)
    assert reconcile(controller, "a", leases=leases, clock=clock, holder="w", terms=TERMS).outcome == Done()


def test_waiting_doubles_up_to_the_longest() -> None:
    assert [backoff_seconds(n, 60.0) for n in (1, 2, 3, 8, 9, 400)] == [0.5, 1.0, 2.0, 60.0, 60.0, 60.0]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        *((taken_away("It is not here."), Done()) for taken_away in GONE),
        (NamespaceMissing("No tables."), Again(3.0, waits_for=verbatim("No tables."))),
        (Missing("No such type.", code="type-missing"), QuarantinedKey("No such type.", "type-missing")),
    ],
)
def test_the_work_on_a_deployment_that_was_taken_away_ends_and_where_data_are_lost_it_waits(
    error: Exception, outcome: Outcome, leases: MemoryLeases, clock: HeldClock
) -> None:
    class Hosted(Scripted):
        reconcile = while_hosted(Scripted.reconcile)

    def gone(budget: Budget, lease: Lease) -> Outcome:
        raise error

    ran = reconcile(Hosted(gone), "a", leases=leases, clock=clock, holder="w", terms=TERMS)
    assert ran.outcome == outcome
