"""No account gives what it does not hold, nor wider than it holds it."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.access import PERMISSIONS, Actor, ActorKind, Grant, actor_with, decide
from migrations_app.domain.granting import check_gives, check_made, not_held
from migrations_app.domain.reach import lies_within
from migrations_app.kernel.errors import Denied, Invalid

GLOBS = st.text(alphabet="ab*?", min_size=1, max_size=4)
NAMES = st.text(alphabet="ab", min_size=1, max_size=4)


@given(glob=GLOBS, of=GLOBS, name=NAMES)
def test_what_lies_within_a_glob_names_nothing_beyond_it(glob: str, of: str, name: str) -> None:
    if lies_within(glob, of) and fnmatchcase(name, glob):
        assert fnmatchcase(name, of)


def test_a_giver_gives_what_they_hold_where_they_hold_it() -> None:
    here = Actor(ActorKind.USER, "ann", grants=(Grant("operator", region="eu-*"),))
    assert not_held(here, Grant("operator", region="eu-1")) == ()
    assert not_held(here, Grant("viewer", region="eu-1*")) == ()
    assert "upgrade.switch" in not_held(here, Grant("operator"))
    assert not_held(here, Grant("approver", region="eu-1")) == ("approval.vote",)
    assert not_held(actor_with("root", "admin"), Grant("admin")) == ()


def test_a_token_gives_no_more_than_its_scopes() -> None:
    pipeline = Actor(ActorKind.TOKEN, "root", grants=(Grant("admin"),), scopes=("access.*",))
    with pytest.raises(Denied) as refused:
        check_gives(pipeline, Grant("viewer"))
    assert refused.value.code == "more-than-held"


def test_a_made_role_carries_what_it_lists_and_nothing_else() -> None:
    made = Actor(
        ActorKind.USER, "ann", grants=(Grant("switcher", permissions=("upgrade.switch", "fleet.read")),)
    )
    assert [name for name in PERMISSIONS if decide(made, name).allowed] == ["fleet.read", "upgrade.switch"]
    gone = Actor(ActorKind.USER, "ann", grants=(Grant("gone", permissions=()),))
    assert not decide(gone, "fleet.read").allowed


@pytest.mark.parametrize(
    ("name", "permissions", "code"),
    [
        ("admin", ["fleet.read"], "role-name"),
        ("Switcher", ["fleet.read"], "role-name"),
        ("switcher", ["fleet.fly"], "unknown-permission"),
        ("switcher", ["upgrade.*"], "unknown-permission"),
        ("switcher", [], "role-empty"),
    ],
)
def test_a_role_is_made_of_known_permissions_under_a_free_name(
    name: str, permissions: list[str], code: str
) -> None:
    with pytest.raises(Invalid) as refused:
        check_made(name, permissions)
    assert refused.value.code == code
    assert check_made("switcher", ["upgrade.switch", "fleet.read", "fleet.read"]) == (
        "fleet.read",
        "upgrade.switch",
    )
