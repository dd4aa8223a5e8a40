"""Who controls an account, and the law of distinct persons tried in every order of everything that may happen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.approvals.account_control import (
    LOOKBACK,
    REMOVED,
    RESET,
    SET,
    AccountControlChange,
    AccountHistory,
    ChangeKind,
    author_refusal,
    shared_refusal,
)
from tests.unit.approvals.identity_model import ALL, NEW, OLD, explore

PLANNED = datetime(2026, 11, 23, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def changed(
    account: str, who: str, at: datetime, kind: ChangeKind = ChangeKind.PASSWORD
) -> AccountControlChange:
    return AccountControlChange(account, kind, who, at, "approver" if kind is ChangeKind.ROLE else "")


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
        ((changed("ann", "root", PLANNED - MINUTE), changed("ann", "ann", PLANNED)), {"ann", "root"}),
        ((changed("ann", "root", PLANNED - 2 * LOOKBACK), changed("ann", "ann", PLANNED)), {"ann", "root"}),
        ((changed("ann", "root", PLANNED - 2 * LOOKBACK, ChangeKind.SECOND_FACTOR),), {"ann"}),
        ((changed("ann", "", PLANNED),), {"ann"}),
    ],
)
def test_a_password_of_before_counts_like_what_changed_since_a_day_before_the_plan(
    changes: tuple[AccountControlChange, ...], persons: set[str]
) -> None:
    assert set(AccountHistory(changes, PLANNED).control("ann", PLANNED + MINUTE)) == persons


def days(number: float) -> datetime:
    """Give an instant some days before the plan."""
    return PLANNED - timedelta(days=number)


TAKEN_OVER = (changed("ann", "root", days(30)), changed("ann", "ann", days(29)))
OWN_FACTOR = AccountControlChange("ann", ChangeKind.PASSKEY, "ann", days(40), SET)


def reset(who: str, at: datetime) -> AccountControlChange:
    return AccountControlChange("ann", ChangeKind.PASSWORD, who, at, RESET)


def factor(
    at: datetime, detail: str, who: str = "ann", kind: ChangeKind = ChangeKind.PASSKEY
) -> AccountControlChange:
    return AccountControlChange("ann", kind, who, at, detail)


@pytest.mark.parametrize(
    ("changes", "persons"),
    [
        # Root may be who changed it then, so root stays.
        (TAKEN_OVER, {"ann", "root"}),
        ((*TAKEN_OVER, changed("ann", "ann", days(20))), {"ann", "root"}),
        ((*TAKEN_OVER, factor(days(20), SET), changed("ann", "ann", days(10))), {"ann", "root"}),
        # A third person sets everything again: root is out, and the third person in.
        ((*TAKEN_OVER, reset("tom", days(10))), {"ann", "tom"}),
        ((*TAKEN_OVER, reset("tom", days(10)), changed("ann", "ann", days(9))), {"ann", "tom"}),
        # But not with the tokens of before, by root, by an account of root's, or beside a passkey of root's.
        ((*TAKEN_OVER, changed("ann", "tom", days(10))), {"ann", "tom", "root"}),
        ((*TAKEN_OVER, reset("root", days(10))), {"ann", "root"}),
        ((changed("tom", "root", days(35)), *TAKEN_OVER, reset("tom", days(10))), {"ann", "tom", "root"}),
        ((*TAKEN_OVER, factor(days(20), SET), reset("tom", days(10))), {"ann", "tom", "root"}),
        (
            (*TAKEN_OVER, factor(days(20), SET), reset("tom", days(10)), factor(days(9), REMOVED, "tom")),
            {"ann", "tom"},
        ),
        (
            (
                *TAKEN_OVER, factor(days(20), SET), reset("tom", days(10)), factor(days(9), SET),
                factor(days(9.5), REMOVED, "tom"),
            ),
            {"ann", "tom", "root"},
        ),
        # Ann had a factor that root never could use.
        ((OWN_FACTOR, *TAKEN_OVER), {"ann"}),
        ((OWN_FACTOR, TAKEN_OVER[0]), {"ann", "root"}),
        ((OWN_FACTOR, factor(days(35), REMOVED), *TAKEN_OVER), {"ann", "root"}),
        ((OWN_FACTOR, TAKEN_OVER[0], factor(days(29.5), REMOVED, "root"), TAKEN_OVER[1]), {"ann", "root"}),
        ((OWN_FACTOR, TAKEN_OVER[0], factor(days(29.5), REMOVED, "tom"), TAKEN_OVER[1]), {"ann", "root"}),
        # It was set while root could act as ann already.
        ((changed("ann", "root", days(50)), OWN_FACTOR, *TAKEN_OVER), {"ann", "root"}),
    ],
)  # fmt: skip
def test_a_person_stays_in_control_until_a_proof_that_they_could_not_have(
    changes: tuple[AccountControlChange, ...], persons: set[str]
) -> None:
    assert set(AccountHistory(changes, PLANNED).control("ann", PLANNED + MINUTE)) == persons


def test_who_made_two_accounts_long_ago_is_one_person_with_each_and_does_not_make_them_one() -> None:
    """Otherwise no two accounts of an installation with one administrator were of two persons."""
    made = [
        change
        for name in ("ann", "bob")
        for change in (changed(name, "root", days(30)), changed(name, name, days(29)))
    ]
    history = AccountHistory(tuple(made), PLANNED)
    ann, bob, root = (history.control(name, PLANNED + MINUTE) for name in ("ann", "bob", "root"))
    assert not author_refusal(ann, bob)
    assert not shared_refusal("ann", "bob", ann, bob)
    said = "ann's password was set by root at 2026-10-24 12:00:00 UTC. It was changed later, possibly by the same person."
    for refusal in (
        author_refusal(root, ann), author_refusal(ann, root), shared_refusal("ann", "root", ann, root),
    ):  # fmt: skip
        assert str(refusal).startswith(said)


@pytest.mark.parametrize(("account", "depth"), [("ann", 6), ("root", 6), ("puppet", 5)])
def test_patience_gains_no_vote_in_any_order(account: str, depth: int) -> None:
    """Set a password or make an account, set another as its owner, wait for days, and only then plan."""
    ways = frozenset({"password", "create", "own", "wait", "at-once", f"only {account}"})
    seen, way = explore(depth, NEW, ways)
    assert way == ()
    assert seen > 1_000


def test_a_role_given_before_the_plan_excludes_no_voter() -> None:
    for at, given in ((PLANNED - MINUTE, False), (PLANNED, True)):
        history = AccountHistory((changed("ann", "mallory", at, ChangeKind.ROLE),), PLANNED)
        assert bool(history.entitled_by("ann", PLANNED + MINUTE)) is given


def test_the_refusal_names_the_change_its_maker_and_its_time() -> None:
    history = AccountHistory((changed("approver2", "mallory", PLANNED + MINUTE),), PLANNED)
    control = history.control("approver2", PLANNED + 2 * MINUTE)
    assert str(author_refusal({"mallory": ()}, control)) == (
        "approver2's password was set by mallory at 2026-11-23 12:01:00 UTC. "
        "mallory planned this or asked for it, and does not decide on it."
    )
    assert not author_refusal({"olga": ()}, control)
