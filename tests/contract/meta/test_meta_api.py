"""Every method of the Meta API, its answers parsed by protobuf's own JSON parser."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.control.registry.repository.settling import settle
from tests.contract.meta.messages import parse, parse_error
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db
META = "/meta/v1"
IAM = f"{META}/services/iam"
IAM_EU = f"{IAM}/deployments/eu"


class Meta:
    """A client that parses every answer."""

    def __init__(self, client: APIClient) -> None:
        self.client = client

    def ask(self, method: str, path: str, body: Any = None, *, expect: int = 200, message: str = "") -> Any:
        """Send a request, check its status and parse its answer by the definition."""
        options = {} if body is None else {"data": body, "format": "json"}
        answer = getattr(self.client, method)(path, **options)
        assert answer.status_code == expect, answer.content
        found = answer.json()
        if expect >= 400:
            return parse_error(found)
        if message:
            parse(message, found)
        return found


@pytest.fixture
def meta() -> Meta:
    """An admin's client with two regions, two services and three deployments."""
    made = Meta(client_of("root", "admin"))
    policy = {"enabledRegions": ["eu", "us"], "defaultControlRegion": "us"}
    for region in ("eu", "us"):
        made.ask("post", f"{META}/regions", {"name": f"regions/{region}", "title": region.upper()})
    made.ask(
        "post",
        f"{META}/services",
        {
            "name": "services/iam",
            "displayName": "IAM",
            "allVersions": ["v1", "v2"],
            "multiRegionPolicy": policy,
        },
    )
    made.ask(
        "post",
        f"{META}/services",
        {
            "name": "services/secrets",
            "allVersions": ["v1"],
            "multiRegionPolicy": policy,
            "importedServices": ["services/iam"],
            "importedVersions": [
                {"targetService": "services/iam", "targetServiceVersion": "v1", "currentServiceVersion": "v1"}
            ],
        },
    )
    for service, region in (("iam", "eu"), ("iam", "us"), ("secrets", "eu")):
        name = f"services/{service}/deployments/{region}"
        made.ask("post", f"{META}/services/{service}/deployments", {"name": name, "currentVersion": "v1"})
    while settle(limit=100):
        pass
    return made


def test_get_answers_the_whole_message(meta: Meta) -> None:
    found = meta.ask("get", IAM_EU, message="Deployment")
    assert {key: value for key, value in found.items() if key != "metadata"} == {
        "name": "services/iam/deployments/eu",
        "serviceName": "services/iam",
        "region": "regions/eu",
        "currentVersion": "v1",
    }
    assert found["metadata"]["services"] == {
        "owningService": "services/iam",
        "allowedServices": ["services/iam", "services/secrets"],
    }
    assert found["metadata"]["syncing"] == {"owningRegion": "us", "regions": ["eu", "us"]}
    meta.ask("get", IAM, message="Service")
    meta.ask("get", f"{META}/regions/eu", message="Region")


def test_masks_and_views_cut_the_answer(meta: Meta) -> None:
    assert meta.ask("get", f"{IAM_EU}?fieldMask=currentVersion,metadata.services.owningService") == {
        "currentVersion": "v1",
        "metadata": {"services": {"owningService": "services/iam"}},
    }
    assert meta.ask("get", f"{IAM_EU}?view=NAME") == {"name": "services/iam/deployments/eu"}
    assert meta.ask("get", f"{IAM_EU}?view=NAME&fieldMask=current_version") == {
        "name": "services/iam/deployments/eu",
        "currentVersion": "v1",
    }
    assert "metadata" not in meta.ask("get", f"{IAM_EU}?view=BASIC", message="Deployment")
    assert "resourceVersion" in meta.ask("get", f"{IAM_EU}?view=DETAIL", message="Deployment")["metadata"]
    assert meta.ask("get", f"{IAM_EU}?view=NONE", expect=400)["reason"] == "view"
    for wrong in ("a..b", "ticket", "metadata.labels.a.b", "currentVersion.x"):
        assert meta.ask("get", f"{IAM_EU}?fieldMask={wrong}", expect=400)["reason"] == "field-mask"
    assert meta.ask("get", f"{IAM_EU}?fieldMask=upgradeState.stage,metadata.labels.any") == {"metadata": {}}


