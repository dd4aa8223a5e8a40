"""Schedules say the same as asking the windows and freezes instant by instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.approvals.about import About, Subject
from migrations_app.domain.approvals.policy import Policy, Purpose, Scope
from migrations_app.domain.approvals.switch_schedule import ALWAYS, SwitchSchedule, switch_schedules
from migrations_app.domain.approvals.windows import Effect, WindowSpan, rule_at

# The clocks of Warsaw go back on 25 October.
AT = datetime(2026, 10, 20, 0, 0, tzinfo=UTC)
STEP = timedelta(minutes=30)
WHERE = ("s.example.com", "eu-1", "local")
NIGHTS = WindowSpan(
    "nights", Effect.ALLOW, "Europe/Warsaw", cron="0 22 * * *", minutes=120, overrun_minutes=30
)
WEEKEND = WindowSpan("weekend", Effect.ALLOW, "UTC", cron="0 6 * * 6", minutes=360)
FREEZE = WindowSpan(
    "freeze",
    Effect.DENY,
    "UTC",
    starts=datetime(2026, 10, 23, 20, tzinfo=UTC),
    ends=datetime(2026, 11, 1, 12, tzinfo=UTC),
)


@pytest.mark.parametrize(
    ("rules", "needed"),
    [
        ([], False),
        ([NIGHTS], True),
        ([NIGHTS, WEEKEND], False),
        ([FREEZE], False),
        ([NIGHTS, WEEKEND, FREEZE], True),
    ],
)
def test_an_opening_is_the_first_instant_that_is_allowed(rules: list[WindowSpan], needed: bool) -> None:
    schedule = SwitchSchedule(AT, rules, *WHERE, needed)
    instants = [AT + STEP * number for number in range(48 * 16)]
    allowed = [each for each in instants if rule_at(rules, each, *WHERE, needed).allowed]
    # Asked backwards too: what was worked out for a later instant serves the earlier ones.
    for at in [*reversed(instants[: 48 * 14 : 7]), *instants[: 48 * 14 : 5]]:
        first = next(each for each in allowed if each >= at)
        opening = schedule.opening(at)
        assert opening is not None
        assert opening.at == first, at


def test_what_never_opens_has_no_opening_and_says_why() -> None:
    schedule = SwitchSchedule(AT, [], *WHERE, True)
    assert schedule.opening(AT) is None
    assert str(schedule.words) == "The policy asks for a window, and none is coming."
    long = WindowSpan(
        "long",
        Effect.DENY,
        "UTC",
        starts=datetime(2026, 10, 1, tzinfo=UTC),
        ends=datetime(2027, 10, 1, tzinfo=UTC),
    )
    frozen = SwitchSchedule(AT, [long], *WHERE)
    assert frozen.opening(AT) is None
    assert str(frozen.words) == "The freeze long forbids it until 2027-10-01 00:00 UTC."
    late = SwitchSchedule(AT, [NIGHTS], *WHERE)
    assert late.opening(AT + timedelta(days=100)) is None
    assert ALWAYS.opening(AT + timedelta(days=100)) is not None


def test_an_opening_says_what_is_waited_for() -> None:
    opening = SwitchSchedule(AT, [NIGHTS], *WHERE).opening(AT)
    assert opening is not None
    assert str(opening.words) == "its window nights opens at 2026-10-20 20:00 UTC"
    frozen = SwitchSchedule(AT, [FREEZE], *WHERE).opening(datetime(2026, 10, 24, tzinfo=UTC))
    assert frozen is not None
    assert str(frozen.words) == "the freeze freeze ends at 2026-11-01 12:00 UTC"


def test_equal_rules_share_a_schedule_and_a_policy_about_the_upgrade_asks_for_a_window() -> None:
    nights = WindowSpan("nights", Effect.ALLOW, "UTC", Scope(region="eu-*"), cron="0 22 * * *", minutes=60)
    strict = Policy(
        "strict", Purpose.SWITCH, Scope(service="pay.*"), window_needed=True, about=About(to_version="v2")
    )
    subject = Subject("v1", "v2")
    found = switch_schedules(
        [
            ("a.example.com", "eu-1", subject),
            ("b.example.com", "eu-2", subject),
            ("a.example.com", "us-1", subject),
            ("pay.example.com", "us-1", subject),
        ],
        [nights],
        [strict],
        AT,
        "local",
    )
    assert found["a.example.com", "eu-1"] is found["b.example.com", "eu-2"]
    openings = {place: schedule.opening(AT) for place, schedule in found.items()}
    assert openings["pay.example.com", "us-1"] is None
    eu, us = openings["a.example.com", "eu-1"], openings["a.example.com", "us-1"]
    assert eu is not None
    assert us is not None
    assert (eu.at, us.at) == (AT.replace(hour=22), AT)
