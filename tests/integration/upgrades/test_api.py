"""Upgrades, approvals, policies and windows over HTTP, in the shapes the console relies on."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.adapters.repositories.shadow_reads import ShadowReadRows
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.operations import Operation
from migrations_app.models.registry import Service as ServiceRow
from migrations_app.models.registry import ServiceDefinition
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.shadow_reads import ShadowReadComparison
from migrations_app.ports.upgrades import CheckResult, TimelineEntry
from tests.factories.access import client_of
from tests.factories.reports import keep_new, report_caught_up
from tests.integration.upgrades.conftest import EU, SERVICE, define

UPGRADES = DjangoUpgrades()
TECHNICAL = ("parity", "quarantined", "old-transactions", "reverse-replication")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]


@pytest.fixture
def bob() -> APIClient:
    return client_of("bob", "approver")


@pytest.fixture
def root() -> APIClient:
    return client_of("root", "admin")


def post(client: APIClient, path: str, body: object = None, **headers: str) -> Any:
    return client.post(f"/api/v1{path}", body or {}, format="json", headers=headers)


def act(client: APIClient, upgrade_id: str, action: str, body: object = None, **headers: str) -> Any:
    """Take an action on what is seen now."""
    tag = client.get(f"/api/v1/upgrades/{upgrade_id}")["ETag"]
    return post(client, f"/upgrades/{upgrade_id}/{action}", body, **{"If-Match": tag, **headers})


def plan(client: APIClient, **more: object) -> dict[str, Any]:
    answer = post(client, "/upgrades", {"deployment": EU, "target_version": "v1", **more})
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    assert answer["ETag"].startswith(f'"{body["rev"]}.')
    return body


def level(upgrade_id: str) -> None:
    """Bring an upgrade so far that its shards are caught up and its checks hold."""
    report_caught_up(upgrade_id, copied=10, total=10)
    UPGRADES.transition(UPGRADES.load(upgrade_id), UpgradeEvent.CATCH_UP, TimelineEntry("caught-up", "level"))
    checks = [CheckResult(name, "pass", f"{name} holds.") for name in TECHNICAL]
    freeze = CheckResult("freeze", "pass", "Writes would pause for about 40 ms.", value=40.0)
    UPGRADES.record_checks(upgrade_id, [*checks, freeze])
    keep_new()


def test_a_dry_run_says_everything_and_keeps_nothing(olga: APIClient) -> None:
    answer = post(olga, "/upgrades?dry_run=true", {"deployment": EU, "target_version": "v1"})
    assert answer.status_code == 200
    body = answer.json()
    assert body["possible"] is True
    assert [check["check"] for check in body["checks"]] == [
        "reachable",
        "current-version",
        "one-upgrade",
        "enabled",
        "regions",
        "ring",
    ]
    assert body["would"][3] == "2 approvals are needed."
    assert body["prospects"]["policy"] == {
        "name": "default-switch",
        "needed": 2,
        "group": "approver",
        "critical": False,
        "sentence": "2 people with the role or group approver must approve."
        " Who planned it or requests the approval has no vote.",
        "phrases": [
            {
                "key": "{count} person with the role or group {group} must approve."
                "|{count} people with the role or group {group} must approve.",
                "values": {"count": 2, "group": "approver"},
            },
            {"key": "Who planned it or requests the approval has no vote.", "values": {}},
        ],
        "reason": "No policy was written for it: the default policy applies.",
        "reason_phrases": [
            {"key": "No policy was written for it: the default policy applies.", "values": {}}
        ],
    }
    assert body["prospects"]["rollback"] == (
        "Rollback stays possible for 7 days, with nothing lost. It needs no approval."
    )
    assert (body["prospects"]["took"], body["prospects"]["resources"]) == (None, None)
    assert Upgrade.objects.count() == 0
    assert LedgerEntry.objects.filter(action="upgrade.plan", outcome="dry_run").count() == 1


def test_reads_that_would_be_answered_otherwise_are_evidence_of_their_upgrade_alone(olga: APIClient) -> None:
    upgrade_id = str(plan(olga)["id"])
    place = Upgrade.objects.get(pk=upgrade_id).target_schema
    found = ShadowReadComparison()
    for name in ("a", "b", "c"):
        found.note((place, "Secret"), name, ("title",) if name == "b" else ())
        found.note((f"{place}_other", "Secret"), name, ("owner",))
    ShadowReadRows().add(found)
    ShadowReadRows().add(found)

    checks = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()["readiness"]["checks"]
    (shown,) = [check for check in checks if check["check"] == "shadow-reads"]
    assert (shown["verdict"], shown["sentence"]) == (
        "warn",
        (
            "2 of 6 live reads of v1alpha2 would be answered otherwise after the switch: "
            "Secret.title in 2 reads, such as b."
        ),
    )


def test_a_planned_upgrade_has_the_shape_the_console_relies_on(olga: APIClient) -> None:
    body = plan(olga, comment="tonight")
    wanted = [
        "id",
        "rev",
        "deployment",
        "service",
        "region",
        "from_version",
        "to_version",
        "kind",
        "state",
        "paused",
        "meta_stage",
        "sentence",
        "automatic",
        "requested_by",
        "created_at",
        "started_at",
        "finished_at",
        "plan_digest",
        "steps",
        "shards",
        "progress",
        "readiness",
        "actions",
        "quarantined_count",
        "stall",
        "data_tasks",
        "reversible_until",
        "freeze_ms",
    ]
    assert set(wanted) <= set(body)
    assert (body["state"], body["requested_by"], body["shards"]["total"]) == ("PLANNED", "olga", 16)
    assert body["sentence"] == (
        "secrets @ eu-1 is planned to move from v1alpha2 to v1; nothing was copied yet."
    )
    assert [step["state"] for step in body["steps"]] == ["current", *["todo"] * 6]
    assert {action["action"]: action["allowed"] for action in body["actions"]} == {
        "start": True,
        "edit": True,
        "pause": False,
        "throttle": True,
        "resume": False,
        "request-approval": False,
        "switch": False,
        "abort": True,
        "rollback": False,
        "complete": False,
        "extend": False,
        "enable-reverse-replication": False,
        "settle": False,
    }
    assert olga.get(f"/api/v1/upgrades/{body['id']}").json()["rev"] == body["rev"]


def test_the_whole_life_up_to_the_wish_to_switch(olga: APIClient, ann: APIClient, bob: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    ready = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()
    assert ready["sentence"] == (
        "secrets @ eu-1 has all 16 shards caught up for v1; 2 approvals must be requested."
    )
    assert ready["readiness"]["predicted_freeze_ms"] == 40.0
    refused = act(olga, upgrade_id, "switch")
    assert (refused.status_code, refused.json()["code"]) == (409, "guard-approval")
    offered = next(each for each in ready["actions"] if each["action"] == "switch")
    assert refused.json()["detail"].startswith(offered["reason"])

    asked = act(olga, upgrade_id, "request-approval", {"comment": "tonight", "ticket": "C-1"})
    request_id = asked.json()["readiness"]["approvals"]["request_id"]
    for client in (ann, bob):
        page = client.get(f"/api/v1/approvals/{request_id}").json()
        assert page["actions"][0]["allowed"] is True
        assert [each["id"] for each in client.get("/api/v1/approvals?tab=mine").json()["items"]] == [
            request_id
        ]
        digest = f'"{page["digest"]}"'
        voted = post(client, f"/approvals/{request_id}/approve", {"comment": "ok"}, **{"If-Match": digest})
        assert voted.status_code == 200, voted.content
    assert voted.json()["state"] == "APPROVED"
    assert voted.json()["what"] == "Switch secrets @ eu-1 from v1alpha2 to v1"

    switched = act(olga, upgrade_id, "switch", **{"Idempotency-Key": str(uuid.uuid4())})
    assert switched.status_code == 202, switched.content
    operation = olga.get(switched["Location"]).json()
    assert (operation["kind"], operation["state"]) == ("upgrade.switch", "running")
    record = UPGRADES.transition(UPGRADES.load(upgrade_id), UpgradeEvent.FREEZE, TimelineEntry("freeze", ""))
    UPGRADES.transition(
        record, UpgradeEvent.FLIP, TimelineEntry("flip", "v1 serves."), clear_request=True, freeze_ms=40.0
    )
    assert Operation.objects.get(pk=operation["id"]).state == "done"
    after = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()
    assert after["sentence"].startswith(
        "secrets @ eu-1 now serves v1; writes were paused for 40 ms. Rollback"
    )
    story = olga.get(f"/api/v1/upgrades/{upgrade_id}/events").json()["items"]
    assert [line["kind"] for line in story] == [
        "planned",
        "started",
        "caught-up",
        "approval-asked",
        "vote-approve",
        "vote-approve",
        "switch-asked",
        "freeze",
        "flip",
    ]
    report = olga.get(f"/api/v1/upgrades/{upgrade_id}/report").json()
    assert [vote["who"] for vote in report["votes"]] == ["ann", "bob"]
    assert [move["row"] for move in report["moves"]] == ["", "A", "C", "G", "H"]
    assert report["counts"] == {"copied": 0, "followed": 0, "quarantined": 0}


def test_a_vote_needs_the_digest_that_was_looked_at(olga: APIClient, ann: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    request_id = act(olga, upgrade_id, "request-approval").json()["readiness"]["approvals"]["request_id"]
    assert post(ann, f"/approvals/{request_id}/approve").status_code == 428
    old = ann.get(f"/api/v1/approvals/{request_id}")["ETag"]
    define("f2")
    stale = post(ann, f"/approvals/{request_id}/approve", **{"If-Match": old})
    assert (stale.status_code, stale.json()["code"]) == (412, "evidence-changed")
    page = ann.get(f"/api/v1/approvals/{request_id}").json()
    assert stale.json()["current"]["digest"] == page["digest"] != old.strip('"').partition(".")[0]
    told = stale.json()["changed"]
    assert (told["who"], told["what"]) == ("", "The evidence changed. The conversion was redefined.")
    # The votes are still to come, which is no fault; the changed plan is one.
    stopping = {each["check"]: each["verdict"] for each in page["evidence_now"] if each["verdict"] != "pass"}
    assert {check: stopping[check] for check in ("plan", "approval")} == {
        "plan": "fail",
        "approval": "pending",
    }
    assert [check for check, verdict in stopping.items() if verdict == "fail"] == ["plan"]


def test_the_requester_is_refused_and_told_who_can(olga: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    request_id = act(olga, upgrade_id, "request-approval").json()["readiness"]["approvals"]["request_id"]
    tag = olga.get(f"/api/v1/approvals/{request_id}")["ETag"]
    refused = post(olga, f"/approvals/{request_id}/approve", **{"If-Match": tag})
    assert refused.status_code == 403
    assert "approver" in refused.json()["who_can"]
    assert LedgerEntry.objects.filter(actor="olga", outcome="denied").exists()


def test_a_dry_run_of_an_action_changes_nothing(olga: APIClient) -> None:
    upgrade_id = plan(olga)["id"]
    rehearsed = act(olga, upgrade_id, "start?dry_run=true")
    assert rehearsed.json()["state"] == "SYNCING"
    assert olga.get(f"/api/v1/upgrades/{upgrade_id}").json()["state"] == "PLANNED"


def test_who_saw_an_older_upgrade_is_refused(olga: APIClient) -> None:
    body = plan(olga)
    act(olga, body["id"], "start")
    tag = f'"{body["rev"]}"'
    stale = act(olga, body["id"], "pause", **{"If-Match": tag})
    assert (stale.status_code, stale.json()["code"]) == (412, "upgrade-changed")
    assert stale.json()["changed"]["who"] == "olga"
    line = olga.get(f"/api/v1/upgrades/{body['id']}/events").json()["items"][-1]
    assert (stale.json()["changed"]["at"], stale.json()["changed"]["what"]) == (line["at"], line["text"])


def test_a_plan_is_told_how_long_the_last_copy_took_and_how_much_it_was(olga: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    act(olga, upgrade_id, "abort", {"comment": "again"})
    Upgrade.objects.update(state="ABORTED")
    again = post(olga, "/upgrades?dry_run=true", {"deployment": EU, "target_version": "v1"}).json()[
        "prospects"
    ]
    assert (again["resources"], again["took"]["upgrades"]) == (160, 1)
    assert again["took"]["low_seconds"] == again["took"]["high_seconds"] >= 0


def test_a_second_plan_meets_the_first(olga: APIClient) -> None:
    first = plan(olga)["id"]
    second = post(olga, "/upgrades", {"deployment": EU, "target_version": "v1"})
    assert second.status_code == 409
    assert second.json()["detail"].startswith(f"Upgrade {first} holds this deployment.")


def test_a_deployment_that_is_nearly_named_is_told_by_its_name(olga: APIClient) -> None:
    short = "services/secrets/deployments/eu-1"
    problem = post(olga, "/upgrades", {"deployment": short, "target_version": "v1"}).json()
    assert problem["code"] == "deployment-missing"
    assert f"Did you mean {EU}?" in json.dumps(problem)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"deployment": EU, "target_version": "v9"}, 409, "guard-reachable"),
        ({"deployment": EU, "target_version": "v1alpha2"}, 400, "plan-no-move"),
        ({"deployment": "services/x/deployments/y", "target_version": "v1"}, 404, "deployment-missing"),
        ({"deployment": EU, "kind": "location", "target_location": "mars"}, 400, "plan-location"),
        ({"deployment": EU, "kind": "data", "target_data_version": "v9"}, 400, "plan-data-version"),
        ({"deployment": EU, "target_version": "v1", "state": "READY"}, 400, "invalid"),
        ({"deployment": EU, "target_version": "v1alpha2", "target_shard_count": 8}, 409, "plan-shards"),
        ({"deployment": EU, "kind": "shards"}, 400, "plan-ring"),
        ({"deployment": EU, "kind": "shards", "target_shard_count": 16}, 400, "plan-no-move"),
        ({"deployment": EU, "kind": "shards", "target_shard_count": -1}, 400, "invalid"),
        ({"deployment": EU, "kind": "shards", "target_shard_count": 4097}, 400, "invalid"),
        (
            {"deployment": EU, "kind": "shards", "target_version": "v1", "target_shard_count": 8},
            400,
            "plan-shards-alone",
        ),
    ],
)
def test_a_wrong_plan_is_refused(olga: APIClient, body: dict[str, object], status: int, code: str) -> None:
    answer = post(olga, "/upgrades", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_freeze_stops_the_switch_and_explains_itself(olga: APIClient) -> None:
    freeze = {
        "name": "always",
        "effect": "deny",
        "zone": "Europe/Warsaw",
        "cron": "0 0 * * *",
        "minutes": 1500,
        "reason": "audit week",
    }
    made = post(olga, "/windows", freeze)
    assert made.status_code == 201, made.content
    assert len(made.json()["next"]) == 10
    told = olga.get(f"/api/v1/windows/explain?deployment={EU}").json()
    assert (told["allowed"], told["winner"]) == (False, "always")
    assert told["considered"] == ["always (deny): open"]
    assert told["considered_phrases"] == [[{"key": "{rule} (deny): open", "values": {"rule": "always"}}]]
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    gate = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()["readiness"]["checks"]
    window = next(check for check in gate if check["check"] == "window")
    assert window["sentence"].startswith("The freeze always forbids it until ")
    assert olga.delete("/api/v1/windows/always", headers={"If-Match": '"1"'}).status_code == 204
    assert post(olga, "/windows", {**freeze, "zone": "Mars"}).json()["code"] == "zone"


def test_a_definition_that_cannot_be_read_leaves_unknown_what_goes_and_stops_the_switch(
    olga: APIClient,
) -> None:
    broken = ServiceDefinition.objects.create(
        service=SERVICE, fingerprint="broken", files={}, created_at=timezone.now()
    )
    ServiceRow.objects.filter(pk=SERVICE).update(definition=broken)
    unknown = "Unknown: what v1 does not have of v1alpha2, because the definition cannot be read."
    would = post(olga, "/upgrades?dry_run=true", {"deployment": EU, "target_version": "v1"}).json()["would"]
    assert would[-1] == f"{unknown} No switch is possible until it can."

    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    checks = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()["readiness"]["checks"]
    (shown,) = [check for check in checks if check["check"] == "removals"]
    assert (shown["verdict"], shown["sentence"]) == ("unknown", unknown)
    assert shown["remedy"].startswith("Apply a definition of the service that has both versions")
    refused = act(olga, upgrade_id, "switch")
    assert (refused.status_code, refused.json()["code"]) == (409, "guard-removals")
    assert refused.json()["detail"].startswith(unknown)
    listed = olga.get(f"/api/v1/upgrades/{upgrade_id}/removals")
    assert (listed.status_code, listed.json()["code"]) == (409, "removals-unknown")

    # Without any definition it is as unknown: that the new version has all cannot be said.
    ServiceRow.objects.filter(pk=SERVICE).update(definition=None)
    checks = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()["readiness"]["checks"]
    (shown,) = [check for check in checks if check["check"] == "removals"]
    assert (shown["verdict"], shown["sentence"]) == ("unknown", unknown)
    assert olga.get(f"/api/v1/upgrades/{upgrade_id}/removals").json()["code"] == "removals-unknown"


def test_breaking_the_glass_needs_a_reason_and_a_ticket(root: APIClient, olga: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    assert act(root, upgrade_id, "break-glass", {"comment": "now"}).status_code == 400
    body = {"comment": "the old version loses orders", "ticket": "INC-1"}
    broken = act(root, upgrade_id, "break-glass", body)
    assert broken.json()["readiness"]["approvals"]["state"] == "EMERGENCY"
    assert act(olga, upgrade_id, "switch").status_code == 202


def test_of_a_batch_each_is_answered_for_itself(olga: APIClient) -> None:
    other = f"services/{SERVICE}/deployments/us-1"
    plans = [
        {"deployment": EU, "target_version": "v1", "start": True},
        {"deployment": EU, "target_version": "v1"},
        {"deployment": other, "target_version": "v9"},
        {"deployment": other, "target_version": "v1"},
    ]
    answer = post(olga, "/upgrades:batch", {"upgrades": plans})
    assert answer.status_code == 207
    items = answer.json()["items"]
    assert [(item["status"], (item["problem"] or {}).get("code")) for item in items] == [
        (201, None),
        (409, "guard-one-upgrade"),
        (409, "guard-reachable"),
        (201, None),
    ]
    assert items[1]["problem"]["upgrade_id"] == items[0]["upgrade"]["id"]
    assert "upgrade_id" not in items[2]["problem"]
    assert sorted(Upgrade.objects.values_list("deployment", "state")) == [(EU, "SYNCING"), (other, "PLANNED")]


def test_a_second_upgrade_of_a_deployment_is_refused_with_the_id_of_the_first(olga: APIClient) -> None:
    first = post(olga, "/upgrades", {"deployment": EU, "target_version": "v1"}).json()
    again = post(olga, "/upgrades", {"deployment": EU, "target_version": "v1"})
    assert (again.status_code, again.json()["code"]) == (409, "guard-one-upgrade")
    assert again.json()["upgrade_id"] == first["id"]
