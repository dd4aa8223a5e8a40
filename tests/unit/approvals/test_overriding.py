"""Going past windows and freezes: only who is named may, and all that stands in the way is lifted, or nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from migrations_app.domain.approvals.overriding import Where, in_the_way, override, ruled
from migrations_app.domain.approvals.policy import Scope
from migrations_app.domain.approvals.windows import Effect, WindowSpan
from migrations_app.kernel.errors import Conflict, Denied

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HERE = Where("secrets.example.com", "eu-1", "prod")
FREEZE = WindowSpan(
    "audit", Effect.DENY, "UTC", cron="0 0 * * *", minutes=1440, overriders=("olga", "role releaser")
)
STRICT = replace(FREEZE, name="year-end", overriders=())
NIGHTS = WindowSpan(
    "nights", Effect.ALLOW, "UTC", cron="0 22 * * *", minutes=60, overriders=("role operator",)
)
ELSEWHERE = replace(FREEZE, name="us", scope=Scope("*", "us-*", "*"))


def names(rules: tuple[WindowSpan, ...]) -> list[str]:
    return [rule.name for rule in rules]


def test_what_stands_in_the_way_is_every_open_freeze_and_then_the_shut_windows() -> None:
    assert names(in_the_way([FREEZE, ELSEWHERE, NIGHTS, STRICT], NOON, HERE)) == [
        "audit",
        "year-end",
        "nights",
    ]
    assert names(in_the_way([ELSEWHERE], NOON, HERE)) == []
    assert ruled([FREEZE, NIGHTS], NOON, HERE, ["audit"]).allowed is False
    assert ruled([FREEZE, NIGHTS], NOON, HERE, ["audit", "nights"]).allowed is True


@pytest.mark.parametrize(
    ("who", "groups"), [("olga", ()), ("ann", ("releaser", "viewer")), ("ann", ("releaser", "operator"))]
)
def test_who_is_named_or_has_a_role_that_is_lifts_a_freeze(who: str, groups: tuple[str, ...]) -> None:
    assert names(override([FREEZE], NOON, HERE, who, groups)) == ["audit"]


def test_the_refusal_names_who_can() -> None:
    with pytest.raises(Denied) as caught:
        override([FREEZE], NOON, HERE, "ann", ("viewer",))
    assert caught.value.who_can == ("olga", "role releaser")
    assert caught.value.message == "The freeze audit may be overridden by olga, role releaser."
    with pytest.raises(Denied) as refused:
        override([FREEZE, STRICT], NOON, HERE, "olga", ())
    assert refused.value.message == "No account may override the freeze year-end."
    with pytest.raises(Denied):
        # A role is no person: an account with its name gains nothing.
        override([FREEZE], NOON, HERE, "releaser", ())


def test_a_window_that_the_policy_asks_for_is_lifted_with_what_shuts_it() -> None:
    asked = Where(HERE.service, HERE.region, HERE.environment, needed=True)
    assert names(override([NIGHTS], NOON, asked, "ann", ("operator",))) == ["nights"]
    assert ruled([NIGHTS], NOON, asked, ["nights"]).allowed is True
    with pytest.raises(Conflict) as none:
        override([], NOON, asked, "ann", ("operator",))
    assert none.value.code == "window-none"
    with pytest.raises(Conflict) as nothing:
        override([ELSEWHERE], NOON, HERE, "olga", ())
    assert nothing.value.code == "window-open"
