"""A plan changed before its switch, others asked to act, a shard tried again, and presence shown for what is critical."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from console.generated_pages.server_texts import server_texts
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.kernel.messages import WordedMessage
from migrations_app.kernel.wordings import phrases_from_json
from migrations_app.models.access import Account
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.sync import QuarantineEntry
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.work import Work
from tests.factories.access import PASSWORD, client_of, make_account
from tests.integration.upgrades.conftest import ROOT
from tests.integration.upgrades.test_api import act, level, plan, post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]


def ready(client: APIClient) -> str:
    upgrade_id = str(plan(client, start=True)["id"])
    level(upgrade_id)
    return upgrade_id


def test_a_changed_plan_voids_the_votes_and_is_kept_to_its_time(olga: APIClient, ann: APIClient) -> None:
    upgrade_id = ready(olga)
    request_id = act(olga, upgrade_id, "request-approval").json()["readiness"]["approvals"]["request_id"]
    tag = ann.get(f"/api/v1/approvals/{request_id}")["ETag"]
    post(ann, f"/approvals/{request_id}/approve", **{"If-Match": tag})
    tonight = timezone.now() + timedelta(hours=6)
    changed = act(olga, upgrade_id, "edit", {"automatic": True, "not_before": tonight.isoformat()})
    assert changed.status_code == 200, changed.content
    body = changed.json()
    assert body["automatic"] is True
    assert body["readiness"]["approvals"]["votes_given"] == 0
    assert body["readiness"]["not_before"] == tonight.isoformat().replace("+00:00", "Z")
    window = next(each for each in body["readiness"]["checks"] if each["check"] == "window")
    assert (window["verdict"], window["sentence"]) == (
        "fail",
        f"Its plan says: not before {tonight:%Y-%m-%d %H:%M} UTC.",
    )
    page = ann.get(f"/api/v1/approvals/{request_id}").json()
    assert page["votes"][0]["void_reason"].startswith("The evidence changed")
    assert page["impact"]["when"]["not_before"] == body["readiness"]["not_before"]
    at_once = act(olga, upgrade_id, "edit", {"not_before": None, "automatic": False}).json()
    assert (at_once["readiness"]["not_before"], at_once["plan_digest"] == body["plan_digest"]) == (
        None,
        False,
    )
    post(olga, f"/upgrades/{upgrade_id}/events", {"comment": "Not tonight after all."})
    *story, comment = olga.get(f"/api/v1/upgrades/{upgrade_id}/events").json()["items"]
    assert "olga changed the plan. A person switches it. It switches as soon as it is ready." in [
        line["text"] for line in story
    ]
    # Every line of the server can be worded in other languages; what a person wrote stays as it is.
    keys = {*server_texts(), "{text}"}
    for line in story:
        if line["kind"] == "caught-up":  # which `ready` wrote
            continue
        assert str(WordedMessage(phrases_from_json(line["phrases"]))) == line["text"]
        assert {phrase["key"] for phrase in line["phrases"]} <= keys, line["kind"]
    assert (comment["text"], comment.get("phrases")) == ("Not tonight after all.", None)


def test_a_plan_says_how_long_a_rollback_is_possible_also_where_it_is_the_usual_time(olga: APIClient) -> None:
    planned = plan(olga)
    shown = olga.get(f"/api/v1/upgrades/{planned['id']}").json()
    assert (shown["plan"]["rollback_hours"], shown["plan_digest"]) == (168, planned["plan_digest"])
    assert act(olga, planned["id"], "edit", {"rollback_hours": 24}).status_code == 200
    shown = olga.get(f"/api/v1/upgrades/{planned['id']}").json()
    assert shown["plan"]["rollback_hours"] == 24


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, "plan-edit"),
        ({"not_before": "2020-01-01T00:00:00Z"}, "plan-not-before"),
        ({"rollback_hours": 0}, "invalid"),
    ],
)
def test_a_change_that_cannot_be_is_refused(olga: APIClient, change: dict[str, Any], code: str) -> None:
    upgrade_id = plan(olga)["id"]
    refused = act(olga, upgrade_id, "edit", change)
    assert (refused.status_code, refused.json()["code"]) == (400, code)


def test_an_account_that_may_not_asks_those_that_may(olga: APIClient, ann: APIClient) -> None:
    upgrade_id = plan(olga)["id"]
    asked = post(ann, f"/upgrades/{upgrade_id}/ask", {"action": "start", "comment": "I am here till six."})
    assert (asked.status_code, asked.json()["text"]) == (
        201,
        "ann asks to start the upgrade. Comment: I am here till six.",
    )
    again = post(ann, f"/upgrades/{upgrade_id}/ask", {"action": "start"})
    assert (again.status_code, again.json()["code"]) == (409, "asked-already")
    assert post(ann, f"/upgrades/{upgrade_id}/ask", {"action": "rollback"}).json()["code"] == "upgrade-state"
    assert post(ann, f"/upgrades/{upgrade_id}/ask", {"action": "fly"}).json()["code"] == "ask-action"

    def needs(client: APIClient) -> list[str]:
        found = client.get("/api/v1/overview").json()["needs_you"]
        return [each["sentence"] for each in found if each["kind"] == "ask"]

    assert needs(olga) == ["secrets @ eu-1: ann asks to start the upgrade. Comment: I am here till six."]
    assert needs(ann) == []
    act(olga, upgrade_id, "start")
    assert needs(olga) == []


def test_what_was_asked_of_an_upgrade_is_put_away_by_who_may_or_who_asked(
    olga: APIClient, ann: APIClient
) -> None:
    upgrade_id = plan(olga)["id"]

    def asked() -> list[str]:
        found = olga.get("/api/v1/overview").json()["needs_you"]
        return [each["put_away"] for each in found if each["kind"] == "ask"]

    place, otto = f"/upgrades/{upgrade_id}/ask?action=start", client_of("otto", "viewer")
    for client in (olga, ann):
        assert post(ann, f"/upgrades/{upgrade_id}/ask", {"action": "start"}).status_code == 201
        assert asked() == [place]
        assert otto.delete(f"/api/v1{place}").status_code == 403
        assert (client.delete(f"/api/v1{place}").status_code, asked()) == (204, [])
    assert olga.delete(f"/api/v1{place}").json()["code"] == "ask-missing"
    done = LedgerEntry.objects.filter(action="upgrade.ask-settle", outcome="done").order_by("pk")
    assert list(done.values_list("actor", flat=True)) == ["olga", "ann"]


def test_a_shard_is_tried_again_with_what_is_quarantined_in_it(olga: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    QuarantineEntry.objects.create(
        upgrade=upgrade_id, direction="forward", shard=3, type="Secret", name="a", revision=1, error="no"
    )
    Work.objects.filter(controller="sync", key=f"{upgrade_id}/forward/3").delete()
    done = act(olga, upgrade_id, "retry-shard", {"shard": 3})
    assert done.status_code == 200, done.content
    assert QuarantineEntry.objects.get().state == "retry"
    assert Work.objects.get(controller="sync", key=f"{upgrade_id}/forward/3").due_at is not None
    assert act(olga, upgrade_id, "retry-shard", {"shard": 16}).json()["code"] == "shard"
    act(olga, upgrade_id, "pause")
    assert act(olga, upgrade_id, "retry-shard", {"shard": 3}).json()["code"] == "upgrade-state"
    assert LedgerEntry.objects.filter(action="upgrade.retry-shard", outcome="done").count() == 1
    assert Upgrade.objects.get().lines.filter(kind="shard-retried").count() == 1


def test_a_critical_vote_is_given_by_a_person_who_has_just_shown_who_they_are(olga: APIClient) -> None:
    apply_policy(ROOT, Policy("crit", Purpose.SWITCH, critical=True, last_approver_may_run=False))
    request_id = act(olga, ready(olga), "request-approval").json()["readiness"]["approvals"]["request_id"]
    path = f"/approvals/{request_id}"
    token = client_of("tom", "approver")
    tag = {"If-Match": olga.get(f"/api/v1{path}")["ETag"]}
    assert post(token, f"{path}/approve", **tag).json()["code"] == "step-up-token"

    make_account("bob", "approver", password=PASSWORD)
    bob = APIClient()
    bob.force_login(Account.objects.get(username="bob"))
    session = bob.session
    session["proved_at"] = timezone.now().timestamp() - 301
    session.save()
    refused = post(bob, f"{path}/approve", **tag)
    assert (refused.status_code, refused.json()["code"]) == (403, "step-up")
    assert post(bob, "/session/proof", {"password": "wrong"}).json()["code"] == "step-up-wrong"
    assert post(bob, "/session/proof", {"password": PASSWORD}).status_code == 204
    voted = post(bob, f"{path}/approve", **tag)
    assert (voted.status_code, voted.json()["state"]) == (200, "APPROVED")
