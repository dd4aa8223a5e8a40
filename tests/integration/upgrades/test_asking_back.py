"""Asking for changes, answering, lending one's word and commenting, through the actions and the doors."""

from __future__ import annotations

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.approval_policies.repository.approvals import state_now
from migrations_app.control.approvals.commands.answer_changes import answer_changes
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.commands.delegate_vote import delegate_vote
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import Ballot, RequestState, VoteVerdict
from migrations_app.kernel.errors import Conflict, Denied, Invalid
from migrations_app.models.access import Account, RoleBinding
from migrations_app.models.approvals import ApprovalDelegation, ApprovalVote
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import UpgradeTimelineEntry
from tests.factories.access import client_of, make_account, with_account
from tests.integration.upgrades.conftest import ANN, BOB, OLGA, ROOT
from tests.integration.upgrades.test_api import post
from tests.integration.upgrades.test_approvals import asked, read, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]


def changes(actor: Actor, request_id: str) -> None:
    request = read(request_id)
    cast_vote(
        with_account(actor), request_id, Ballot(VoteVerdict.CHANGES, request.digest, "Name the ticket.")
    )


def state(request_id: str) -> RequestState:
    return state_now(read(request_id), timezone.now())


def test_changes_are_asked_for_answered_and_everybody_votes_again() -> None:
    request = asked()
    say(ANN, request)
    changes(BOB, request.id)
    assert state(request.id) is RequestState.CHANGES
    with pytest.raises(Denied) as caught:
        answer_changes(actor_with("oscar", "operator"), request.id, "It is CHG-1.")
    assert (caught.value.code, caught.value.message) == ("answer-denied", "olga answers.")
    with pytest.raises(Invalid):
        answer_changes(OLGA, request.id, "  ")
    assert state(request.id) is RequestState.CHANGES

    answer_changes(OLGA, request.id, "It is CHG-1.")
    fresh = read(request.id)
    assert (fresh.round, fresh.digest, state(request.id)) == (2, request.digest, RequestState.OPEN)
    void = "olga answered: It is CHG-1."
    assert list(ApprovalVote.objects.values_list("who", "verdict", "void_reason")) == [
        ("ann", "approve", void),
        ("bob", "changes", void),
    ]
    with pytest.raises(Conflict) as again:
        answer_changes(OLGA, request.id, "Once more.")
    assert again.value.code == "no-changes-asked"
    say(BOB, fresh)
    say(ANN, fresh)
    assert state(request.id) is RequestState.APPROVED
    lines = UpgradeTimelineEntry.objects.filter(
        upgrade=request.upgrade_id, kind__in=["vote-changes", "answer"]
    )
    assert list(lines.values_list("text", flat=True)) == [
        "bob asked for changes before the switch. Comment: Name the ticket.",
        "olga answered: It is CHG-1.",
    ]
    kept = LedgerEntry.objects.filter(action__in=["approval.changes", "approval.answer"])
    assert list(kept.order_by("pk").values_list("actor", "reason")) == [
        ("bob", "Name the ticket."),
        ("olga", "olga answered: It is CHG-1."),
    ]


@pytest.fixture
def board() -> dict[str, Actor]:
    """The switch needs one word of the board; ann is on it, dave has the right to vote but is not."""
    apply_policy(ROOT, Policy("board", Purpose.SWITCH, needed=1, group="board"))
    make_account("ann")
    Account.objects.filter(username="ann").update(groups=["board"])
    make_account("dave", "approver")
    make_account("vic", "viewer")
    make_account("olga", "operator", "approver")
    RoleBinding.objects.create(subject_kind="group", subject="board", role="approver", created_by="root")
    return {name: actor_named(name) for name in ("ann", "dave", "vic")}


def test_a_word_is_lent_used_and_told(board: dict[str, Actor]) -> None:
    request = asked()
    with pytest.raises(Denied):
        say(board["dave"], request)
    delegate_vote(board["ann"], request.id, "dave", "I am on a plane.")
    with pytest.raises(Denied) as caught:
        say(board["ann"], request)
    assert caught.value.message == "You let dave vote in your place; take it back first."
    say(board["dave"], request)
    assert state(request.id) is RequestState.APPROVED
    assert (
        UpgradeTimelineEntry.objects.get(kind="vote-approve").text
        == "dave approved the switch. The vote is given for ann. Comment: seen"
    )
    assert LedgerEntry.objects.get(action="approval.approve").after["for"] == ["ann"]
    assert LedgerEntry.objects.get(action="approval.delegate").reason == "I am on a plane."
    with pytest.raises(Denied) as late:
        delegate_vote(board["ann"], request.id, "ann")
    assert late.value.code == "delegate-denied"


