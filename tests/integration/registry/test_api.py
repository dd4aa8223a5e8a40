"""The fleet, deployments and services over the console's REST API."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.models.registry import ServiceDefinition
from tests.factories.access import client_of
from tests.factories.remembered import remembered
from tests.integration.resource_api.conftest import files_of

pytestmark = pytest.mark.django_db
FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
SECRETS_EU = "/api/v1/deployments/secrets.example.com/eu-west1"


@pytest.fixture
def fleet() -> None:
    """Apply the example fleet."""
    remembered("example fleet", [], lambda: apply_fleet(SYSTEM, FLEET))


def test_the_page_of_a_service_tells_which_types_split_and_merge() -> None:
    apply_service(SYSTEM, files_of(FLEET.parent / "delivery"))
    shown = client_of("vera", "viewer").get("/api/v1/services/delivery.example.com").json()
    between = {"before": "v1", "after": "v2", "by": "kind"}
    assert shown["type_changes"] == [
        {
            **between,
            "kind": "split",
            "types_before": ["Target"],
            "types_after": ["HttpTarget", "QueueTarget"],
        },
        {
            **between,
            "kind": "merge",
            "types_before": ["EmailChannel", "PagerChannel"],
            "types_after": ["Channel"],
        },
    ]


def test_the_page_of_a_service_is_shown_whose_definition_an_earlier_release_kept() -> None:
    apply_service(SYSTEM, files_of(FLEET.parent / "delivery"))
    ServiceDefinition.objects.update(files={}, fingerprint="unreadable")
    shown = client_of("vera", "viewer").get("/api/v1/services/delivery.example.com").json()
    assert (shown["versions"], shown["type_changes"]) == (["v2", "v1"], [])


@pytest.mark.usefixtures("fleet")
def test_the_fleet_shows_a_cell_per_deployment_and_ranks_services_by_imports() -> None:
    client = client_of("vera", "viewer")
    shown = client.get("/api/v1/fleet").json()
    assert [one["name"] for one in shown["regions"]] == ["ap-south3", "eu-west1", "us-east2"]
    assert [(one["name"].split(".")[0], one["rank"]) for one in shown["services"]] == [
        ("iam", 0),
        ("audit", 1),
        ("secrets", 1),
        ("devices", 2),
        ("apps", 3),
    ]
    assert len(shown["cells"]) == 12
    cell = next(
        one for one in shown["cells"] if one["name"].endswith("secrets.example.com/deployments/eu-west1")
    )
    listed = client.get("/api/v1/deployments?limit=100").json()["items"]
    assert listed == shown["cells"]
    assert cell == {
        "service": "secrets.example.com",
        "region": "eu-west1",
        "name": "services/secrets.example.com/deployments/eu-west1",
        "current_version": "v1alpha2",
        "target_version": None,
        "state": "IDLE",
        "ready": 0,
        "total": 0,
        "automatic": False,
        "disabled": False,
        "upgrade_id": None,
        "rev": cell["rev"],
        "labels": {},
        "data_version": "",
    }


@pytest.mark.usefixtures("fleet")
def test_a_deployment_tells_what_it_could_move_to_and_what_one_may_do() -> None:
    answer = client_of("olga", "operator").get(SECRETS_EU)
    shown = answer.json()
    assert answer["ETag"] == f'"{shown["rev"]}"'
    assert shown["sentence"] == "secrets.example.com in eu-west1 runs v1alpha2; v1 is available."
    assert shown["newest_version"] == "v1"
    assert shown["reachable_versions"] == [
        {"version": "v1", "reachable": True, "reason": ""},
        {
            "version": "v1alpha2",
            "reachable": False,
            "reason": "It runs this version already.",
            "phrases": [{"key": "It runs this version already.", "values": {}}],
        },
    ]
    assert shown["imported_versions"] == [
        {"service": "iam.example.com", "version": "v1", "current_version": "v1", "mismatch": False}
    ]
    assert [one["version"] for one in shown["databases"]] == ["v1alpha2"]
    assert {one["action"]: one["allowed"] for one in shown["actions"]} == {
        "plan": True,
        "disable": True,
        "delete": True,
        "set-switch-mode": True,
        "switch": False,
    }
    assert shown["raw"]["availableUpgrade"] == {"apiVersion": "v1", "totalShardsCount": 16}


@pytest.mark.usefixtures("fleet")
def test_who_may_not_is_told_who_could() -> None:
    shown = client_of("vera", "viewer").get(SECRETS_EU).json()
    plan = next(one for one in shown["actions"] if one["action"] == "plan")
    assert not plan["allowed"]
    assert "operator" in plan["who_can"]
    refused = client_of("viola", "viewer").put(SECRETS_EU, {"deployment": {}}, format="json")
    assert refused.status_code == 403


@pytest.mark.usefixtures("fleet")
def test_deployments_are_listed_in_pages_and_filtered() -> None:
    client = client_of("vera", "viewer")
    first = client.get("/api/v1/deployments?region=us-east2&limit=3").json()
    rest = client.get(f"/api/v1/deployments?region=us-east2&limit=3&cursor={first['next_cursor']}").json()
    names = [one["service"] for one in [*first["items"], *rest["items"]]]
    assert names == ["audit.example.com", "devices.example.com", "iam.example.com", "secrets.example.com"]
    assert (first["has_more"], rest["has_more"]) == (True, False)
    assert client.get("/api/v1/deployments?colour=blue").json()["code"] == "parameter"


@pytest.mark.usefixtures("fleet")
def test_a_deployment_is_applied_rehearsed_and_guarded_by_its_revision() -> None:
    client = client_of("olga", "operator")
    rev = client.get(SECRETS_EU).json()["rev"]
    body = {"deployment": {"publicDomain": "secrets.eu.example.com"}}
    rehearsed = client.put(f"{SECRETS_EU}?dry_run=true", body, format="json").json()
    assert rehearsed["public_domain"] == "secrets.eu.example.com"
    assert client.get(SECRETS_EU).json()["rev"] == rev
    applied = client.put(SECRETS_EU, body, format="json", HTTP_IF_MATCH=f'"{rev}"')
    assert applied.json()["rev"] > rev
    stale = client.put(SECRETS_EU, body, format="json", HTTP_IF_MATCH=f'"{rev}"')
    assert (stale.status_code, stale.json()["code"]) == (412, "changed")
    assert (stale.json()["changed"]["who"], stale.json()["changed"]["what"]) == ("olga", "registry.write")
    moved = client.put(SECRETS_EU, {"deployment": {"currentVersion": "v1"}}, format="json")
    assert (moved.status_code, moved.json()["code"]) == (409, "current-version-fenced")


@pytest.mark.usefixtures("fleet")
def test_a_rule_that_forbids_is_named_in_the_answer() -> None:
    client = client_of("olga", "operator")
    refused = client.delete("/api/v1/deployments/iam.example.com/us-east2")
    assert (refused.status_code, refused.json()["code"]) == (409, "import-not-in-region")
    assert refused.json()["errors"][0]["message"].endswith("which is not deployed in us-east2.")
    apps = "/api/v1/deployments/apps.example.com/us-east2"
    assert client.put(apps, {"deployment": {}}, format="json").status_code == 200
    assert client.delete(apps).status_code == 204
    gone = client.get(apps)
    assert (gone.status_code, gone.json()["code"]) == (410, "gone")


def test_a_service_folder_is_applied_over_http() -> None:
    client = client_of("olga", "operator")
    files = {one.name: base64.b64encode(one.read_bytes()).decode() for one in (FLEET / "iam").iterdir()}
    rehearsed = client.post("/api/v1/services?dry_run=true", {"files": files}, format="json").json()
    assert (rehearsed["service"], rehearsed["changed"]) == ("iam.example.com", True)
    assert registry.find(RegistryKind.SERVICE, "services/iam.example.com") is None
    applied = client.post("/api/v1/services", {"files": files}, format="json").json()
    assert applied["resource_types"] == ["Project", "RoleBinding", "ServiceAccount", "User"]
    assert client.post("/api/v1/services", {"files": files}, format="json").json()["changed"] is False
    shown = client.get("/api/v1/services/iam.example.com").json()
    assert (shown["display_name"], shown["versions"], shown["fingerprint"]) == (
        "Access",
        ["v1"],
        applied["fingerprint"],
    )
    assert [one["name"] for one in client.get("/api/v1/services").json()["items"]] == ["iam.example.com"]


@pytest.mark.parametrize("files", [{}, {"service.yaml": "%%%"}, {"x.yaml": ""}, {"service.yaml": "Og=="}, []])
def test_a_broken_folder_is_refused_and_never_breaks_us(files: object) -> None:
    refused = client_of("olga", "operator").post("/api/v1/services", {"files": files}, format="json")
    assert refused.status_code == 400
