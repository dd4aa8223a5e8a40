"""Who controls an account, and the law of distinct persons tried in every order of everything that may happen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.approvals.account_control import (
    LOOKBACK,
    AccountChange,
    AccountHistory,
    ChangeKind,
    author_refusal,
)
from tests.unit.approvals.identity_model import ALL, NEW, OLD, explore

PLANNED = datetime(2026, 11, 23, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def changed(account: str, who: str, at: datetime, kind: ChangeKind = ChangeKind.PASSWORD) -> AccountChange:
    return AccountChange(account, kind, who, at, "approver" if kind is ChangeKind.ROLE else "")


@pytest.mark.parametrize(
    ("ways", "depth", "worlds"),
    [
        (ALL, 4, 90_000),
        ({"password", "create"}, 5, 10_000),
        ({"token", "create"}, 5, 20_000),
        ({"password", "token"}, 5, 10_000),
        ({"role", "account"}, 5, 10_000),
    ],
)
def test_every_order_of_everything_keeps_the_law(ways: set[str], depth: int, worlds: int) -> None:
    seen, way = explore(depth, NEW, frozenset(ways))
    assert way == ()
    assert seen > worlds


@pytest.mark.parametrize("way", sorted(ALL))
def test_the_rule_of_before_breaks_it_each_way(way: str) -> None:
    _, broken = explore(5, OLD, frozenset({way}))
    assert broken


def test_control_goes_through_as_many_accounts_as_were_changed() -> None:
    history = AccountHistory(
        (
            changed("Root", "mallory", PLANNED + MINUTE),
            changed("ann", "root", PLANNED + 2 * MINUTE),
        ),
        PLANNED,
    )
    assert set(history.control("ANN", PLANNED + 3 * MINUTE)) == {"ann", "root", "mallory"}
    assert set(history.control("ann", PLANNED + MINUTE)) == {"ann"}


@pytest.mark.parametrize(
    ("changes", "persons"),
    [
        ((changed("ann", "root", PLANNED - 2 * LOOKBACK),), {"ann", "root"}),
        (
            (changed("ann", "root", PLANNED - 3 * LOOKBACK), changed("ann", "ann", PLANNED - 2 * LOOKBACK)),
            {"ann"},
        ),
        ((changed("ann", "root", PLANNED - MINUTE), changed("ann", "ann", PLANNED)), {"ann", "root"}),
        ((changed("ann", "root", PLANNED - 2 * LOOKBACK), changed("ann", "ann", PLANNED)), {"ann", "root"}),
        ((changed("ann", "root", PLANNED - 2 * LOOKBACK, ChangeKind.SECOND_FACTOR),), {"ann"}),
        ((changed("ann", "", PLANNED),), {"ann"}),
    ],
)
def test_a_password_of_before_counts_until_its_owner_changed_it_a_day_before_the_plan(
    changes: tuple[AccountChange, ...], persons: set[str]
) -> None:
    assert set(AccountHistory(changes, PLANNED).control("ann", PLANNED + MINUTE)) == persons


def test_a_role_given_before_the_plan_excludes_nobody() -> None:
    for at, given in ((PLANNED - MINUTE, False), (PLANNED, True)):
        history = AccountHistory((changed("ann", "mallory", at, ChangeKind.ROLE),), PLANNED)
        assert bool(history.entitled_by("ann", PLANNED + MINUTE)) is given


def test_the_refusal_names_the_change_its_maker_and_its_time() -> None:
    history = AccountHistory((changed("approver2", "mallory", PLANNED + MINUTE),), PLANNED)
    control = history.control("approver2", PLANNED + 2 * MINUTE)
    assert author_refusal({"mallory": ()}, control) == (
        "approver2's password was set by mallory at 2026-11-23 12:01:00 UTC. "
        "mallory planned this or asked for it, and does not decide on it."
    )
    assert author_refusal({"olga": ()}, control) == ""
