"""How many failed attempts are admitted, how the waits grow, and what is forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.attempts import AttemptCount, AttemptLimit
from migrations_app.kernel.errors import Busy

NOW = datetime(2026, 3, 1, 14, tzinfo=UTC)
LIMIT = AttemptLimit("test", free=5)


def fail(count: AttemptCount, at: datetime) -> AttemptCount:
    return count.begin(LIMIT, at).end(LIMIT, at, failed=True)


def test_waits_double_up_to_the_longest() -> None:
    count, now, waits = AttemptCount(), NOW, []
    for _ in range(12):
        count = fail(count, now)
        until = count.blocked_until or now
        waits.append(int((until - now).total_seconds()))
        if until > now:
            with pytest.raises(Busy) as refused:
                count.begin(LIMIT, until - timedelta(seconds=1))
            assert refused.value.retry_after_seconds == 1.0
        now = max(until, now)
    assert waits == [0, 0, 0, 0, 60, 120, 240, 480, 900, 900, 900, 900]


def test_attempts_under_way_count_as_failures_until_they_end() -> None:
    count = fail(fail(AttemptCount(), NOW), NOW)
    for _ in range(3):
        count = count.begin(LIMIT, NOW)
    with pytest.raises(Busy):
        count.begin(LIMIT, NOW)
    count = count.end(LIMIT, NOW, failed=False)
    assert count.begin(LIMIT, NOW).running == 3


def test_after_the_free_ones_a_single_attempt_goes_on_at_a_time() -> None:
    count = AttemptCount(failures=40, failed_at=NOW, blocked_until=NOW).begin(LIMIT, NOW)
    with pytest.raises(Busy):
        count.begin(LIMIT, NOW)


def test_an_attempt_whose_process_died_does_not_count_for_ever() -> None:
    count = AttemptCount()
    for _ in range(5):
        count = count.begin(LIMIT, NOW)
    assert count.begin(LIMIT, NOW + timedelta(minutes=1)).running == 1


def test_failures_are_forgotten_a_day_after_the_last() -> None:
    count = AttemptCount()
    for minute in range(6):
        count = fail(count, NOW + timedelta(minutes=minute * 20))
    last = count.failed_at
    assert last is not None
    late = last + timedelta(hours=23, minutes=59)
    assert fail(count, late).blocked_until == late + timedelta(minutes=4)
    assert fail(count, last + timedelta(days=1)).failures == 1
