"""What an approver is told before deciding, several requests decided at once, and who is on duty."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from console.env import ROOT
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.access import actor_with
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.models.duty import Duty
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment, Import, Region, Service, ServiceDefinition
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry
from tests.integration.compatibility.test_waivers import hidden, wish
from tests.integration.upgrades.conftest import EU, SERVICE
from tests.integration.upgrades.test_api import act, level, plan, post

UPGRADES = DjangoUpgrades()
APPS = "apps.example.com"
US = EU.replace("eu-1", "us-1")
SECRETS = ROOT / "examples" / "secrets"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]


def asked(client: APIClient, **more: object) -> str:
    """A request for approval of an upgrade while ready."""
    upgrade_id = plan(client, start=True, **more)["id"]
    level(upgrade_id)
    return str(act(client, upgrade_id, "request-approval").json()["readiness"]["approvals"]["request_id"])


def stands_on_secrets(version: str = "v1") -> Deployment:
    """Apps in eu-1; its v1 is written against v1alpha2 of secrets, its v2 against v1."""
    now = timezone.now()
    apps = Service.objects.create(id=APPS, versions=["v2", "v1"], created_at=now, updated_at=now)
    Import.objects.create(
        service=apps, target_id=SERVICE, kind=Import.IMPORTS, versions={"v1": "v1alpha2", "v2": "v1"}
    )
    return Deployment.objects.create(
        name=f"services/{APPS}/deployments/eu-1",
        service=apps,
        region=Region.objects.get(pk="eu-1"),
        current_version=version,
        created_at=now,
        updated_at=now,
    )


def page(client: APIClient, request_id: str) -> dict[str, Any]:
    body: dict[str, Any] = client.get(f"/api/v1/approvals/{request_id}").json()
    return body


def test_an_approver_reads_when_it_would_happen_what_depends_on_it_and_how_risky_it_is(
    olga: APIClient, ann: APIClient
) -> None:
    stands_on_secrets()
    now = timezone.now()
    UsageCount.objects.create(
        service=SERVICE, version="v1alpha2", client="portal", method="GetSecret", path="", day=now.date(),
        state="absent", count=7, first_seen=now, last_seen=now,
    )  # fmt: skip
    request_id = asked(olga)
    # Its definition cannot be read: that nothing breaks is not known.
    unread = ServiceDefinition.objects.create(service=SERVICE, fingerprint="unread", files={}, created_at=now)
    Service.objects.filter(pk=SERVICE).update(definition=unread)
    impact = page(ann, request_id)["impact"]
    assert impact["when"] == {
        "sentence": "When a person presses Switch, any time from now on: No window or freeze applies.",
        "phrases": [
            {"key": "When a person presses Switch, any time from now on:", "values": {}},
            {"key": "No window or freeze applies.", "values": {}},
        ],
        "not_before": None,
    }
    assert impact["risk"] == {
        "level": "medium",
        "reasons": [
            "What clients would notice is unknown.",
            "2 checks of the evidence do not hold now.",
            "apps @ eu-1 imports the old version.",
        ],
        "reason_phrases": [
            [{"key": "What clients would notice is unknown.", "values": {}}],
            [
                {
                    "key": "{count} check of the evidence does not hold now."
                    "|{count} checks of the evidence do not hold now.",
                    "values": {"count": 2},
                }
            ],
            [
                {
                    "key": "{deployments} imports the old version.|{deployments} import the old version.",
                    "values": {"count": 1, "deployments": "apps @ eu-1"},
                }
            ],
        ],
    }
    assert impact["references"] == {"breaking": [], "unknown": [SERVICE]}
    blast = impact["blast"]
    assert (blast["resources"], blast["resources_counted"]) == (160, True)
    assert [(each["region"], each["here"]) for each in blast["regions"]] == [("eu-1", True), ("us-1", False)]
    assert blast["dependants"] == [
        {"service": APPS, "region": "eu-1", "version": "v1", "builds_on": "v1alpha2"}
    ]
    assert [(each["client"], each["messages"]) for each in blast["callers"]] == [("portal", 7)]


def test_one_change_of_low_risk_is_approved_in_several_places_at_once(
    olga: APIClient, ann: APIClient
) -> None:
    files = {
        one.relative_to(SECRETS).as_posix(): one.read_bytes() for one in SECRETS.rglob("*") if one.is_file()
    }
    apply_service(actor_with("root", "admin"), files)
    here, there = asked(olga), asked(olga, deployment=US)
    seen = [{"id": each, "digest": page(ann, each)["digest"]} for each in (here, there)]
    risky = post(ann, "/approvals:approve", {"requests": seen}).json()["items"]
    assert [each["problem"]["code"] for each in risky] == ["bulk-risk", "bulk-risk"]

    place = hidden(olga)
    waiver = post(olga, f"/services/{SERVICE}/waivers", wish(place))
    assert post(ann, f"/waivers/{waiver.json()['id']}/approve").status_code == 200
    assert page(ann, here)["impact"]["risk"] == {
        "level": "low",
        "reasons": ["Nothing prevents it."],
        "reason_phrases": [[{"key": "Nothing prevents it.", "values": {}}]],
    }
    stale = [seen[0], {**seen[1], "digest": "old"}]
    answer = post(ann, "/approvals:approve", {"requests": stale, "comment": "Read both."})
    assert answer.status_code == 207
    assert [(each["status"], (each["problem"] or {}).get("code")) for each in answer.json()["items"]] == [
        (200, None),
        (412, "evidence-changed"),
    ]
    assert [vote["comment"] for vote in page(ann, here)["votes"]] == ["Read both."]
    assert page(ann, there)["votes"] == []


def test_different_changes_are_not_approved_together(olga: APIClient, ann: APIClient) -> None:
    here, there = asked(olga), asked(olga, deployment=US, rollback_hours=1)
    seen = [{"id": each, "digest": page(ann, each)["digest"]} for each in (here, there)]
    mixed = post(ann, "/approvals:approve", {"requests": seen})
    assert (mixed.status_code, mixed.json()["code"]) == (409, "bulk-mixed")
    assert page(ann, here)["votes"] == []


def switched(upgrade_id: str) -> None:
    record = UPGRADES.transition(UPGRADES.load(upgrade_id), UpgradeEvent.FREEZE, TimelineEntry("freeze", ""))
    UPGRADES.transition(
        record, UpgradeEvent.FLIP, TimelineEntry("flip", ""), clear_request=True, freeze_ms=40.0
    )


def test_what_was_switched_to_build_on_the_new_version_goes_back_first(olga: APIClient) -> None:
    apps = stands_on_secrets("v2")
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    switched(upgrade_id)
    Deployment.objects.filter(pk=EU).update(current_version="v1")

    def told() -> dict[str, Any]:
        checks = olga.get(f"/api/v1/upgrades/{upgrade_id}").json()["readiness"]["checks"]
        return next(each for each in checks if each["check"] == "dependants")

    assert told()["verdict"] == "pass"  # it was built on v1 before, and will be again
    later = Upgrade.objects.create(
        id="u-later", deployment=apps.name, service=APPS, region="eu-1", from_version="v1", to_version="v2",
        state="REVERSIBLE", created_by="olga", plan={}, plan_digest="", source_database="", source_schema="",
        target_database="", target_schema="",
    )  # fmt: skip
    later.moves.create(letter="H", state="REVERSIBLE", at=timezone.now(), who="olga")
    assert (told()["verdict"], told()["sentence"]) == (
        "fail",
        "apps @ eu-1 (v2) was switched since, and imports v1.",
    )
    refused = act(olga, upgrade_id, "rollback")
    assert (refused.status_code, refused.json()["code"]) == (409, "guard-dependants")


def test_people_say_how_long_they_are_on_duty_and_requests_name_those_who_may_decide(
    olga: APIClient, ann: APIClient
) -> None:
    request_id = asked(olga)
    taken = ann.put("/api/v1/duty", {"hours": 8}, format="json")
    assert [(each["name"], each["roles"]) for each in taken.json()["items"]] == [("ann", ["approver"])]
    assert [each["name"] for each in page(olga, request_id)["on_duty"]] == ["ann"]
    assert olga.put("/api/v1/duty", {"hours": 8}, format="json").status_code == 403
    assert ann.put("/api/v1/duty", {"hours": 0}, format="json").status_code == 400
    Duty.objects.update(until=timezone.now())
    assert olga.get("/api/v1/duty").json()["items"] == []
    ann.put("/api/v1/duty", {"hours": 1}, format="json")
    assert ann.delete("/api/v1/duty").status_code == 204
    assert Duty.objects.count() == 0
    kept = LedgerEntry.objects.filter(action__startswith="duty.", outcome="done").order_by("pk")
    assert list(kept.values_list("action", flat=True)) == ["duty.take", "duty.take", "duty.leave"]
