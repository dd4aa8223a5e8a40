"""A slowing is told only while a worker is slowed and has reported it just now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.switch.write_slowdown import (
    PACE_LIMIT_SECONDS,
    WorkerPace,
    WriteSlowdown,
    find_slowdown,
)
from migrations_app.kernel.messages import WordedMessage

NOW = datetime(2026, 11, 25, 12, 0, 10, tzinfo=UTC)
SINCE = NOW - timedelta(seconds=65)


def pace(age: float, pace: float = 0.4, since: datetime | None = SINCE) -> WorkerPace:
    return WorkerPace(NOW - timedelta(seconds=age), pace, 0.0312, 0.0142, since)


def test_a_worker_that_is_slowed_is_told_with_its_measurements() -> None:
    assert find_slowdown(NOW, [pace(2)]) == WriteSlowdown(
        "Copying and comparing are slowed since 2026-11-25 11:59:05 UTC, to 0.4 s of work a second: "
        "95 % of the writes took up to 31.2 ms, and up to 14.2 ms without this work.",
        SINCE,
        NOW - timedelta(seconds=2),
    )


def test_workers_are_added_up() -> None:
    later = SINCE + timedelta(seconds=30)
    found = find_slowdown(NOW, [pace(3, 0.5, later), pace(1, 0.25), pace(2, 4.0, None)])
    assert found is not None
    assert str(WordedMessage(found.phrases)) == found.sentence
    assert found.sentence.startswith(
        "Copying and comparing are slowed since 2026-11-25 11:59:05 UTC, to 4.8 s of work"
    )
    assert (found.since, found.reported_at) == (SINCE, NOW - timedelta(seconds=1))


@pytest.mark.parametrize("paces", [[], [pace(1, 4.0, None)], [pace(PACE_LIMIT_SECONDS + 0.1)]])
def test_nothing_is_told_that_is_not_so_now(paces: list[WorkerPace]) -> None:
    assert find_slowdown(NOW, paces) is None
