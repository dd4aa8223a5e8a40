"""When a person is told: at once or gathered, and never in their quiet hours."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.notices import Hours, NotificationPace, check_hours, due_at
from migrations_app.kernel.errors import Invalid

NIGHT = Hours("Europe/Warsaw", time(22), time(7), time(8))
CLOCKS = st.times().map(lambda at: at.replace(second=0, microsecond=0))
YEAR = 366 * 24 * 3600
MOMENTS = st.integers(0, YEAR).map(lambda after: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=after))
ZONES = st.sampled_from(["UTC", "Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@given(
    now=MOMENTS,
    zone=ZONES,
    begin=CLOCKS,
    end=CLOCKS,
    daily=CLOCKS,
    pace=st.sampled_from(list(NotificationPace)),
)
def test_no_notification_is_early_or_in_quiet_hours_or_later_than_needed(
    now: datetime, zone: str, begin: time, end: time, daily: time, pace: NotificationPace
) -> None:
    hours = Hours(zone, begin, end, daily)
    told = due_at(now, pace, hours)
    assert told >= now
    assert not hours.is_quiet(told)
    assert (told - now).total_seconds() <= 50 * 3600


@pytest.mark.parametrize(
    ("now", "pace", "told"),
    [
        ("2026-03-10 12:00:30", NotificationPace.AT_ONCE, "2026-03-10 12:00:30"),
        ("2026-03-10 21:30", NotificationPace.AT_ONCE, "2026-03-11 06:00"),
        ("2026-03-11 03:00", NotificationPace.AT_ONCE, "2026-03-11 06:00"),
        ("2026-03-10 12:00:30", NotificationPace.HOURLY, "2026-03-10 13:00"),
        ("2026-03-10 20:30", NotificationPace.HOURLY, "2026-03-11 06:00"),
        ("2026-03-10 12:00", NotificationPace.DAILY, "2026-03-11 07:00"),
        ("2026-03-10 06:59", NotificationPace.DAILY, "2026-03-10 07:00"),
        # The clocks went forward in the night of the 29th: seven in the morning is an hour earlier.
        ("2026-03-28 22:00", NotificationPace.AT_ONCE, "2026-03-29 05:00"),
    ],
)
def test_what_happens_in_the_night_waits_for_the_morning_of_its_reader(
    now: str, pace: NotificationPace, told: str
) -> None:
    assert due_at(at(now), pace, NIGHT) == at(told)


def test_a_daily_digest_that_falls_into_quiet_hours_comes_right_after_them() -> None:
    hours = Hours("UTC", time(22), time(7), time(6))
    assert due_at(at("2026-03-10 12:00"), NotificationPace.DAILY, hours) == at("2026-03-11 07:00")


def test_hours_that_cannot_be_kept_are_refused() -> None:
    for hours, code in ((Hours("Mars/Base"), "zone"), (Hours(quiet_from=time(1)), "quiet-hours")):
        with pytest.raises(Invalid) as refused:
            check_hours(hours)
        assert refused.value.code == code
