"""Shadows of a collection, page by page, with those of what is being deleted."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode

import pytest

from migrations_app import wiring
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.errors import Invalid
from migrations_app.resource_api.exchange import ResourceRequest
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.constraints.conftest import DEVICES, EU, IAM, Fleet

ACCOUNTS = "projects/p/serviceAccounts"


def shadows(path: str, **query: str) -> Any:
    address = f"/apis/{EU}/{IAM}/v1/resourceShadows/{path}"
    request = ResourceRequest("GET", address, urlencode(query), {}, b"")
    return ResourceApi(wiring.resource_servers()).answer(request, SYSTEM).document


def test_shadows_of_a_collection_are_listed_page_by_page_with_what_is_being_deleted(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    for name in "abc":
        fleet.create(IAM, EU, "ServiceAccount", f"{ACCOUNTS}/{name}", description="robot")
    fleet.create(
        DEVICES, EU, "Device", f"projects/p/regions/{EU}/devices/d", serial="s1", account=f"{ACCOUNTS}/b"
    )
    fleet.work(1)
    first = shadows(ACCOUNTS, pageSize="2")
    rest = shadows(ACCOUNTS, pageSize="2", pageToken=first["nextPageToken"])
    listed = [*first["resourceShadows"], *rest["resourceShadows"]]
    assert [(each["name"], each["state"]) for each in listed] == [
        (f"resourceShadows/{ACCOUNTS}/{name}", "ACTIVE") for name in "abc"
    ]
    assert "nextPageToken" not in rest
    assert listed[1]["backReferenceSources"] == [f"services/{DEVICES}/deployments/{EU}"]
    assert listed[1] == shadows(f"{ACCOUNTS}/b")

    fleet.delete(IAM, EU, "ServiceAccount", f"{ACCOUNTS}/b")
    left = shadows(ACCOUNTS)["resourceShadows"]
    assert sorted((each["name"][-1], each["state"]) for each in left) == [
        ("a", "ACTIVE"),
        ("b", "DELETING"),
        ("c", "ACTIVE"),
    ]
    fleet.work(4)
    assert [each["name"][-1] for each in shadows(ACCOUNTS)["resourceShadows"]] == ["a", "c"]
    assert shadows("projects/q/serviceAccounts") == {"resourceShadows": []}
    with pytest.raises(Invalid) as wrong:
        shadows(ACCOUNTS, filter="x = 1")
    assert wrong.value.code == "query"


def test_a_watch_of_shadows_tells_who_may_refer_and_what_is_being_deleted(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(IAM, EU, "ServiceAccount", f"{ACCOUNTS}/a", description="robot")
    watch = watched(f"{ACCOUNTS}:watch")
    name, device = f"resourceShadows/{ACCOUNTS}/a", f"projects/p/regions/{EU}/devices/d"
    first = heard(watch)
    assert (first["isCurrent"], first["snapshotSize"]) == (True, 1)
    (added,) = first["resourceShadowChanges"]
    assert added == {"added": {"resourceShadow": shadows(f"{ACCOUNTS}/a")}}

    fleet.create(DEVICES, EU, "Device", device, serial="s1", account=f"{ACCOUNTS}/a")
    (modified,) = heard(watch)["resourceShadowChanges"]
    shown = modified["modified"]["resourceShadow"]
    assert (modified["modified"]["name"], shown["backReferenceSources"]) == (
        name,
        [f"services/{DEVICES}/deployments/{EU}"],
    )
    fleet.work(1)
    heard(watch)  # The blockade is confirmed.
    fleet.delete(IAM, EU, "ServiceAccount", f"{ACCOUNTS}/a")
    (dying,) = heard(watch)["resourceShadowChanges"]
    assert dying["modified"]["resourceShadow"]["state"] == "DELETING"
    fleet.work(4)
    assert heard(watch)["resourceShadowChanges"] == [{"removed": {"name": name}}]
    with pytest.raises(Invalid) as wrong:
        watched(f"{ACCOUNTS}:watch", filter="x = 1")
    assert wrong.value.code == "query"


def watched(path: str, **query: str) -> Any:
    address = f"/apis/{EU}/{IAM}/v1/resourceShadows/{path}"
    request = ResourceRequest("GET", address, urlencode(query), {}, b"")
    found = ResourceApi(wiring.resource_servers()).watcher(request, SYSTEM)
    assert found is not None
    return found.watch


def heard(watch: Any) -> Any:
    end = time.monotonic() + 60
    while (message := watch.step()) is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    return message