def test_batch_get_keeps_the_order_and_names_what_is_missing(meta: Meta) -> None:
    names = ["services/secrets/deployments/eu", "services/iam/deployments/us", "services/iam/deployments/jp"]
    query = "&".join(f"names={name}" for name in names)
    found = meta.ask("get", f"{META}/deployments:batchGet?{query}", message="BatchGetDeploymentsResponse")
    assert [one["name"] for one in found["deployments"]] == names[:2]
    assert found["missing"] == names[2:]


def test_lists_are_paged_both_ways_with_totals(meta: Meta) -> None:
    path = f"{META}/services/-/deployments?pageSize=2&includePagingInfo=true&view=NAME"
    first = meta.ask("get", path, message="ListDeploymentsResponse")
    assert [one["name"] for one in first["deployments"]] == [
        "services/iam/deployments/eu",
        "services/iam/deployments/us",
    ]
    assert (first["currentOffset"], first["totalResultsCount"]) == (0, 3)
    assert "prevPageToken" not in first
    second = meta.ask("get", f"{path}&pageToken={first['nextPageToken']}", message="ListDeploymentsResponse")
    assert [one["name"] for one in second["deployments"]] == ["services/secrets/deployments/eu"]
    assert (second["currentOffset"], "nextPageToken" in second) == (2, False)
    back = meta.ask("get", f"{path}&pageToken={second['prevPageToken']}", message="ListDeploymentsResponse")
    assert back["deployments"] == first["deployments"]


def test_a_page_token_holds_for_one_list_only(meta: Meta) -> None:
    token = meta.ask("get", f"{META}/services/-/deployments?pageSize=1")["nextPageToken"]
    for other in (
        f"{META}/services?pageToken={token}",
        f"{META}/services/-/deployments?filter=currentVersion%3D%22v1%22&pageToken={token}",
        f"{META}/services/-/deployments?pageToken=x{token}",
    ):
        assert meta.ask("get", other, expect=400)["reason"] == "page-token"
    stranger = Meta(client_of("vera", "viewer"))
    assert (
        stranger.ask("get", f"{META}/services/-/deployments?pageToken={token}", expect=400)["reason"]
        == "page-token"
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('currentVersion = "v1" AND region = "regions/us"', ["iam/us"]),
        ('current_version IN ("v1") region != "regions/us"', ["iam/eu", "secrets/eu"]),
        ('NOT (serviceName = "services/iam")', ["secrets/eu"]),
        ("isDisabled = FALSE", ["iam/eu", "iam/us", "secrets/eu"]),
        ('metadata.services.allowedServices CONTAINS "services/secrets" AND name LIKE "%/us"', ["iam/us"]),
        ("availableUpgrade IS NULL", ["iam/eu", "iam/us", "secrets/eu"]),
        ("()", ["iam/eu", "iam/us", "secrets/eu"]),
    ],
)
def test_filters_choose(meta: Meta, text: str, names: list[str]) -> None:
    answer = meta.client.get(f"{META}/services/-/deployments", {"filter": text})
    assert answer.status_code == 200, answer.content
    found = [one["name"] for one in answer.json()["deployments"]]
    assert found == [f"services/{one.replace('/', '/deployments/')}" for one in names]


def test_order_by_orders(meta: Meta) -> None:
    answer = meta.client.get(f"{META}/services/-/deployments", {"orderBy": "region desc, name desc"})
    assert [one["name"] for one in answer.json()["deployments"]] == [
        "services/iam/deployments/us",
        "services/secrets/deployments/eu",
        "services/iam/deployments/eu",
    ]


