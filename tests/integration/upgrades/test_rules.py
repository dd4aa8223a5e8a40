"""Windows and policies over HTTP: made, changed, removed, rehearsed, and never changed unseen."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.windows import WindowRule
from tests.factories.access import client_of
from tests.integration.upgrades.conftest import EU
from tests.integration.upgrades.test_api import level, plan, post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
FREEZE = {
    "name": "always",
    "effect": "deny",
    "zone": "Europe/Warsaw",
    "cron": "0 0 * * *",
    "minutes": 1500,
    "reason": "audit week",
}
RULE = {"name": "prod", "purpose": "switch", "service": "secrets.*", "needed": 3}


@pytest.fixture
def root() -> APIClient:
    return client_of("root", "admin")


def put(client: APIClient, place: str, body: dict[str, Any], tag: str = "") -> Any:
    headers = {"If-Match": tag} if tag else {}
    return client.put(f"/api/v1{place}", body, format="json", headers=headers)


def delete(client: APIClient, place: str, tag: str = "") -> Any:
    return client.delete(f"/api/v1{place}", headers={"If-Match": tag} if tag else {})


def without_name(rule: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in rule.items() if name != "name"}


def test_a_freeze_is_overridden_for_one_upgrade_by_whom_it_names(
    olga: APIClient, ann: APIClient, root: APIClient
) -> None:
    oscar = client_of("oscar", "operator")
    upgrade = str(plan(olga, start=True)["id"])
    level(upgrade)
    named = FREEZE | {"overriders": ["olga", "role auditor"]}
    assert (
        post(root, "/windows", named | {"overriders": ["role kings"]}).json()["code"] == "window-overriders"
    )
    made = post(root, "/windows", named).json()
    assert made.get("overriders") == ["olga", "role auditor"], made

    place, why = f"/upgrades/{upgrade}/window-override", {"reason": "the fix of CVE-1"}
    refused = post(oscar, place, why)
    assert (refused.status_code, refused.json()["code"]) == (403, "window-override")
    assert refused.json()["detail"] == "The freeze always may be overridden by olga, role auditor."
    assert refused.json()["who_can"] == ["olga", "role auditor"]
    assert post(ann, place, why).status_code == 403
    explained = oscar.get("/api/v1/windows/explain", {"deployment": EU}).json()
    assert (explained["allowed"], explained["may_override"]) == (False, False)
    assert explained["overriders"] == ["olga", "role auditor"]
    assert (
        explained["override_refusal_phrases"]
        == refused.json()["phrases"]
        == [
            {
                "key": "The freeze {name} may be overridden by {accounts}.",
                "values": {"name": "always", "accounts": "olga, role auditor"},
            }
        ]
    )
    assert olga.get("/api/v1/windows/explain", {"deployment": EU}).json()["may_override"] is True

    def window() -> tuple[str, str]:
        checks = olga.get(f"/api/v1/upgrades/{upgrade}").json()["readiness"]["checks"]
        return next((each["verdict"], each["sentence"]) for each in checks if each["check"] == "window")

    assert window()[0] == "fail"
    assert post(olga, place, {"reason": " "}).status_code == 400
    done = post(olga, place, why)
    assert (done.status_code, done.json()["rules"]) == (201, ["always"])
    assert (window()[0], window()[1].startswith("olga overrides always until ")) == ("pass", True)
    assert LedgerEntry.objects.get(action="window.override", outcome="done").reason == "the fix of CVE-1"
    assert post(olga, place, why).status_code == 201

    changed = put(root, "/windows/always", without_name(named) | {"reason": "longer"}, '"1"')
    assert changed.status_code == 200
    assert window()[0] == "fail"


def test_a_freeze_is_rehearsed_set_changed_and_removed(olga: APIClient) -> None:
    upgrade = plan(olga)["id"]
    rehearsed = post(olga, "/windows?dry_run=true", FREEZE).json()
    assert len(rehearsed["next"]) == 10
    assert rehearsed["warnings"][0].startswith(
        f"The switch of secrets @ eu-1 ({upgrade}) is held back: The freeze always forbids it until "
    )
    held, forbids = rehearsed["warning_phrases"][0]
    assert held["values"] == {"place": "secrets @ eu-1", "upgrade": upgrade}
    assert forbids["values"]["rule"] == "always"
    assert not WindowRule.objects.exists()

    made = post(olga, "/windows", FREEZE)
    assert (made.status_code, made["ETag"], made["Location"]) == (201, '"1"', "/api/v1/windows/always")
    assert post(olga, "/windows", FREEZE).json()["code"] == "window-exists"

    rules = without_name(FREEZE) | {"region": "us-*"}
    assert put(olga, "/windows/always", rules).status_code == 428
    changed = put(olga, "/windows/always", rules, '"1"')
    assert changed.json()["warnings"] == [f"The switch of secrets @ eu-1 ({upgrade}) is no longer held back."]
    stale = put(olga, "/windows/always", rules, '"1"')
    assert (stale.status_code, stale.json()["current"]["region"]) == (412, "us-*")
    assert (stale.json()["changed"]["who"], stale.json()["changed"]["what"]) == ("olga", "audit week")
    assert put(olga, "/windows/never", rules, '"1"').status_code == 404

    assert delete(olga, "/windows/always").status_code == 428
    assert delete(olga, "/windows/always?dry_run=true", '"2"').json() == {
        "warnings": [],
        "warning_phrases": [],
    }
    assert delete(olga, "/windows/always", '"1"').status_code == 412
    assert delete(olga, "/windows/always", '"2"').status_code == 204
    assert not WindowRule.objects.exists()
    noted = LedgerEntry.objects.filter(action__startswith="window.", outcome="done").order_by("id")
    assert [entry.action for entry in noted] == ["window.write", "window.write", "window.delete"]


def test_who_may_not_write_windows_is_told_who_can() -> None:
    refused = post(client_of("vera", "viewer"), "/windows", FREEZE)
    assert (refused.status_code, refused.json()["who_can"]) == (403, ["operator", "admin"])
    assert not WindowRule.objects.exists()


def test_a_manager_of_one_region_cannot_move_a_freeze_out_of_another(olga: APIClient) -> None:
    from tests.factories.access import make_account, token_of

    post(olga, "/windows", FREEZE | {"region": "us-1"})
    make_account("local", "operator", region="eu-1")
    local = APIClient()
    local.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of('local')}")
    moved = put(local, "/windows/always", without_name(FREEZE) | {"region": "eu-1"}, '"1"')
    assert moved.status_code == 403
    assert delete(local, "/windows/always", '"1"').status_code == 403
    assert WindowRule.objects.get().region == "us-1"


def test_policies_are_rehearsed_made_changed_and_removed(root: APIClient, olga: APIClient) -> None:
    upgrade = plan(olga)["id"]
    would = post(root, "/policies?dry_run=true", RULE).json()
    assert would["warnings"] == [
        f"The switch of secrets @ eu-1 ({upgrade}) asks for 3 approvals of approver now, by prod."
    ]
    assert not ApprovalPolicy.objects.exists()
    made = post(root, "/policies", RULE)
    assert (made.status_code, made["ETag"]) == (201, '"1"')
    assert post(root, "/policies", RULE).status_code == 412
    counts = olga.get(f"/api/v1/policies/explain?deployment={EU}").json()
    assert (counts["name"], counts["needed"]) == ("prod", 3)
    assert (
        olga.get(f"/api/v1/policies/explain?deployment={EU}&purpose=revert").json()["name"]
        == "default-revert"
    )

    other = f"{EU.rpartition('/')[0]}/us-1"
    asked = post(olga, "/upgrades?dry_run=true", {"deployment": other, "target_version": "v1"}).json()
    assert asked["would"][3] == "3 approvals are needed."
    rules = without_name(RULE)
    assert put(olga, "/policies/prod", rules, '"1"').status_code == 403
    wrong = put(root, "/policies/prod", rules | {"critical": True}, '"1"')
    assert wrong.json()["errors"][0]["path"] == "last_approver_may_run"
    assert put(root, "/policies/prod", rules).status_code == 428
    assert put(root, "/policies/prod", rules | {"needed": 1}, '"1"').json()["rev"] == 2
    assert delete(root, "/policies/prod", '"1"').status_code == 412
    assert delete(root, "/policies/prod", '"2"').status_code == 204


def test_what_counts_by_default_can_be_set(root: APIClient) -> None:
    standing = root.get("/api/v1/policies/default-switch")
    assert (standing.json()["needed"], standing["ETag"]) == (2, '"0"')
    assert put(root, "/policies/default-switch", {"purpose": "switch", "needed": 1}, '"0"').status_code == 200
    names = [each["name"] for each in root.get("/api/v1/policies").json()["items"]]
    assert names == ["default-switch", "default-revert", "default-evict", "default-brownout"]


def test_a_changed_policy_says_whose_votes_it_voids(root: APIClient, olga: APIClient) -> None:
    upgrade = plan(olga, start=True)["id"]
    level(upgrade)
    ready = olga.get(f"/api/v1/upgrades/{upgrade}")
    asked = post(olga, f"/upgrades/{upgrade}/request-approval", None, **{"If-Match": ready["ETag"]}).json()
    request = asked["readiness"]["approvals"]["request_id"]
    ann = client_of("ann", "approver")
    tag = ann.get(f"/api/v1/approvals/{request}")["ETag"]
    assert post(ann, f"/approvals/{request}/approve", None, **{"If-Match": tag}).status_code == 200
    would = post(root, "/policies?dry_run=true", RULE).json()["warnings"]
    assert would[1] == f"1 vote on {request} (secrets @ eu-1) no longer counts; it is asked again."
    assert ann.get(f"/api/v1/approvals/{request}").json()["votes_given"] == 1


def test_the_fleet_tells_of_each_deployment_when_it_may_switch_next(olga: APIClient) -> None:
    told = olga.get("/api/v1/fleet/windows").json()
    assert told["outlooks"] == [
        {
            "allowed": True,
            "sentence": "No window or freeze applies.",
            "phrases": [{"key": "No window or freeze applies.", "values": {}}],
            "rule": "",
            "opens": None,
            "closes": None,
        }
    ]
    service, region = EU.split("/")[1::2]
    assert told["of"][service][region] == 0

    assert post(olga, "/windows", {**FREEZE, "region": region}).status_code == 201
    told = olga.get("/api/v1/fleet/windows").json()
    of = {place: told["outlooks"][number] for place, number in told["of"][service].items()}
    assert (of[region]["allowed"], of[region]["rule"]) == (False, "always")
    assert {place for place, each in of.items() if each["allowed"]} == set(of) - {region}