def test_a_vote_is_delegated_only_to_an_account_that_may_vote_and_did_not_ask(
    board: dict[str, Actor],
) -> None:
    request = asked()
    for name, code in (("nobody", "delegate-unfit"), ("vic", "delegate-unfit")):
        with pytest.raises(Invalid) as unfit:
            delegate_vote(board["ann"], request.id, name)
        assert unfit.value.code == code, name
    with pytest.raises(Denied) as caught:
        delegate_vote(board["ann"], request.id, "olga")
    assert caught.value.message == "olga planned it or asks for it, and can never vote on it."
    with pytest.raises(Denied):
        delegate_vote(board["dave"], request.id, "ann")
    assert ApprovalDelegation.objects.count() == 0


def test_a_lent_word_is_worth_what_its_givers_is_and_can_be_taken_back(board: dict[str, Actor]) -> None:
    request = asked()
    delegate_vote(board["ann"], request.id, "dave")
    RoleBinding.objects.filter(subject="board").delete()
    with pytest.raises(Denied):
        say(board["dave"], request)
    RoleBinding.objects.create(subject_kind="group", subject="board", role="approver", created_by="root")
    delegate_vote(board["ann"], request.id, "ann")
    with pytest.raises(Denied):
        say(board["dave"], request)
    say(board["ann"], request)
    assert state(request.id) is RequestState.APPROVED


def offers(client: APIClient, request_id: str) -> dict[str, bool]:
    shown = client.get(f"/api/v1/approvals/{request_id}").json()
    return {each["action"]: each["allowed"] for each in shown["actions"]}


def test_the_doors_offer_what_may_be_done_and_do_it() -> None:
    request = asked()
    olga, ann, bob = client_of("olga", "operator"), client_of("ann", "approver"), client_of("bob", "approver")
    voting = {"approve": True, "reject": True, "request-changes": True, "delegate": True, "answer": False}
    assert offers(ann, request.id) == voting
    assert offers(olga, request.id) == dict.fromkeys(voting, False)

    tag = {"If-Match": f'"{request.digest}"'}
    path = f"/approvals/{request.id}"
    assert post(ann, f"{path}/request-changes", {"comment": "When?"}).status_code == 428
    assert post(ann, f"{path}/request-changes", {"comment": ""}, **tag).json()["code"] == "comment-needed"
    shown = post(ann, f"{path}/request-changes", {"comment": "When?"}, **tag).json()
    assert (shown["state"], shown["votes"][0]["comment"]) == ("CHANGES", "When?")
    assert post(bob, f"{path}/approve", {}, **tag).json()["code"] == "changes-asked"
    assert offers(olga, request.id)["answer"] is True
    waiting = [each["id"] for each in olga.get("/api/v1/approvals?tab=mine").json()["items"]]
    assert waiting == [request.id]
    assert bob.get("/api/v1/approvals?tab=mine").json()["items"] == []
    needs = [(each["kind"], each["sentence"]) for each in olga.get("/api/v1/overview").json()["needs_you"]]
    assert needs == [("approval", "Changes requested: Switch secrets @ eu-1 from v1alpha2 to v1.")]
    assert [client.get("/api/v1/overview").json()["now"]["waiting_mine"] for client in (olga, bob)] == [1, 0]
    rehearsed = post(olga, f"{path}/answer?dry_run=true", {"comment": "Tonight."}).json()
    assert (rehearsed["state"], state(request.id)) == ("OPEN", RequestState.CHANGES)
    assert post(olga, f"{path}/answer", {"comment": "Tonight."}).json()["state"] == "OPEN"

    lent = post(bob, f"{path}/delegate", {"to": "ann", "comment": "Away."}).json()
    assert [(each["who"], each["to"], each["comment"]) for each in lent["delegations"]] == [
        ("bob", "ann", "Away.")
    ]
    assert post(bob, f"{path}/delegate", {"to": "bob"}).json()["delegations"] == []


def test_comments_stand_in_the_story_and_only_those_who_take_part_write_them() -> None:
    request = asked()
    ann, vera = client_of("ann", "approver"), client_of("vera", "viewer")
    path = f"/upgrades/{request.upgrade_id}/events"
    said = post(ann, path, {"comment": " Is the replica back? "})
    assert (said.status_code, said.json()["kind"], said.json()["text"]) == (
        201,
        "comment",
        "Is the replica back?",
    )
    assert post(ann, path, {"comment": " "}).status_code == 400
    assert post(vera, path, {"comment": "Hello."}).status_code == 403
    assert post(ann, f"{path}?dry_run=true", {"comment": "Twice."}).status_code == 201
    lines = ann.get(f"/api/v1{path}").json()["items"]
    assert [(line["who"], line["text"]) for line in lines if line["kind"] == "comment"] == [
        ("ann", "Is the replica back?")
    ]
    assert LedgerEntry.objects.get(action="upgrade.comment", outcome="done").reason == "Is the replica back?"
