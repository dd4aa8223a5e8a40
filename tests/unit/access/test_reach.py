"""How far a permission reaches: what lists show is what single things are shown of, and no more."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.access import (
    NOBODY,
    ROLES,
    SYSTEM,
    Actor,
    ActorKind,
    Grant,
    Target,
    decide,
    reach_of,
)
from migrations_app.domain.reach import ALL, Reach

GLOBS = st.sampled_from(["*", "iam", "i*", "?am", "[!i]*", "secrets", "eu-1", "eu-*", "nothing.*"])
NAMES = st.sampled_from(["", "iam", "secrets", "eu-1", "eu-2", "us-1"])
GRANTS = st.builds(Grant, st.sampled_from(sorted(ROLES)), GLOBS, GLOBS)
ACTIONS = st.sampled_from(["fleet.read", "upgrade.read", "audit.read", "approval.vote", "access.manage"])
SCOPES = st.sampled_from([None, ("*",), ("fleet.*",), ("upgrade.read",)])


@given(st.lists(GRANTS, max_size=3), ACTIONS, SCOPES, NAMES, NAMES)
def test_a_list_shows_what_would_be_shown_alone(
    grants: list[Grant], action: str, scopes: tuple[str, ...] | None, service: str, region: str
) -> None:
    actor = Actor(ActorKind.USER, "vera", tuple(grants), scopes)
    alone = decide(actor, action, Target("deployment", "", service, region)).allowed
    assert reach_of(actor, action).covers(service, region) is alone


def test_nobody_reaches_anything_and_switchyard_everything_that_is_not_for_people() -> None:
    assert reach_of(NOBODY, "fleet.read") == Reach()
    assert not Reach().covers()
    assert reach_of(SYSTEM, "fleet.read") == ALL
    assert reach_of(SYSTEM, "approval.vote") == Reach()