@pytest.mark.parametrize(
    "query", [{"filter": "nonsense = 1"}, {"filter": "a ="}, {"orderBy": "x y z"}, {"pageSize": "-1"}]
)
def test_wrong_lists_are_refused(meta: Meta, query: dict[str, str]) -> None:
    answer = meta.client.get(f"{META}/services", query)
    assert answer.status_code == 400
    assert parse_error(answer.json())["status"] == "INVALID_ARGUMENT"


def test_create_update_and_delete(meta: Meta) -> None:
    created = meta.ask("post", f"{META}/regions", {"name": "regions/jp"}, message="Region")
    assert created["name"] == "regions/jp"
    again = meta.ask("post", f"{META}/regions", {"name": "regions/jp"}, expect=409)
    assert (again["status"], again["reason"]) == ("ALREADY_EXISTS", "already-exists")
    updated = meta.ask("put", f"{META}/regions/jp?updateMask=title", {"title": "Japan"}, message="Region")
    assert updated["title"] == "Japan"
    assert meta.ask("delete", f"{META}/regions/jp") == {}
    gone = meta.ask("get", f"{META}/regions/jp", expect=404)
    assert (gone["code"], gone["status"]) == (5, "NOT_FOUND")
    assert meta.ask("delete", f"{META}/regions/jp?allowMissing=true") == {}
    assert meta.ask("delete", f"{META}/regions/jp", expect=404)["reason"] == "not-found"
    missing = meta.ask("put", f"{META}/regions/jp", {"title": "x"}, expect=404)
    assert missing["status"] == "NOT_FOUND"
    meta.ask("put", f"{META}/regions/jp?allowMissing=true", {"title": "x"}, message="Region")


def test_compare_and_set_in_an_envelope(meta: Meta) -> None:
    envelope = {
        "resource": {"displayName": "Access"},
        "updateMask": "displayName",
        "cas": {"conditionalState": {"displayName": "Wrong"}, "fieldMask": "display_name"},
    }
    refused = meta.ask("put", IAM, envelope, expect=409)
    assert (refused["status"], refused["reason"]) == ("ABORTED", "compare-and-set")
    assert meta.ask("get", IAM)["displayName"] == "IAM"
    envelope["cas"] = {"conditionalState": {"displayName": "IAM"}, "fieldMask": "displayName"}
    assert meta.ask("put", IAM, envelope, message="Service")["displayName"] == "Access"


def test_response_masks(meta: Meta) -> None:
    body: dict[str, Any] = {"resource": {"displayName": "A"}, "updateMask": "displayName"}
    assert meta.ask("put", IAM, {**body, "responseMask": {"skipEntireResponseBody": True}}) == {}
    body["resource"] = {"displayName": "B"}
    only = meta.ask("put", IAM, {**body, "responseMask": {"updatedFieldsOnly": True}}, message="Service")
    assert set(only) == {"name", "displayName", "metadata"}
    assert set(only["metadata"]) == {"resourceVersion", "updateTime"}
    cut = meta.ask("put", IAM, {**body, "responseMask": {"bodyMask": "displayName"}})
    assert cut == {"displayName": "B"}


def test_a_broken_rule_is_named_with_all_its_places(meta: Meta) -> None:
    refused = meta.ask("delete", IAM_EU, expect=409)
    assert (refused["status"], refused["reason"]) == ("FAILED_PRECONDITION", "import-not-in-region")
    assert refused["details"][1]["violations"] == [
        {
            "type": "import-not-in-region",
            "subject": "services/secrets/deployments/eu",
            "description": "secrets imports iam, which is not deployed in eu.",
        }
    ]


