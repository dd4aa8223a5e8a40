"""Votes whose givers may not vote any more, and second persons who are the first: void, or refused, in every decision of two."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role, unbind_role
from migrations_app.control.access.commands.change_password import change_own_password, set_password
from migrations_app.control.access.commands.create_account import set_active
from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.approval_policies.repository.approvals import state_now
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.break_glass import break_glass, review_emergency
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.approvals.queries.approvals import approval
from migrations_app.control.approvals.repository.rounds import freshen
from migrations_app.control.schemas.commands.waive_finding import approve_waiver
from migrations_app.control.upgrades.commands.request_switch import request_switch
from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.policy import ApprovalStage, Policy, Purpose
from migrations_app.domain.approvals.votes import Ballot, RequestState, VoteVerdict
from migrations_app.kernel.errors import Conflict, Denied
from migrations_app.models.access import RoleBinding
from migrations_app.models.account_changes import AccountChange
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote, Emergency
from migrations_app.models.evidence.waivers import Waiver
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import make_account
from tests.integration.upgrades.conftest import present
from tests.integration.upgrades.test_approvals import at_the_gate, read
from tests.integration.upgrades.test_keeping import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
PASSWORD = "a quiet river under seven bridges"
REASON = "The old version loses writes of customers."


def root() -> Actor:
    """Who manages access, and has just shown it."""
    return present(make_account("root", "admin"))


def mallory() -> Actor:
    """Who manages access, and wants something."""
    return present(make_account("mallory", "admin", "operator", "approver"))


def say(actor: Actor, request_id: str, verdict: VoteVerdict = VoteVerdict.APPROVE) -> None:
    cast_vote(actor, request_id, Ballot(verdict, read(request_id).digest, "seen"))


def state(request_id: str) -> RequestState:
    return state_now(read(request_id), timezone.now())


def lose_the_role(by: Actor, name: str) -> str:
    unbind_role(by, RoleBinding.objects.get(subject=name, role="approver").pk)
    return f"{name} may not vote here any more; it takes approver or admin."


def lose_the_account(by: Actor, name: str) -> str:
    set_active(by, name, active=False)
    return f"{name}'s account was closed by root at "


@pytest.mark.parametrize("lose", [lose_the_role, lose_the_account])
def test_a_vote_counts_while_its_giver_may_vote(lose: object) -> None:
    assert callable(lose)
    by, olga = root(), make_account("olga", "operator")
    request_id = request_approval(olga, at_the_gate())
    for name in ("ann", "bob"):
        say(make_account(name, "approver"), request_id)
    assert state(request_id) is RequestState.APPROVED
    why = lose(by, "bob")
    assert state(request_id) is RequestState.OPEN
    shown = approval(olga, request_id)
    assert [(vote["who"], vote["void_reason"][: len(why)]) for vote in shown["votes"]] == [  # type: ignore[union-attr, index, call-overload]
        ("ann", ""),
        ("bob", why),
    ]
    freshen(request_id)
    assert ApprovalVote.objects.get(who="bob").void_reason.startswith(why)
    noted = LedgerEntry.objects.get(action="approval.void")
    assert (noted.reason.startswith(why), noted.before) == (True, {"who": "bob", "round": 1})
    freshen(request_id)
    assert LedgerEntry.objects.filter(action="approval.void").count() == 1


def test_who_may_vote_again_votes_again() -> None:
    by, olga = root(), make_account("olga", "operator")
    request_id, bob = request_approval(olga, at_the_gate()), make_account("bob", "approver")
    say(bob, request_id)
    lose_the_role(by, "bob")
    freshen(request_id)
    bind_role(by, NewBinding("account", "bob", "approver"))
    say(bob, request_id)
    assert ApprovalVote.objects.filter(who="bob", void_reason="").count() == 1
    say(make_account("ann", "approver"), request_id)
    assert state(request_id) is RequestState.APPROVED


def test_an_objection_stays_though_its_giver_is_closed() -> None:
    by, olga = root(), make_account("olga", "operator")
    request_id = request_approval(olga, at_the_gate())
    say(make_account("bob", "approver"), request_id, VoteVerdict.CHANGES)
    lose_the_account(by, "bob")
    assert state(request_id) is RequestState.CHANGES


def test_a_later_group_does_not_vote_for_an_earlier_one() -> None:
    by, olga = root(), make_account("olga", "operator")
    apply_policy(by, Policy("two", Purpose.SWITCH, needed=1, then=(ApprovalStage("auditor", 1),)))
    request_id = request_approval(olga, at_the_gate())
    say(make_account("bob", "approver"), request_id)
    make_account("rita", "auditor")
    bind_role(by, NewBinding("account", "rita", "admin", service="secrets.example.com"))
    say(actor_named("rita"), request_id)
    assert state(request_id) is RequestState.APPROVED
    lose_the_account(by, "bob")
    assert state(request_id) is RequestState.OPEN
    reasons = [vote["void_reason"] for vote in approval(olga, request_id)["votes"]]  # type: ignore[union-attr, index, call-overload]
    assert reasons[1] == "A vote of approver is missing before it."


def test_the_controller_makes_them_void() -> None:
    by, olga = root(), make_account("olga", "operator")
    request_id = request_approval(olga, at_the_gate())
    say(make_account("bob", "approver"), request_id)
    lose_the_account(by, "bob")
    look(read(request_id))
    assert ApprovalVote.objects.get().void_reason.startswith("bob's account was closed by root")


def test_two_votes_of_one_person_count_once() -> None:
    by, olga = root(), make_account("olga", "operator")
    request_id = request_approval(olga, at_the_gate())
    bind_role(by, NewBinding("account", "root", "approver"))
    say(actor_named("root"), request_id)
    bob = make_account("bob", "approver")
    set_password(by, "bob", PASSWORD)
    with pytest.raises(Denied, match=r"root may have voted as root and as bob: that counts once\."):
        say(bob, request_id)
    assert ApprovalVote.objects.count() == 1


def test_a_role_given_by_who_planned_gives_no_vote_and_the_page_says_so() -> None:
    planner = mallory()
    request_id = request_approval(planner, at_the_gate())
    vera = make_account("vera", "viewer")
    bind_role(planner, NewBinding("account", "vera", "approver"))
    with pytest.raises(Denied, match=r"vera was given the role approver by mallory at .*does not choose who"):
        say(actor_named("vera"), request_id)
    excluded = approval(vera, request_id)["excluded"]
    assert isinstance(excluded, list)
    assert [each["who"] for each in excluded if isinstance(each, dict)] == ["vera"]


def test_the_policy_is_not_changed_through_another_account() -> None:
    planner = mallory()
    request_approval(planner, at_the_gate())
    other = make_account("root", "admin")
    set_password(planner, "root", PASSWORD)
    with pytest.raises(Denied) as refused:
        apply_policy(other, Policy("easy", Purpose.SWITCH, needed=0))
    assert refused.value.code == "policy-own"


def test_the_review_of_an_emergency_is_for_another_person() -> None:
    who, other = mallory(), make_account("ann", "approver")
    break_glass(who, at_the_gate(), REASON, "INC-1")
    set_password(who, "ann", PASSWORD)
    kept = Emergency.objects.get()
    with pytest.raises(Denied, match="ann's password was set by mallory") as refused:
        review_emergency(other, kept.id, "All was well.")
    assert refused.value.code == "same-person"
    assert Emergency.objects.get().reviewed_at is None
    review_emergency(make_account("bert", "approver"), kept.id, "All was well.")


def test_the_glass_is_not_broken_through_another_account() -> None:
    planner = mallory()
    request_id = request_approval(planner, at_the_gate())
    other = present(make_account("root", "admin"))
    set_password(planner, "root", PASSWORD)
    with pytest.raises(Denied) as refused:
        break_glass(other, read(request_id).upgrade_id, REASON, "INC-1")
    assert refused.value.code == "same-person"
    assert not Emergency.objects.exists()


def test_who_set_a_password_days_ago_and_then_another_as_the_owner_gains_no_vote() -> None:
    who, ann = mallory(), make_account("ann", "approver")
    set_password(who, "ann", PASSWORD)
    change_own_password(present(ann), PASSWORD, f"{PASSWORD} again")
    AccountChange.objects.update(at=timezone.now() - timedelta(days=3))
    change_own_password(present(ann), f"{PASSWORD} again", PASSWORD)
    AccountChange.objects.filter(who="ann").update(at=timezone.now() - timedelta(days=2))
    request_id = request_approval(who, at_the_gate())
    with pytest.raises(
        Denied,
        match=r"ann's password was set by mallory at .* It was changed later, possibly by the same person",
    ):
        say(ann, request_id)
    excluded = approval(ann, request_id)["excluded"]
    assert isinstance(excluded, list)
    assert [each["who"] for each in excluded if isinstance(each, dict)] == ["ann"]
    assert not ApprovalVote.objects.exists()


def test_a_waiver_is_approved_by_another_person() -> None:
    who, other = mallory(), make_account("ann", "approver")
    now = timezone.now()
    row = Waiver.objects.create(
        id="v1",
        service="secrets.example.com",
        before="v1alpha2",
        after="v1",
        rule="FIELD_REMOVED",
        path="Secret.title",
        change="gone",
        reason="Nobody reads it.",
        until=now + timedelta(days=1),
        asked_by=who.name,
        asked_at=now,
    )
    set_password(who, "ann", PASSWORD)
    with pytest.raises(Denied) as refused:
        approve_waiver(other, row.id)
    assert (refused.value.code, Waiver.objects.get().approved_by) == ("same-person", "")
    assert approve_waiver(make_account("bert", "approver"), row.id)["approved_by"] == "bert"


def test_the_last_approver_does_not_run_it_through_another_account() -> None:
    by, olga = root(), make_account("olga", "operator")
    apply_policy(by, Policy("one", Purpose.SWITCH, needed=1, last_approver_may_run=False))
    upgrade_id = at_the_gate()
    request_id = request_approval(olga, upgrade_id)
    oscar = make_account("oscar", "operator")
    say(mallory(), request_id)
    set_password(present(actor_named("mallory")), "oscar", PASSWORD)
    with pytest.raises(Conflict, match="oscar's password was set by mallory"):
        request_switch(oscar, upgrade_id)
    assert ApprovalRequest.objects.get().closed_at is None
