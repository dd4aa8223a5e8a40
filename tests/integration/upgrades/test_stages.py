"""Groups that vote in their order, a rollback that is free for a while, what made votes void, and a copy held to a rate."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.approval_policies.repository.approvals import state_now
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.approvals.queries.approvals import approval
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.access import actor_with
from migrations_app.domain.approvals.policy import ApprovalStage, Policy, Purpose
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.kernel.errors import Denied
from migrations_app.models.approvals import ApprovalVote
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.operations import Operation
from migrations_app.models.upgrades import RecordedTransition
from migrations_app.ports.upgrades import DirectorRequest, TimelineEntry
from tests.factories.access import client_of
from tests.integration.upgrades.conftest import ANN, BOB, OLGA, ROOT, define
from tests.integration.upgrades.test_api import act, plan, post
from tests.integration.upgrades.test_approvals import asked, at_the_gate, read, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
UPGRADES = DjangoUpgrades()
STAGED = Policy("staged", Purpose.SWITCH, needed=1, then=(ApprovalStage("operator", 1),))
PEER = actor_with("rick", "operator", "approver")


def test_a_later_group_waits_for_the_one_before_it() -> None:
    apply_policy(ROOT, STAGED)
    request = asked()
    say(ANN, request)
    assert state_now(read(request.id), timezone.now()) is RequestState.OPEN
    with pytest.raises(Denied) as caught:
        say(BOB, request)
    assert (caught.value.message, caught.value.who_can) == (
        "Only people with the role or group operator may vote on this.",
        ("people with the role or group operator, except olga and ann",),
    )
    say(PEER, request)
    assert state_now(read(request.id), timezone.now()) is RequestState.APPROVED


def test_every_door_says_whose_turn_it_is(olga: APIClient, ann: APIClient) -> None:
    body = {"name": "staged", "purpose": "switch", "then": [{"group": "security", "needed": 2}]}
    made = post(client_of("root", "admin"), "/policies", body)
    assert (made.status_code, made.json()["then"]) == (201, [{"group": "security", "needed": 2}])
    upgrade = at_the_gate()
    request_id = act(olga, upgrade, "request-approval").json()["readiness"]["approvals"]["request_id"]
    tag = ann.get(f"/api/v1/approvals/{request_id}")["ETag"]
    post(ann, f"/approvals/{request_id}/approve", **{"If-Match": tag})
    shown = ann.get(f"/api/v1/approvals/{request_id}").json()
    assert (shown["needed"], shown["votes_given"], shown["stages"]) == (
        3,
        1,
        [
            {"group": "approver", "needed": 1, "votes_given": 1},
            {"group": "security", "needed": 2, "votes_given": 0},
        ],
    )
    gate = olga.get(f"/api/v1/upgrades/{upgrade}").json()["readiness"]
    assert (gate["approvals"]["group"], gate["approvals"]["needed"]) == ("security", 3)
    check = next(each for each in gate["checks"] if each["check"] == "approval")
    assert (check["sentence"], check["remedy"]) == (
        "1 of 3 approvals were given.",
        "Wait for the votes of security.",
    )


def switched() -> str:
    upgrade = at_the_gate()
    for event in (UpgradeEvent.FREEZE, UpgradeEvent.FLIP):
        UPGRADES.transition(UPGRADES.load(upgrade), event, TimelineEntry(event.value, "done"))
    return upgrade


def test_going_back_takes_no_vote_while_it_is_free_and_votes_afterwards(olga: APIClient) -> None:
    apply_policy(ROOT, Policy("back", Purpose.REVERT, needed=1, free_seconds=900))
    upgrade = switched()
    free = olga.get(f"/api/v1/upgrades/{upgrade}").json()["readiness"]
    until = RecordedTransition.objects.get(upgrade=upgrade, state="REVERSIBLE").at + timedelta(seconds=900)
    approval = next(each for each in free["checks"] if each["check"] == "approval")
    assert (free["approvals"]["needed"], approval["verdict"], approval["sentence"]) == (
        0,
        "pass",
        f"Rolling back needs no votes until {until:%Y-%m-%d %H:%M} UTC.",
    )
    refused = act(olga, upgrade, "request-approval")
    assert (refused.status_code, refused.json()["code"]) == (409, "approval-not-needed")

    RecordedTransition.objects.filter(upgrade=upgrade).update(at=timezone.now() - timedelta(seconds=901))
    bound = olga.get(f"/api/v1/upgrades/{upgrade}").json()["readiness"]
    assert (bound["approvals"]["needed"], bound["approvals"]["group"]) == (1, "approver")
    assert act(olga, upgrade, "request-approval").status_code == 200


def test_a_way_back_that_was_asked_for_in_the_free_time_stays_free_of_votes(olga: APIClient) -> None:
    apply_policy(ROOT, Policy("back", Purpose.REVERT, needed=1, free_seconds=900))
    upgrade = switched()
    flip = RecordedTransition.objects.filter(upgrade=upgrade, state="REVERSIBLE")
    flip.update(at=timezone.now() - timedelta(seconds=800))
    assert act(olga, upgrade, "rollback").status_code == 202
    asked_at = Operation.objects.get().created_at

    flip.update(at=asked_at - timedelta(seconds=899))
    assert UPGRADES.refusal(UPGRADES.load(upgrade), DirectorRequest.REVERT) is None
    flip.update(at=asked_at - timedelta(seconds=900))
    assert (
        UPGRADES.refusal(UPGRADES.load(upgrade), DirectorRequest.REVERT)
        == "0 of 1 approval was given; none was asked for."
    )


def test_a_void_vote_says_what_changed() -> None:
    request = asked()
    say(ANN, request)
    define("f2")
    apply_policy(ROOT, STAGED)
    vote = ApprovalVote.objects.get()
    assert vote.void_reason == (
        "The evidence changed. The conversion was redefined. The policy staged asks for"
        " 1 person with the role or group approver, then 1 person with the role or group operator instead of 2 people with the role or group approver."
    )
    assert [phrase["key"] for phrase in vote.void_phrases] == [
        "The evidence changed.",
        "The conversion was redefined.",
        "The policy {policy} asks for {votes} instead of {old_votes}.",
    ]


def test_a_vote_that_an_older_version_made_void_keeps_its_sentence() -> None:
    request = asked()
    say(ANN, request)
    ApprovalVote.objects.update(void_reason="The evidence changed: the plan was edited.")
    [shown] = approval(OLGA, request.id)["votes"]  # type: ignore[union-attr, misc]
    assert shown["void_reason"] == "The evidence changed: the plan was edited."  # type: ignore[index, call-overload]
    assert shown["void_phrases"] == [  # type: ignore[index, call-overload]
        {"key": "{text}", "values": {"text": "The evidence changed: the plan was edited."}}
    ]


def test_a_copy_is_held_to_a_rate_and_let_go(olga: APIClient) -> None:
    upgrade_id = plan(olga)["id"]
    held = act(olga, upgrade_id, "throttle", {"limit": 200})
    assert (held.status_code, held.json()["copy_limit"]) == (200, 200)
    assert UPGRADES.load(upgrade_id).copy_limit == 200
    assert act(olga, upgrade_id, "throttle", {"limit": 2_000_000}).json()["code"] == "throttle-limit"
    assert act(olga, upgrade_id, "throttle", {"limit": None}).json()["copy_limit"] is None
    kept = LedgerEntry.objects.filter(action="upgrade.throttle", outcome="done").order_by("pk")
    assert list(kept.values_list("before", "after")) == [
        ({"limit": None}, {"limit": 200}),
        ({"limit": 200}, {"limit": None}),
    ]
    said = [line["text"] for line in olga.get(f"/api/v1/upgrades/{upgrade_id}/events").json()["items"]]
    assert "olga limits the copy to 200 resources a second." in said
    assert act(client_of("vera", "viewer"), upgrade_id, "throttle", {"limit": 5}).status_code == 403
