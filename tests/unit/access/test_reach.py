"""How far a permission reaches: what lists show is what single things are shown of, and no more."""

from __future__ import annotations

from fnmatch import fnmatchcase

from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.access import (
    ANONYMOUS,
    ROLES,
    SYSTEM,
    Actor,
    ActorKind,
    Grant,
    Target,
    decide,
    is_write,
    reach_of,
)
from migrations_app.domain.reach import ALL, Reach

GLOBS = st.sampled_from(["*", "iam", "i*", "?am", "[!i]*", "secrets", "eu-1", "eu-*", "nothing.*"])
NAMES = st.sampled_from(["", "iam", "secrets", "eu-1", "eu-2", "us-1"])
GRANTS = st.builds(Grant, st.sampled_from(sorted(ROLES)), GLOBS, GLOBS)
ACTIONS = st.sampled_from(["fleet.read", "upgrade.read", "audit.read", "approval.vote", "access.manage"])
WRITES = st.sampled_from(["policy.write", "registry.write", "access.manage", "approval.vote"])
SCOPES = st.sampled_from([None, ("*",), ("fleet.*",), ("upgrade.read",)])


@given(st.lists(GRANTS, max_size=3), ACTIONS, SCOPES, NAMES, NAMES)
def test_a_list_shows_what_would_be_shown_alone(
    grants: list[Grant], action: str, scopes: tuple[str, ...] | None, service: str, region: str
) -> None:
    actor = Actor(ActorKind.USER, "vera", tuple(grants), scopes)
    alone = decide(actor, action, Target("deployment", "", service, region)).allowed
    listed = reach_of(actor, action).covers(service, region)
    if is_write(action) and not (service and region):
        assert listed or not alone
    else:
        assert listed is alone


@given(st.lists(GRANTS, max_size=3), WRITES, NAMES, NAMES, st.sampled_from(["", "*"]))
def test_what_names_no_place_is_changed_by_who_may_change_it_in_all_of_them(
    grants: list[Grant], action: str, service: str, region: str, missing: str
) -> None:
    actor = Actor(ActorKind.USER, "olga", tuple(grants))
    target = Target("thing", "", service or missing, region or missing)
    wide = [
        grant
        for grant in grants
        if grant.carries(action)
        and (fnmatchcase(service, grant.service) if service else grant.service == "*")
        and (fnmatchcase(region, grant.region) if region else grant.region == "*")
    ]
    assert decide(actor, action, target).allowed is bool(wide)


def test_a_scope_that_is_a_pattern_is_covered_as_a_whole() -> None:
    narrow = Actor(ActorKind.USER, "olga", (Grant("admin", region="eu-west?"),))
    assert decide(narrow, "policy.write", Target("policy", "p", "*", "eu-west1")).allowed
    for action in ("policy.write", "window.write", "access.manage", "approval.read"):
        assert not decide(narrow, action, Target("policy", "p", "*", "eu-west*")).allowed, action


def test_an_anonymous_caller_reaches_nothing_and_switchyard_everything_that_is_not_for_people() -> None:
    assert reach_of(ANONYMOUS, "fleet.read") == Reach()
    assert not Reach().covers()
    assert reach_of(SYSTEM, "fleet.read") == ALL
    assert reach_of(SYSTEM, "approval.vote") == Reach()
