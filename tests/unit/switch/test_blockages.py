"""Causes are found from facts: each fact gives its cause, and no fact gives none."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.switch.blockages import (
    BlockageKind,
    ShardTrouble,
    WorkerPulse,
    WorkKey,
    find_blockages,
)
from migrations_app.kernel.messages import WordedMessage, verbatim

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


WORKER = WorkerPulse(ago(1), ("sync", "constraints"))
AWAY = (
    "1 of its tasks is due, the first since 2026-11-23 11:59:20 UTC: the broker does not answer, so nothing wakes the "
    "workers."
)
IDLE = WorkKey("sync", "u1/forward/0", due_at=NOW + timedelta(seconds=1))
FINE = ShardTrouble(0, reported_at=ago(1))


def causes(
    keys: tuple[WorkKey, ...] = (IDLE,),
    workers: tuple[WorkerPulse, ...] = (WORKER,),
    shards: tuple[ShardTrouble, ...] = (FINE,),
    *,
    broker_answers: bool = True,
) -> list[tuple[BlockageKind, str, datetime | None]]:
    found = find_blockages(NOW, keys, workers, shards, broker_answers=lambda: broker_answers)
    return [(cause.kind, cause.sentence, cause.since) for cause in found]


def test_nothing_is_named_where_nothing_is_the_case() -> None:
    assert causes() == []
    leased = WorkKey("sync", "u1/forward/0", due_at=ago(60), leased_until=NOW + timedelta(seconds=3))
    assert causes(keys=(leased,)) == []


@pytest.mark.parametrize(
    ("workers", "sentence", "since"),
    [
        ((), "No worker of the queue sync was heard from.", None),
        (
            (WorkerPulse(ago(300), ("sync",)), WorkerPulse(ago(1), ("switch",))),
            "No worker of the queue sync was heard from since 2026-11-23 11:55:00 UTC.",
            ago(300),
        ),
    ],
)
def test_a_worker_is_missing_only_when_none_of_its_queue_is_heard(
    workers: tuple[WorkerPulse, ...], sentence: str, since: datetime | None
) -> None:
    assert causes(workers=workers) == [(BlockageKind.NO_WORKER, sentence, since)]


def test_keys_that_are_not_taken_show_a_worker_without_time() -> None:
    late = (
        WorkKey("sync", "u1/forward/0", due_at=ago(40)),
        WorkKey("parity", "u1/forward/1", due_at=ago(20)),
    )

    assert causes(keys=(*late, IDLE)) == [
        (
            BlockageKind.WORKER_LATE,
            "2 of its tasks are due, the first since 2026-11-23 11:59:20 UTC: 1 worker cannot keep up.",
            ago(40),
        )
    ]


def test_late_keys_tell_of_the_broker_where_it_does_not_answer() -> None:
    late = WorkKey("sync", "u1/forward/0", due_at=ago(40))

    assert causes(keys=(late,), broker_answers=False) == [
        (
            BlockageKind.BROKER_UNAVAILABLE,
            AWAY,
            ago(40),
        )
    ]
    assert causes(broker_answers=False) == []


def test_a_key_that_began_again_and_again_is_named_until_it_stops_or_says_what_it_waits_for() -> None:
    again = WorkKey("sync", "u1/forward/0", attempts=4)

    sentence = "2 of its tasks began up to 4 times without a result."
    twice = (again, replace(again, key="u1/forward/1", attempts=3))
    assert causes(keys=twice) == [(BlockageKind.NO_RESULT, sentence, None)]
    assert causes(keys=(replace(again, attempts=2),)) == []
    assert [kind for kind, _, _ in causes(keys=(replace(again, waits_for=verbatim("B.")),))] == [
        BlockageKind.UNAVAILABLE
    ]


def test_stopped_keys_are_told_once_for_each_reason_with_the_first_time() -> None:
    def stopped(shard: int, reason: str, seconds: float) -> WorkKey:
        return WorkKey(
            "sync", f"u1/forward/{shard}", quarantined_at=ago(seconds), quarantine_reason=verbatim(reason)
        )

    assert causes(keys=(stopped(0, "A.", 10), stopped(1, "A.", 30), stopped(2, "B.", 5))) == [
        (BlockageKind.QUARANTINED, "2 of its tasks stopped: A.", ago(30)),
        (BlockageKind.QUARANTINED, "1 of its tasks stopped: B.", ago(5)),
    ]


def test_what_does_not_answer_is_named_in_its_own_words() -> None:
    waiting = WorkKey(
        "sync", "u1/forward/0", waits_for=verbatim("The database eu does not answer."), waits_since=ago(70)
    )

    assert causes(keys=(waiting,)) == [
        (BlockageKind.UNAVAILABLE, "The database eu does not answer.", ago(70))
    ]


def test_shards_tell_of_failures_of_resources_and_of_rests() -> None:
    shards = (
        ShardTrouble(0, error="out of memory", reported_at=ago(9)),
        ShardTrouble(1, error="labels[0] is not a string", quarantined_resources=2),
        ShardTrouble(2, throttled="commits take 300 ms; since 11:59:00 UTC"),
        ShardTrouble(3, throttled="commits take 300 ms; since 11:59:02 UTC"),
    )

    assert causes(shards=shards) == [
        (BlockageKind.SHARD_FAILED, "Shard 0 failed: out of memory", ago(9)),
        (BlockageKind.RESOURCE_QUARANTINED, "2 resources could not be carried over.", None),
        (
            BlockageKind.THROTTLED,
            "Shards 2, 3 are throttled since 2026-11-23 11:59:00 UTC: commits take 300 ms.",
            None,
        ),
    ]


@pytest.mark.parametrize("reason", ["closed; since lunch", "closed; since 25:61:00 UTC", "busy\nnode 2", ""])
def test_the_reason_of_a_rest_may_hold_any_text(reason: str) -> None:
    told = causes(shards=(ShardTrouble(0, throttled=f"{reason}; since 11:59:00 UTC"),))
    assert told == [
        (BlockageKind.THROTTLED, f"Shard 0 is throttled since 2026-11-23 11:59:00 UTC: {reason}.", None)
    ]
    if reason:
        alone = causes(shards=(ShardTrouble(0, throttled=reason),))
        assert alone == [(BlockageKind.THROTTLED, f"Shard 0 is throttled: {reason}.", None)]


times = st.one_of(st.none(), st.floats(-100, 1000).map(ago))


@given(
    st.lists(st.builds(WorkKey, st.just("sync"), st.just("u1/forward/0"), times, times, times), max_size=5),
    st.lists(st.builds(WorkerPulse, st.floats(0, 100).map(ago), st.just(("sync",))), max_size=3),
    st.booleans(),
)
def test_a_remedy_stands_beside_every_cause_and_the_ones_for_a_person_come_first(
    keys: list[WorkKey], workers: list[WorkerPulse], answers: bool
) -> None:
    found = find_blockages(NOW, keys, workers, (), broker_answers=lambda: answers)

    assert all(cause.remedy for cause in found)
    assert [str(WordedMessage(cause.phrases)) for cause in found] == [cause.sentence for cause in found]
    assert [str(WordedMessage(cause.remedy_phrases)) for cause in found] == [cause.remedy for cause in found]
    assert [cause.kind for cause in found] == sorted((c.kind for c in found), key=list(BlockageKind).index)
    missing = not any((NOW - worker.at).total_seconds() <= 20 for worker in workers)
    assert (BlockageKind.NO_WORKER in {cause.kind for cause in found}) == missing


def test_a_worker_that_holds_a_shard_and_reports_nothing_is_named() -> None:
    held = WorkKey(
        "sync", "u1/forward/0", due_at=ago(60), leased_until=NOW + timedelta(seconds=3), holder="vm:7"
    )
    silent = ShardTrouble(0, reported_at=ago(31))

    assert causes(keys=(held,), shards=(silent,)) == [
        (BlockageKind.LEASE_HELD, "Worker vm:7 holds shard 0 and reports nothing.", ago(31))
    ]
    assert causes(keys=(held,), shards=(FINE,)) == []
    assert causes(keys=(replace(held, controller="parity"),), shards=(silent,)) == []


def test_a_rate_that_a_person_set_holds_nothing_up() -> None:
    assert causes(shards=(ShardTrouble(0, throttled="held to 5 resources a second"),)) == []