def test_an_upgrade_of_data_elsewhere_from_offer_to_done(meta: Meta) -> None:
    offer = {"targetApiVersion": "v2", "totalShardsCount": 4}
    early = meta.ask(
        "post", f"{IAM_EU}:beginUpgrade", {"targetVersion": "v2", "totalShardsCount": 4}, expect=409
    )
    assert early["reason"] == "upgrade-not-everywhere"
    for region in ("eu", "us"):
        path = f"{IAM}/deployments/{region}:setAvailableUpgrade"
        assert meta.ask("post", path, offer) == {}
    meta.ask("put", f"{IAM_EU}?updateMask=automaticVersionSwitch", {"automaticVersionSwitch": True})
    assert meta.ask("post", f"{IAM_EU}:beginUpgrade", {}) == {}
    begun = meta.ask("get", IAM_EU, message="Deployment")
    assert begun["upgradeState"] == {
        "targetVersion": "v2",
        "pendingShards": [0, 1, 2, 3],
        "stage": "INITIAL_SYNCING",
    }
    assert meta.ask("post", f"{IAM_EU}:beginUpgrade", {}, expect=409)["reason"] == "upgrade-running"
    report = {"shardsFrom": 0, "shardsTo": 1, "ready": True, "totalShardsCount": 4}
    notify = f"{IAM_EU}:notifyShardsUpgradeReadiness"
    assert meta.ask("post", notify, report) == {}
    half = meta.ask("get", IAM_EU, message="Deployment")
    assert half["upgradeState"]["readyShards"] == [0, 1]
    meta.ask("post", notify, {**report, "shardsTo": 3})
    switching = meta.ask("get", IAM_EU, message="Deployment")
    assert (switching["upgradeState"]["stage"], switching["upgradeState"]["pendingShards"]) == (
        "SWITCHING",
        [0, 1, 2, 3],
    )
    meta.ask("post", notify, {**report, "shardsTo": 3})
    done = meta.ask("get", IAM_EU, message="Deployment")
    assert done["currentVersion"] == "v2"
    assert "upgradeState" not in done


def test_data_tasks(meta: Meta) -> None:
    asked = {"tag": "labels", "shardsCount": 2, "dbDataTargetVersion": "v1.2"}
    registered = meta.ask(
        "post",
        f"{IAM_EU}:getOrRegisterDataUpdateTask",
        asked,
        message="GetOrRegisterDataUpdateTaskResponse",
    )
    assert registered == {
        "status": {
            "taskTag": "labels",
            "shardsCount": 2,
            "targetVersion": "v1.2",
            "progressBar": [{}, {}],
        }
    }
    progress = {
        "tag": "labels",
        "shard": 1,
        "done": True,
        "progressStatus": {"cursor": "abc", "percent": 100},
        "dbDataTargetVersion": "v1.2",
    }
    assert meta.ask("post", f"{IAM_EU}:updateDataTaskUpdate", progress) == {}
    (status,) = meta.ask("get", IAM_EU, message="Deployment")["dataUpdateStatuses"]
    assert (status["readyShards"], status["progressBar"]) == ([1], [{}, {"cursor": "abc", "percent": 100}])
    wrong = meta.ask("post", f"{IAM_EU}:updateDataTaskUpdate", {**progress, "shard": 2}, expect=400)
    assert wrong["reason"] == "shard-range"


def test_who_may_not_is_refused(meta: Meta) -> None:
    viewer = Meta(client_of("vera", "viewer"))
    viewer.ask("get", IAM, message="Service")
    refused = viewer.ask("put", IAM, {"displayName": "x"}, expect=403)
    assert refused["status"] == "PERMISSION_DENIED"
    assert refused["who_can"]
    assert Meta(APIClient()).ask("get", IAM, expect=401)["status"] == "UNAUTHENTICATED"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"name": "services/other", "displayName": 7}, "message-shape"),
        ({"name": "services/IAM"}, "name-pattern"),
        ({"name": "services/x y"}, "name-pattern"),
        ({}, "name-pattern"),
        ({"name": "services/new", "nonsense": 1}, "message-shape"),
        ([], "message-shape"),
        ("text", "message-shape"),
    ],
)
def test_wrong_bodies_are_refused(meta: Meta, body: Any, reason: str) -> None:
    assert meta.ask("post", f"{META}/services", body, expect=400)["reason"] == reason
