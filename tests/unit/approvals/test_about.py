"""Which upgrades a policy is about, and which of several policies then counts."""

from __future__ import annotations

import pytest

from migrations_app.domain.approvals.about import ANY, About, Subject, about_from
from migrations_app.domain.approvals.policy import Policy, Purpose, Scope, checked, effective
from migrations_app.kernel.errors import Invalid

TO_V2 = Subject("v1", "v2")


@pytest.mark.parametrize(
    ("about", "subject", "meant"),
    [
        (ANY, TO_V2, True),
        (ANY, None, True),
        (About(to_version="v2*"), TO_V2, True),
        (About(to_version="v2*"), None, False),
        (About(to_version="v3"), TO_V2, False),
        (About(from_version="v1*", to_version="v2"), Subject("v1beta1", "v2"), True),
        (About(from_version="v0*", to_version="v2"), TO_V2, False),
        (About(kinds=("data", "location")), TO_V2, False),
        (About(kinds=("location",)), Subject("v1", "v1", "location"), True),
        (About(without_rollback=True), TO_V2, False),
        (About(without_rollback=True), Subject("v1", "v2", rollback=False), True),
    ],
)
def test_all_that_is_named_must_hold(about: About, subject: Subject | None, meant: bool) -> None:
    assert about.meets(subject) is meant


def test_what_is_asked_for_is_written_and_read_back_without_what_is_not() -> None:
    about = About(to_version="v2*", kinds=("location", "version"), without_rollback=True)
    assert about_from(about.as_json()) == about
    assert (ANY.as_json(), str(ANY), about.weight) == ({}, "any", 3)
    assert str(about) == "to v2* of location or version without a rollback"


def test_in_one_scope_the_policy_about_these_upgrades_wins_and_elsewhere_the_scope_does() -> None:
    rules = [
        Policy("all", Purpose.SWITCH, needed=4),
        Policy("to-v2", Purpose.SWITCH, needed=1, about=About(to_version="v2")),
        Policy("eu", Purpose.SWITCH, Scope(region="eu-1"), needed=2),
    ]

    def pick(region: str, subject: Subject | None) -> str:
        return effective(rules, Purpose.SWITCH, "s", region, "local", subject).name

    assert (pick("us-1", TO_V2), pick("us-1", Subject("v1", "v3")), pick("us-1", None)) == (
        "to-v2",
        "all",
        "all",
    )
    assert pick("eu-1", TO_V2) == "eu"


def test_a_policy_about_all_upgrades_keeps_the_digest_that_votes_were_given_for() -> None:
    plain = Policy("p", Purpose.SWITCH, needed=2)
    assert plain.digest == "1fa0774fa8c8a97ffc5443b7b7e7664f4f08a9d8904db0fb6e68f1d803c85089"
    assert Policy("p", Purpose.SWITCH, needed=2, about=About(to_version="v2")).digest != plain.digest


def test_an_eviction_is_no_upgrade() -> None:
    with pytest.raises(Invalid) as caught:
        checked(Policy("p", Purpose.EVICT, needed=2, group="admin", about=About(to_version="v2")))
    assert [each.path for each in caught.value.violations] == ["about"]
