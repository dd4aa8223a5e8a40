"""Policies that are about some upgrades only: which one counts, what it would have decided, and from the command line."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from migrations_app.domain.approvals.policy import Purpose
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest
from tests.factories.access import client_of, make_account, token_of
from tests.integration.upgrades.conftest import EU, SERVICE
from tests.integration.upgrades.test_api import act, level, plan, post
from tests.integration.upgrades.test_rules import put
from tests.swy import Swy

TO_V1 = {"name": "to-v1", "purpose": "switch", "needed": 3, "about": {"to_version": "v1"}}


@pytest.mark.django_db
@pytest.mark.usefixtures("fleet")
def test_the_policy_about_an_upgrade_decides_it_and_a_change_of_that_voids_its_votes(olga: APIClient) -> None:
    root, ann = client_of("root", "admin"), client_of("ann", "approver")
    counts = f"/api/v1/policies/explain?deployment={EU}"
    assert post(root, "/policies", TO_V1).status_code == 201
    assert olga.get(counts).json()["name"] == "default-switch"
    upgrade = str(plan(olga, start=True)["id"])
    level(upgrade)
    assert (olga.get(counts).json()["name"], olga.get(counts).json()["about"]) == (
        "to-v1",
        {"to_version": "v1"},
    )

    asked = act(olga, upgrade, "request-approval").json()
    request = ApprovalRequest.objects.get(upgrade=upgrade)
    assert (request.policy["name"], request.policy["about"]) == ("to-v1", {"to_version": "v1"}), asked
    shown = ann.get(f"/api/v1/approvals/{request.pk}")
    voted = ann.post(
        f"/api/v1/approvals/{request.pk}/approve",
        {"comment": "ok"},
        format="json",
        HTTP_IF_MATCH=shown["ETag"],
    )
    assert (voted.status_code, voted.json()["votes_given"]) == (200, 1)

    rules = {name: value for name, value in TO_V1.items() if name != "name"}
    changed = put(root, "/policies/to-v1", {**rules, "about": {"to_version": "v2*"}}, '"1"')
    assert changed.json()["warnings"] == [
        f"The switch of secrets @ eu-1 ({upgrade}) asks for 2 approvals of approver now, by default-switch.",
        f"1 vote on {request.pk} (secrets @ eu-1) no longer counts; it is asked again.",
    ]
    assert olga.get(counts).json()["name"] == "default-switch"


@pytest.mark.django_db
@pytest.mark.usefixtures("fleet")
def test_a_preview_tells_the_upgrades_it_matches_and_which_another_policy_decides(olga: APIClient) -> None:
    root = client_of("root", "admin")
    upgrade = str(plan(olga)["id"])
    post(root, "/policies", {"name": "eu", "purpose": "switch", "region": "eu-1", "needed": 1})
    found = post(root, "/policies/preview", TO_V1).json()
    assert [(each["id"], each["decides"], each["decided_by"]) for each in found["upgrades"]] == [
        (upgrade, False, "eu")
    ]
    nearer = post(root, "/policies/preview", {**TO_V1, "region": "eu-1"}).json()
    assert [(each["decides"], each["decided_by"]) for each in nearer["upgrades"]] == [(True, "to-v1")]
    other = post(root, "/policies/preview", {**TO_V1, "about": {"kinds": ["location"]}}).json()
    assert (other["seen"], other["upgrades"]) == (1, [])


@pytest.mark.django_db
@pytest.mark.usefixtures("fleet")
def test_what_a_policy_cannot_be_about_is_refused(olga: APIClient) -> None:
    root = client_of("root", "admin")
    for about in ({"kinds": ["weather"]}, {"planet": "mars"}, {"to_version": "v" * 65}):
        assert post(root, "/policies", {**TO_V1, "about": about}).status_code == 400
    assert not ApprovalPolicy.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("fleet")
def test_what_a_policy_is_about_is_set_and_widened_from_the_command_line(live_web: str) -> None:
    make_account("root", "admin")
    root = Swy(live_web, token_of("root"))
    words = ("policies", "set", "bold", "--purpose", "switch")
    made = root.told(
        *words, "--needed", "3", "--to-version", "v2*", "--kind", "version", "--without-rollback"
    )
    assert made["about"] == {"to_version": "v2*", "kinds": ["version"], "without_rollback": True}
    assert root.told(*words, "--needed", "2")["about"] == made["about"]
    wider = root.told(*words, "--to-version", "", "--kind", "")
    assert (wider["about"], wider["needed"]) == ({"without_rollback": True}, 2)
    assert root.told("policies", "explain", f"{SERVICE}@eu-1")["name"] == "default-switch"


@pytest.mark.django_db
@pytest.mark.usefixtures("fleet")
def test_the_policy_that_counts_at_a_place_names_who_can_vote_there() -> None:
    viewer = client_of("vera", "viewer")
    make_account("ann", "approver")
    make_account("eva", "approver", region="us-*")
    voters: dict[str, list[str]] = {}
    for purpose in Purpose:
        counts = viewer.get(f"/api/v1/policies/explain?deployment={EU}&purpose={purpose.value}").json()
        rules = {name: value for name, value in counts.items() if name not in ("rev", "updated_by")}
        answer = post(viewer, "/policies/preview", {**rules, "service": SERVICE, "region": "eu-1"})
        assert answer.status_code == 200, answer.content
        voters[purpose.value] = answer.json()["voters"]
    assert "ann" in voters["switch"]
    assert "eva" not in voters["switch"]
