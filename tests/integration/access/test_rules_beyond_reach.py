"""Policies and windows beyond an account's reach: no event of them arrives, and the overview does not name them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrations_app.control.approvals.commands.apply_policy import apply_policy, delete_policy
from migrations_app.control.approvals.commands.write_window import change_window, create_window, delete_window
from migrations_app.control.events import outbox
from migrations_app.control.live_stream.queries import concerns, reaches
from migrations_app.control.overview.queries.overview import overview
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose, Scope
from migrations_app.domain.approvals.windows import Effect, WindowSpan
from tests.factories.access import make_account, proved

pytestmark = pytest.mark.django_db
ROOT = proved(actor_with("root", "admin"))
EU, US, ALL = Scope(region="eu-*"), Scope(region="us-*"), Scope()


def heard(actor: Actor, since: int) -> list[tuple[str, bool]]:
    """Name what a watcher is told of since a number, and whether it is there."""
    events = outbox.read(since, outbox.number().seq)
    return [(event.id, event.full is not None) for event in events if concerns(event, reaches(actor))]


def change(kind: str, name: str, scope: Scope, *, new: bool = True) -> None:
    """Write a policy or a window of a scope."""
    if kind == "policy":
        apply_policy(ROOT, Policy(name, Purpose.SWITCH, scope=scope))
        return
    rule = WindowSpan(name, Effect.ALLOW, scope=scope, zone="UTC", cron="0 * * * *", minutes=60)
    if new:
        create_window(ROOT, rule)
    else:
        change_window(ROOT, rule, None)


@pytest.mark.parametrize("kind", ["policy", "window"])
def test_a_bounded_watcher_hears_of_rules_that_may_concern_them_alone(kind: str) -> None:
    near = make_account("vera", "viewer", region="eu-1")
    far, everywhere = make_account("vito", "viewer", region="us-1"), make_account("vic", "viewer")
    since = outbox.number().seq
    for name, scope in (("near", EU), ("far", US), ("wide", ALL)):
        change(kind, name, scope)
    named = (heard(near, since), heard(far, since), heard(everywhere, since))
    assert named == (
        [("near", True), ("wide", True)],
        [("far", True), ("wide", True)],
        [("near", True), ("far", True), ("wide", True)],
    )
    since = outbox.number().seq
    change(kind, "near", US, new=False)
    assert (heard(near, since), heard(far, since)) == ([("near", False)], [("near", True)])
    since = outbox.number().seq
    remove = delete_policy if kind == "policy" else delete_window
    remove(ROOT, "near")
    assert (heard(near, since), heard(far, since)) == ([], [("near", False)])


def test_the_overview_names_no_window_beyond_reach() -> None:
    near = make_account("vera", "viewer", region="eu-1")
    for name, scope in (("near", EU), ("far", US), ("wide", ALL)):
        change("window", name, scope)
    shown = overview(near)["windows"]
    assert isinstance(shown, list)
    assert {each["name"] for each in shown if isinstance(each, dict)} == {"near", "wide"}


def test_a_watcher_of_nothing_hears_of_no_rule() -> None:
    nobody = replace(make_account("noa", "viewer", region="eu-1"), grants=())
    since = outbox.number().seq
    change("policy", "near", EU)
    assert heard(nobody, since) == []
