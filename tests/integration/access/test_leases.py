"""Leases on real PostgreSQL behave as the ones in memory, and two workers never hold one key."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.db import close_old_connections, connection, connections, transaction
from django.db.models.functions import Now

from migrations_app.adapters.dispatch.in_process import InProcessDispatch
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.health.controllers.housekeeping import Housekeeping
from migrations_app.engine.controller import Again, Done, DueKey, Lease, QuarantinedKey, WorkClass
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message
from migrations_app.models.operations import IdempotentAnswer
from migrations_app.models.work import Work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def leases() -> PostgresLeases:
    return PostgresLeases()


def _take(leases: PostgresLeases, key: str = "a", seconds: float = 10.0) -> Lease | None:
    return leases.take("sync", key, holder="test", lease_seconds=seconds)


def test_a_key_has_one_holder_and_every_take_over_a_larger_epoch(leases: PostgresLeases) -> None:
    first = _take(leases, seconds=600.0)
    assert first is not None
    assert _take(leases) is None
    with connection.cursor() as cursor:
        cursor.execute("UPDATE switchyard_work SET leased_until = clock_timestamp() - interval '1 second'")
    second = _take(leases)
    assert second is not None
    assert (second.epoch > first.epoch, second.attempts) == (True, 2)
    assert not leases.renew(first, lease_seconds=10)
    assert not leases.settle(first, QuarantinedKey("late"))
    assert leases.renew(second, lease_seconds=10)
    assert leases.settle(second, Done())
    third = _take(leases)
    assert third is not None
    assert third.attempts == 1


def test_of_many_threads_exactly_one_takes_the_key(leases: PostgresLeases) -> None:
    taken: list[Lease] = []
    barrier = threading.Barrier(8)

    def try_it() -> None:
        try:
            barrier.wait()
            lease = _take(leases)
            if lease:
                taken.append(lease)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=try_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 1


def test_a_confirmed_lease_cannot_be_taken_over_before_the_commit(leases: PostgresLeases) -> None:
    held = _take(leases, seconds=0.05)
    assert held is not None
    order: list[str] = []

    def take_over() -> None:
        try:
            while leases.take("sync", "a", holder="other", lease_seconds=10) is None:
                time.sleep(0.01)
            order.append("taken")
        finally:
            connections.close_all()

    with transaction.atomic():
        leases.confirm(held)
        other = threading.Thread(target=take_over)
        other.start()
        time.sleep(0.3)
        order.append("committing")
    other.join()
    assert order == ["committing", "taken"]
    with pytest.raises(Stale, match="taken over"), transaction.atomic():
        leases.confirm(held)


def test_outcomes_say_when_a_key_is_due_again(leases: PostgresLeases) -> None:
    held = _take(leases)
    assert held is not None
    assert leases.settle(held, Again(60))
    assert _take(leases) is None
    assert leases.count_due(["sync"], limit=5) == {}
    leases.wake("sync", "a")
    assert leases.count_due(["sync"], limit=5) == {"sync": 1}

    held = _take(leases)
    assert held is not None
    leases.wake("sync", "a")
    assert leases.settle(held, Again(60))
    assert leases.count_due(["sync"], limit=5) == {"sync": 1}


def test_fruitless_attempts_add_up_and_quarantining_ends_them(leases: PostgresLeases) -> None:
    for attempt in (1, 2):
        held = _take(leases)
        assert held is not None
        assert held.attempts == attempt
        leases.settle(held, Again(0, fruitless=True))
    held = _take(leases)
    assert held is not None
    broken = message("broken by {count}", count=3)
    leases.settle(held, QuarantinedKey(broken, code="poison", remedy="Mend it."))
    leases.wake("sync", "a")
    assert (_take(leases), leases.count_due(["sync"], limit=5)) == (None, {})
    row = Work.objects.get()
    assert (row.quarantined_code, row.quarantined_reason, row.quarantined_remedy) == (
        "poison",
        "broken by 3",
        "Mend it.",
    )
    assert (row.quarantined_reason_phrases, row.quarantined_remedy_phrases) == (
        [{"key": "broken by {count}", "values": {"count": 3}}],
        [],
    )
    leases.wake("sync", "a", lift_quarantine=True)
    held = _take(leases)
    assert held is not None
    assert held.attempts == 1


def test_a_key_that_waits_says_for_whom_and_is_tried_later_the_longer_it_waits(
    leases: PostgresLeases,
) -> None:
    for waited, after in ((0, 0), (30, 10), (3600, 15)):
        Work.objects.update(due_at=None, waits_since=Now() - timedelta(seconds=waited))
        held = _take(leases)
        assert held is not None
        assert (held.attempts, held.memo) == (1, {"at": waited} if waited else {})
        leases.settle(
            held, Again(0, waits_for=message("The south."), memo={"at": 30 if not waited else 3600})
        )
        row = Work.objects.get()
        assert row.due_at is not None
        assert row.settled_at is not None
        assert row.waits_for_phrases == [{"key": "The south.", "values": {}}]
        assert (row.waits_for, round((row.due_at - row.settled_at).total_seconds())) == ("The south.", after)
    Work.objects.update(due_at=None)
    held = _take(leases)
    assert held is not None
    leases.settle(held, Again(5))
    row = Work.objects.get()
    assert (row.waits_for, row.waits_since, row.memo) == ("", None, '{"at":3600}')


def test_a_pruned_key_never_sees_an_old_epoch_again(leases: PostgresLeases) -> None:
    held = _take(leases)
    assert held is not None
    leases.settle(held, Done())
    assert leases.prune(older_than_seconds=0, limit=10) == 1
    again = _take(leases)
    assert again is not None
    assert (again.epoch > held.epoch, leases.settle(held, Done())) == (True, None)


def test_many_keys_are_made_due_in_one_go_without_deadlock(leases: PostgresLeases) -> None:
    keys = [f"k{number:03}" for number in range(300)]
    counts: list[int] = []

    def make_due(order: list[str]) -> None:
        try:
            counts.append(leases.ensure("sync", [DueKey(key, WorkClass.CATCH_UP) for key in order]))
        finally:
            close_old_connections()
            connection.close()

    threads = [threading.Thread(target=make_due, args=(order,)) for order in (keys, keys[::-1]) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert leases.count_due(["sync"], limit=1000) == {"sync": sum(counts)} == {"sync": 300}


def test_housekeeping_forgets_what_is_old_and_rests(leases: PostgresLeases) -> None:
    IdempotentAnswer.objects.create(account="ann", key="old", request_digest="x")
    IdempotentAnswer.objects.update(created_at="2020-01-01T00:00:00Z")
    IdempotentAnswer.objects.create(account="ann", key="new", request_digest="x")
    controller = Housekeeping(leases)
    slices = InProcessDispatch(leases).run_until_quiet({"housekeeping": controller})
    assert slices == len(list(controller.due()))
    assert [row.key for row in IdempotentAnswer.objects.all()] == ["new"]
