"""Conditions of grants: their laws, the sentence that refuses, and that no account gives a wider one on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.access import Actor, ActorKind, Grant, Target, counting, decide
from migrations_app.domain.conditions import ALWAYS, EVERY_DAY, Conditions, conditions_from
from migrations_app.domain.granting import check_gives
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.messages import message

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata")
NETWORKS = ("10.0.0.0/8", "10.20.0.0/16", "10.20.30.0/24", "192.0.2.7/32", "2001:db8::/32")
ADDRESSES = ("10.1.1.1", "10.20.1.1", "10.20.30.40", "192.0.2.7", "2001:db8::1", "")
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
OFFICE = Conditions((1, 2, 3, 4, 5), 8 * 60, 18 * 60, "Europe/Berlin", ("10.0.0.0/8",))

LAW = settings(deadline=None, max_examples=60)
quarters = st.integers(0, 95).map(lambda at: at * 15)
minutes = st.integers(0, 24 * 60 - 1)
hours = st.one_of(
    st.just((None, None)), st.sampled_from([(480, 1080), (1320, 360), (0, 1439)]), st.tuples(minutes, minutes)
).filter(lambda pair: pair[0] is None or pair[0] != pair[1])
conditions = st.builds(
    lambda days, pair, zone, networks: conditions_from(
        Conditions(tuple(sorted(days)), *pair, zone, tuple(networks)).as_json()
    ),
    st.sets(st.sampled_from(EVERY_DAY)),
    hours,
    st.sampled_from(ZONES),
    st.lists(st.sampled_from(NETWORKS), unique=True, max_size=2),
)
moments = st.integers(0, 365 * 1440).map(lambda at: MONDAY + timedelta(minutes=at))
addresses = st.sampled_from(ADDRESSES)


@LAW
@given(conditions)
def test_conditions_read_back_what_they_wrote(of: Conditions) -> None:
    assert conditions_from(of.as_json()) == of


@LAW
@given(moments, addresses)
def test_nothing_asked_for_always_holds(at: datetime, address: str) -> None:
    assert not ALWAYS.failing(at, address)


@LAW
@given(conditions, conditions, moments, addresses)
def test_what_lies_within_another_never_holds_where_that_does_not(
    one: Conditions, other: Conditions, at: datetime, address: str
) -> None:
    if one.within(other) and not one.failing(at, address):
        assert not other.failing(at, address)


@LAW
@given(conditions)
def test_everything_lies_within_itself_and_within_nothing_asked_for(of: Conditions) -> None:
    assert of.within(ALWAYS)
    overnight = of.start is not None and of.end is not None and of.end <= of.start
    assert of.within(of) or overnight


@LAW
@given(
    st.sets(st.sampled_from(EVERY_DAY), min_size=1),
    st.tuples(quarters, quarters).filter(lambda pair: pair[0] != pair[1]),
)
def test_in_a_week_a_role_counts_its_hours_on_each_of_its_days(days: set[int], pair: tuple[int, int]) -> None:
    of = Conditions(tuple(sorted(days)), *pair)
    counted = sum(not of.failing(MONDAY + timedelta(minutes=at), "") for at in range(0, 7 * 1440, 15))
    assert counted * 15 == len(days) * ((pair[1] - pair[0]) % 1440)


@LAW
@given(st.lists(conditions, max_size=4), moments, addresses)
def test_every_grant_either_counts_or_says_why_not(
    each: list[Conditions], at: datetime, address: str
) -> None:
    grants = tuple(Grant("viewer", conditions=one) for one in each)
    now, withheld = counting(grants, at, address)
    assert sorted(map(str, (*now, *(grant for grant, _ in withheld)))) == sorted(map(str, grants))
    assert all(why for _, why in withheld)


@pytest.mark.parametrize(
    ("at", "address", "said"),
    [
        (MONDAY.replace(hour=7, minute=0), "10.1.1.1", ""),
        (MONDAY.replace(hour=6, minute=59), "10.1.1.1", "and it is Monday 07:59 there"),
        (MONDAY.replace(hour=17, minute=0), "10.1.1.1", "and it is Monday 18:00 there"),
        (MONDAY - timedelta(hours=12), "10.1.1.1", "and it is Sunday 13:00 there"),
        (MONDAY.replace(hour=9), "192.0.2.7", "it counts from 10.0.0.0/8, and you are at 192.0.2.7"),
    ],
)
def test_the_refusal_says_which_condition_does_not_hold(at: datetime, address: str, said: str) -> None:
    now, withheld = counting((Grant("operator", conditions=OFFICE),), at, address)
    decision = decide(
        Actor(ActorKind.USER, "ann", now, withheld=withheld), "upgrade.switch", Target("upgrade", "u1")
    )
    assert decision.allowed is (said == "")
    assert decision.reason.endswith(said + ".") if said else decision.reason.startswith("Allowed as operator")


def test_a_role_that_does_not_count_gives_nothing_and_only_a_narrower_one_is_given_on() -> None:
    boss = Actor(ActorKind.USER, "ada", (Grant("admin", conditions=OFFICE),))
    check_gives(
        boss, Grant("operator", conditions=Conditions((1, 2), 480, 1080, "Europe/Berlin", ("10.20.0.0/16",)))
    )
    for wider in (ALWAYS, Conditions((1, 6), 480, 1080, "Europe/Berlin", ("10.0.0.0/8",))):
        with pytest.raises(Denied):
            check_gives(boss, Grant("operator", conditions=wider))
    with pytest.raises(Denied):
        check_gives(
            Actor(ActorKind.USER, "ada", withheld=((Grant("admin"), message("not now")),)), Grant("viewer")
        )


@pytest.mark.parametrize(
    ("given_", "part"),
    [
        ({"days": [0]}, "days"),
        ({"days": [1, 1]}, "days"),
        ({"start": "08:00"}, "end"),
        ({"start": "08:00", "end": "08:00"}, "end"),
        ({"start": "24:00", "end": "08:00"}, "start"),
        ({"start": "8:00", "end": "09:00"}, "start"),
        ({"zone": "Mars/Base"}, "zone"),
        ({"zone": "../etc"}, "zone"),
        ({"networks": ["ten"]}, "networks"),
    ],
)
def test_conditions_that_cannot_be_met_are_refused_with_their_place(
    given_: dict[str, object], part: str
) -> None:
    with pytest.raises(Invalid) as refused:
        conditions_from(given_)  # type: ignore[arg-type]
    assert refused.value.violations[0].path == f"conditions.{part}"
