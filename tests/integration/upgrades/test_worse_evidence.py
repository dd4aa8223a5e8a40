"""Evidence that gets worse after a vote: by the policy votes are void, or they bind to the plan."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from migrations_app.models.approvals import ApprovalVote
from migrations_app.models.ledger import LedgerEntry
from migrations_app.ports.upgrades import CheckResult
from tests.factories.access import client_of
from tests.factories.reports import keep_new
from tests.integration.upgrades.test_api import act
from tests.integration.upgrades.test_approvals import TECHNICAL, UPGRADES, at_the_gate, read
from tests.integration.upgrades.test_keeping import look

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
DIFFER = "3 resources differ."
RULES = {"purpose": "switch", "needed": 2}


@pytest.fixture
def root() -> APIClient:
    """A client signed in as an administrator."""
    return client_of("root", "admin")


def put_policy(root: APIClient, void_when_worse: bool) -> None:
    answer = root.post(
        "/api/v1/policies", {"name": "two", **RULES, "void_when_worse": void_when_worse}, format="json"
    )
    assert answer.status_code == 201, answer.content
    assert answer.json()["void_when_worse"] is void_when_worse


def vote(client: APIClient, request: str) -> None:
    shown = client.get(f"/api/v1/approvals/{request}")
    voted = client.post(
        f"/api/v1/approvals/{request}/approve", {}, format="json", HTTP_IF_MATCH=shown["ETag"]
    )
    assert voted.status_code == 200, voted.content


def checks(upgrade: str, **results: str) -> None:
    UPGRADES.record_checks(
        upgrade,
        [
            CheckResult(name, results.get(name, "pass"), DIFFER if name in results else f"{name} holds.")
            for name in TECHNICAL
        ],
    )
    keep_new()


def requested(olga: APIClient) -> tuple[str, str]:
    upgrade = at_the_gate()
    answer = act(olga, upgrade, "request-approval", {"comment": "tonight"})
    return upgrade, answer.json()["readiness"]["approvals"]["request_id"]


def test_votes_bind_to_the_plan_and_what_got_worse_is_named(
    root: APIClient, olga: APIClient, ann: APIClient
) -> None:
    put_policy(root, void_when_worse=False)
    upgrade, request = requested(olga)
    vote(ann, request)
    assert ann.get(f"/api/v1/approvals/{request}").json()["worse"] == []
    checks(upgrade, parity="fail")
    look(read(request))
    shown = ann.get(f"/api/v1/approvals/{request}").json()
    assert (shown["void_when_worse"], shown["votes_given"]) == (False, 1)
    assert [(each["check"], each["who"], each["then"], each["now"]) for each in shown["worse"]] == [
        ("parity", "ann", "parity holds.", DIFFER)
    ]
    recorded = olga.get(f"/api/v1/upgrades/{upgrade}/history").json()["votes"][0]["evidence"]
    assert {"parity": "pass"}.items() <= {each["check"]: each["verdict"] for each in recorded}.items()


def test_votes_are_void_once_a_check_fails_that_passed(
    root: APIClient, olga: APIClient, ann: APIClient
) -> None:
    put_policy(root, void_when_worse=True)
    upgrade, request = requested(olga)
    vote(ann, request)
    checks(upgrade, quarantined="unknown")
    look(read(request))
    assert ann.get(f"/api/v1/approvals/{request}").json()["votes_given"] == 1
    checks(upgrade, parity="fail")
    look(read(request))
    shown = ann.get(f"/api/v1/approvals/{request}").json()
    assert (shown["state"], shown["votes_given"], shown["worse"]) == ("OPEN", 0, [])
    why = "The evidence got worse: parity passed when ann voted, now: 3 resources differ."
    assert [each["void_reason"] for each in shown["votes"]] == [why]
    [voided] = shown["votes"]
    assert [phrase["key"] for phrase in voided["void_phrases"]][:2] == [
        "The evidence got worse:",
        "{check} passed when {who} voted, now:",
    ]
    assert LedgerEntry.objects.get(action="approval.void").reason == why
    events = olga.get(f"/api/v1/upgrades/{upgrade}/events").json()["items"]
    assert f"1 vote is void. {why}" in [each["text"] for each in events]

    # A vote on the evidence as it is now stands while that does not get worse.
    vote(ann, request)
    look(read(request))
    assert ann.get(f"/api/v1/approvals/{request}").json()["votes_given"] == 1
    assert ApprovalVote.objects.count() == 2


def test_an_eviction_has_no_checks_to_get_worse(root: APIClient) -> None:
    answer = root.post(
        "/api/v1/policies",
        {"name": "out", "purpose": "evict", "needed": 2, "void_when_worse": True},
        format="json",
    )
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["path"] == "void_when_worse"
