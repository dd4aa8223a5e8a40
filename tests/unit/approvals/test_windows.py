"""Windows and freezes over zones and clock changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.approvals.cron import parse
from migrations_app.domain.approvals.policy import Scope
from migrations_app.domain.approvals.windows import (
    Effect,
    WindowSpan,
    ahead,
    checked,
    occurrences,
    open_at,
    rule_at,
)
from migrations_app.kernel.errors import Invalid


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type,misc]


NIGHTS = WindowSpan("nights", Effect.ALLOW, "Europe/Warsaw", cron="0 22 * * mon-thu", minutes=240)
XMAS = WindowSpan(
    "xmas",
    Effect.DENY,
    "UTC",
    starts=datetime(2026, 12, 23),  # noqa: DTZ001
    ends=datetime(2026, 12, 27),  # noqa: DTZ001
    reason="holidays",
)


def ask(rules: list[WindowSpan], at: datetime, needed: bool = False) -> tuple[bool, str]:
    ruling = rule_at(rules, at, "secrets.example.com", "eu-1", "prod", needed)
    return ruling.allowed, ruling.sentence


def test_outside_every_rule_it_is_allowed_unless_a_window_is_asked_for() -> None:
    assert ask([], utc(2026, 11, 2, 12)) == (True, "No window or freeze applies.")
    assert ask([], utc(2026, 11, 2, 12), needed=True) == (
        False,
        "The policy asks for a window, and none is coming.",
    )


def test_no_switch_begins_so_late_that_it_would_run_over_the_end_of_its_window() -> None:
    fits = replace(NIGHTS, overrun_minutes=30)
    assert ask([fits], utc(2026, 11, 3, 0, 29))[0]
    allowed, sentence = ask([fits], utc(2026, 11, 3, 0, 30))
    assert not allowed
    assert sentence.startswith(
        "The window nights is about to close, and no switch begins in its last 30 minutes; "
    )
    assert sentence.endswith("nights opens at 2026-11-03 21:00 UTC.")
    assert ask([fits, replace(NIGHTS, name="more")], utc(2026, 11, 3, 0, 30))[0], "another window is open"


def test_no_switch_begins_shortly_before_a_freeze_that_asks_for_it() -> None:
    early = replace(XMAS, overrun_minutes=60)
    assert ask([early], utc(2026, 12, 22, 22, 59))[0]
    assert ask([early], utc(2026, 12, 22, 23, 0)) == (
        False,
        "The freeze xmas opens at 2026-12-23 00:00 UTC: holidays; no switch begins in the 60 minutes before.",
    )
    assert ask([XMAS], utc(2026, 12, 22, 23, 0))[0]


@pytest.mark.parametrize("minutes", [-1, 240, 1441])
def test_a_window_in_which_no_switch_could_begin_is_refused(minutes: int) -> None:
    with pytest.raises(Invalid) as refused:
        checked(replace(NIGHTS, overrun_minutes=minutes))
    assert refused.value.code == "window-overrun"


def test_a_window_opens_in_its_own_zone() -> None:
    assert ask([NIGHTS], utc(2026, 11, 2, 20, 59)) == (
        False,
        "No window is open; nights opens at 2026-11-02 21:00 UTC.",
    )
    assert ask([NIGHTS], utc(2026, 11, 2, 21, 0)) == (
        True,
        "The window nights is open until 2026-11-03 01:00 UTC.",
    )
    assert ask([NIGHTS], utc(2026, 11, 3, 1, 0))[0] is False


def test_deny_beats_allow() -> None:
    always = WindowSpan("always", Effect.ALLOW, "UTC", cron="0 0 * * *", minutes=1440)
    assert ask([always, XMAS], utc(2026, 12, 24, 3)) == (
        False,
        "The freeze xmas forbids it until 2026-12-27 00:00 UTC: holidays.",
    )
    assert ask([always, XMAS], utc(2026, 12, 27, 0))[0] is True
    # A reason that is a whole sentence ends once.
    sentence = replace(XMAS, reason="Accounts are closed.")
    assert ask([sentence], utc(2026, 12, 24, 3))[1].endswith("UTC: Accounts are closed.")


def test_a_rule_counts_only_in_its_scope() -> None:
    other = WindowSpan("us", Effect.DENY, "UTC", Scope(region="us-*"), cron="0 0 * * *", minutes=1440)
    assert ask([other], utc(2026, 11, 2))[0] is True


def test_a_time_the_clocks_skip_opens_after_the_change_and_says_so() -> None:
    gap = WindowSpan("gap", Effect.ALLOW, "Europe/Warsaw", cron="30 2 * * sun", minutes=60)
    found = occurrences(gap, utc(2026, 3, 28), count=2)
    assert [(each.opens, each.note) for each in found] == [
        (utc(2026, 3, 29, 1, 30), "the clocks skip this time; it opens after the change"),
        (utc(2026, 4, 5, 0, 30), ""),
    ]


def test_a_time_the_clocks_show_twice_opens_the_first_time() -> None:
    twice = WindowSpan("twice", Effect.ALLOW, "Europe/Warsaw", cron="30 2 * * sun", minutes=60)
    first = occurrences(twice, utc(2026, 10, 24), count=1)[0]
    assert (first.opens, first.note) == (
        utc(2026, 10, 25, 0, 30),
        "the clocks show this time twice; it opens the first time",
    )


@pytest.mark.parametrize("line", ["", "* * * *", "61 * * * *", "5-1 * * * *", "* * * foo *", "*/0 * * * *"])
def test_a_wrong_cron_line_is_refused(line: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse(line)
    assert caught.value.code == "cron"


def test_day_and_weekday_are_joined_as_cron_does() -> None:
    cron = parse("0 9 1 * fri")
    assert cron.on(utc(2026, 11, 1).date())
    assert cron.on(utc(2026, 11, 6).date())
    assert not cron.on(utc(2026, 11, 5).date())
    assert parse("*/20 8-9 * jan-mar 7").minutes == {0, 20, 40}


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (WindowSpan("z", Effect.ALLOW, "Mars/Olympus", cron="0 0 * * *", minutes=5), "zone"),
        (WindowSpan("m", Effect.ALLOW, "UTC", cron="0 0 * * *"), "window-span"),
        (WindowSpan("n", Effect.ALLOW, "UTC"), "window-span"),
    ],
)
def test_a_rule_that_cannot_open_is_refused(rule: WindowSpan, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        checked(rule)
    assert caught.value.code == code


@settings(max_examples=60)
@given(
    st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1)),  # noqa: DTZ001
    st.sampled_from(("UTC", "Europe/Warsaw", "America/New_York", "Australia/Lord_Howe")),
)
def test_open_agrees_with_the_listed_occurrences(at: datetime, zone: str) -> None:
    moment = at.replace(tzinfo=UTC)
    rule = WindowSpan("r", Effect.ALLOW, zone, cron="15 1,13 * * *", minutes=180)
    listed = [o for o in occurrences(rule, moment - timedelta(days=1), 10, 4) if o.opens <= moment < o.closes]
    assert (open_at(rule, moment) is not None) == bool(listed)


def test_a_week_is_parted_by_the_rule_that_wins() -> None:
    spans = ahead([NIGHTS, XMAS], utc(2026, 12, 21, 12), utc(2026, 12, 28, 12), "s", "eu-1", "prod")
    assert [(span.opens, span.closes, span.allowed, span.winner) for span in spans] == [
        (utc(2026, 12, 21, 12), utc(2026, 12, 21, 21), False, ""),
        (utc(2026, 12, 21, 21), utc(2026, 12, 22, 1), True, "nights"),
        (utc(2026, 12, 22, 1), utc(2026, 12, 22, 21), False, ""),
        (utc(2026, 12, 22, 21), utc(2026, 12, 23, 0), True, "nights"),
        (utc(2026, 12, 23, 0), utc(2026, 12, 27, 0), False, "xmas"),
        (utc(2026, 12, 27, 0), utc(2026, 12, 28, 12), False, ""),
    ]


def test_without_rules_the_whole_week_is_one() -> None:
    (span,) = ahead([], utc(2026, 12, 21), utc(2026, 12, 28), "s", "eu-1", "prod")
    assert (span.allowed, span.winner) == (True, "")
