"""The outbox: numbers follow visibility, so that no event slips behind a reader."""

from __future__ import annotations

import threading

import pytest
from django.db import connections, transaction

from migrations_app.control.events import outbox
from migrations_app.models.outbox import OutboxEvent

pytestmark = pytest.mark.django_db(transaction=True)


def _tell(id: str) -> None:
    outbox.publish("fleet", "cell", id, full={"state": id}, rev=1)


def test_a_late_commit_comes_after_what_was_already_read() -> None:
    written, committed = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                _tell("early-written")
                written.set()
                committed.wait()
        finally:
            connections.close_all()

    writer = threading.Thread(target=slow)
    writer.start()
    written.wait()
    _tell("late-written")
    first = outbox.read(0, outbox.number().seq)
    assert [(event.seq, event.id) for event in first] == [(1, "late-written")]
    committed.set()
    writer.join()
    second = outbox.read(1, outbox.number().seq)
    assert [(event.seq, event.id) for event in second] == [(2, "early-written")]


def test_many_writers_and_readers_see_every_event_once_in_one_order() -> None:
    done = threading.Event()
    seen: list[list[int]] = [[], []]

    def write(name: str) -> None:
        try:
            for number in range(25):
                with transaction.atomic():
                    _tell(f"{name}-{number}")
        finally:
            connections.close_all()

    def read(mine: list[int]) -> None:
        try:
            last = 0
            while True:
                over = done.is_set()
                for event in outbox.read(last, outbox.number().seq):
                    mine.append(event.seq)
                    last = event.seq
                if over:
                    return
        finally:
            connections.close_all()

    writers = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(4)]
    readers = [threading.Thread(target=read, args=(mine,)) for mine in seen]
    for thread in (*writers, *readers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in readers:
        thread.join()
    assert seen == [list(range(1, 101))] * 2


def test_what_is_rolled_back_is_never_told() -> None:
    with transaction.atomic():
        _tell("never")
        transaction.set_rollback(True)
    assert outbox.number() == outbox.OutboxRange(seq=0, pruned=0)


def test_pruning_remembers_how_far_it_went() -> None:
    for id in "abc":
        _tell(id)
    outbox.number()
    OutboxEvent.objects.filter(key__in="ab").update(at="2020-01-01T00:00:00Z")
    assert outbox.prune(3600, 100) == 2
    assert outbox.number() == outbox.OutboxRange(seq=3, pruned=2)
    _tell("d")
    assert [(event.seq, event.id) for event in outbox.read(2, outbox.number().seq)] == [(3, "c"), (4, "d")]


def test_events_without_watchers_are_pruned_all_the_same() -> None:
    rows = [
        OutboxEvent(at="2020-01-01T00:00:00Z", topic="fleet", kind="cell", key=str(n)) for n in range(4_500)
    ]
    OutboxEvent.objects.bulk_create(rows)
    assert outbox.prune(3600, 5_000) == 4_500
    assert outbox.number() == outbox.OutboxRange(seq=4_500, pruned=4_500)


def test_an_event_keeps_its_shape() -> None:
    outbox.publish("upgrade:7", "upgrade", "7", patch={"paused": True}, rev=4)
    outbox.publish("upgrade:7", "upgrade", "7", rev=5)
    changed, gone = outbox.read(0, outbox.number().seq)
    assert (changed.full, changed.patch, changed.rev, changed.gone) == (None, {"paused": True}, 4, False)
    assert gone.gone
