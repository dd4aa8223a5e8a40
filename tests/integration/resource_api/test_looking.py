"""Looking at resources in the console: lists, every version side by side, the bag, and each step between versions."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app import wiring
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

BASE = f"/api/v1/deployments/{SERVICE}/{REGION}"
OLD, NEW = "projects/p/secrets/door", f"projects/p/regions/{REGION}/secrets/door"
SECRET = {"title": "Door", "owner": "ada", "rotation": "MANUAL", "legacyEtag": "x1"}


@pytest.fixture
def vera(ports: Yard, monkeypatch: pytest.MonkeyPatch) -> APIClient:
    """An account that may read resources, with one secret to read."""
    monkeypatch.setattr(wiring, "resource_servers", lambda: ports.servers)
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    return client_of("vera", "viewer")


def views(client: APIClient, name: str, version: str = "") -> dict[str, dict[str, Any]]:
    shown = client.get(f"{BASE}/resource", {"name": name, "version": version}).json()
    return {each["version"]: each for each in shown["views"]}


def test_resources_are_listed_as_a_version_shows_them(vera: APIClient, ports: Yard) -> None:
    listed = vera.get(f"{BASE}/resources", {"type": "Secret"}).json()

    assert (listed["version"], listed["how"], listed["hidden"]) == ("v1alpha2", "native", 0)
    assert [each["name"] for each in listed["items"]] == [OLD]
    assert listed["items"][0]["fields"]["title"] == "Door"
    assert "SecretGrant" in listed["types"]

    none = vera.get(f"{BASE}/resources", {"type": "Secret", "filter": 'title = "Gate"'}).json()
    assert none["items"] == []


def test_resources_are_found_by_name_kind_deployment_and_version(
    vera: APIClient, ports: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "looked_at", lambda: [(REGION, SERVICE), ("us-9", SERVICE)])
    for n in (1, 2):
        ports.call("POST", "projects/p/secretGrants", {"secret": OLD, "member": "m"}, id=f"grant-{n}")

    def found(**asked: str) -> list[str]:
        return [each["name"] for each in vera.get("/api/v1/references/search", asked).json()["items"]]

    grants = ["projects/p/secretGrants/grant-1", "projects/p/secretGrants/grant-2"]
    assert (found(text="door"), found(text=OLD), found(text="doo")) == ([OLD], [OLD], [])
    assert (found(type="SecretGrant"), found(type="SecretGrant", text="grant-2")) == (grants, grants[1:])
    assert (found(version="v1alpha2", text="door"), found(version="v1"), found(region="us-8")) == (
        [OLD],
        [],
        [],
    )
    told = vera.get("/api/v1/references/search").json()
    assert ("SecretGrant" in told["types"], told["versions"], told["more"]) == (True, ["v1alpha2"], False)
    assert [(each["service"], each["region"]) for each in told["unknown"]] == [(SERVICE, "us-9")]
    ports.switch()
    assert (found(version="v1", text="door"), found(version="v1alpha2")) == ([NEW], [])


def test_before_the_switch_the_new_version_shows_what_would_be(vera: APIClient) -> None:
    seen = views(vera, OLD)

    assert (seen["v1alpha2"]["how"], seen["v1"]["how"]) == ("native", "would be")
    assert seen["v1"]["name"] == NEW
    assert seen["v1"]["document"]["displayName"] == "Door"
    ops = [(step["op"], step["source"], step["target"]) for step in seen["v1"]["steps"]]
    assert ("rename", "title", "display_name") in ops
    assert ("resourceName", "name", "name") in ops
    removed = next(step for step in seen["v1"]["steps"] if step["source"] == "legacy_etag")
    assert (removed["before"], removed["after"]) == ('"x1"', "")
    assert removed["bag"].startswith("into the bag: ")


def test_after_the_switch_the_bag_is_told_with_its_reason(vera: APIClient, ports: Yard) -> None:
    ports.switch()

    shown = vera.get(f"{BASE}/resource", {"name": NEW, "version": "v1"}).json()
    assert (shown["name"], shown["stored_version"]) == (NEW, "v1")
    kept = {each["field"]: each for each in shown["bags"]}
    assert kept["legacy_etag"]["value"] == '"x1"'
    assert kept["legacy_etag"]["sentence"].startswith("This version has no field for it")
    assert kept["legacy_etag"]["phrases"] == [{"key": kept["legacy_etag"]["sentence"], "values": {}}]
    seen = {each["version"]: each for each in shown["views"]}
    assert (seen["v1alpha2"]["how"], seen["v1alpha2"]["document"]["legacyEtag"]) == ("translated", "x1")
    assert "$sy" not in seen["v1"]["document"]


def test_a_resource_that_is_not_there_and_a_version_that_is_none_are_said(vera: APIClient) -> None:
    gone = vera.get(f"{BASE}/resource", {"name": "projects/p/secrets/gone"})
    nameless = vera.get(f"{BASE}/resource", {"name": "nobody/knows"})
    early = vera.get(f"{BASE}/resources", {"type": "Secret", "version": "v1"})

    assert (gone.status_code, gone.json()["code"]) == (404, "not-found")
    assert (nameless.status_code, nameless.json()["code"]) == (404, "not-found")
    assert (early.status_code, early.json()["code"]) == (409, "version-not-served")
