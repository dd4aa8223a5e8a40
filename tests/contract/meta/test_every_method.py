"""The Meta API method by method: none is left out, each answer is what `meta.proto` says it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.commands.save_registered import update_registered
from migrations_app.control.registry.local_registry import LocalRegistry
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject
from migrations_app.meta_api.urls import urlpatterns
from migrations_app.meta_api.views import UnknownMetaAddressView
from migrations_app.models.registry import RegistryHead
from tests.contract.meta.test_meta_api import META, Meta, meta  # noqa: F401 - the fixture
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db
POLICY = {"enabledRegions": ["eu", "us"], "defaultControlRegion": "us"}
IAM_EU = f"{META}/services/iam/deployments/eu"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
BODIES: dict[str, dict[str, Any]] = {
    "regions": {"name": "regions/jp", "title": "Japan", "metadata": {"labels": {"tier": "1"}}},
    "services": {
        "name": "services/vault",
        "displayName": "Vault",
        "allVersions": ["v1beta1", "v1"],
        "multiRegionPolicy": {
            **POLICY,
            "criteriaForDisabledSync": [
                {"resourceTypeName": "Key", "sourceRegion": "eu", "destRegion": "us"}
            ],
        },
        "globalDomain": "vault.example.com",
        "labelledDomains": [
            {
                "label": "vpn",
                "domain": "vault.vpn",
                "availableMixins": ["schema"],
                "webGrpcAvailable": True,
                "restApiAvailable": True,
                "isPrivate": True,
            }
        ],
        "leadingService": "services/iam",
        "importedServices": ["services/iam"],
        "usedServices": ["services/secrets"],
        "importedVersions": [
            {"targetService": "services/iam", "targetServiceVersion": "v1", "currentServiceVersion": each}
            for each in ("v1", "v1beta1")
        ],
        "envRegistryGeneration": 3,
        "automaticVersionSwitch": True,
    },
    "deployments": {
        "name": "services/secrets/deployments/us",
        "publicDomain": "secrets.us",
        "privateDomain": "secrets.us.local",
        "labelledDomains": [{"label": "a", "domain": "b"}],
        "localNetworkId": "net-1",
        "location": {
            "continent": "America",
            "country": "US",
            "agglomeration": "Bay",
            "city": "San Jose",
            "cloud": "own",
        },
        "envRegistryGeneration": 1,
        "currentVersion": "v1",
        "dbDataVersion": "v1.2",
        "dbLocationTag": "us",
        "automaticVersionSwitch": True,
        "availableUpgrade": {
            "apiVersion": "v1",
            "dbDataVersion": "v1.3",
            "dbLocationTag": "us",
            "totalShardsCount": 4,
        },
        "metadata": {
            "tags": ["t"],
            "annotations": {"a": "b"},
            "generation": 2,
            "ownerReferences": [{"kind": "Node", "version": "v1", "name": "n", "controller": True}],
        },
    },
    "resources": {
        "name": "services/iam/resources/Project",
        "pluralName": "projects",
        "fqn": "iam/Project",
        "versions": ["v2", "v1"],
        "versionedInfos": [{"version": "v2", "isRegional": True}, {"version": "v1"}],
    },
}
MESSAGES = {"regions": "Region", "services": "Service", "deployments": "Deployment", "resources": "Resource"}


@pytest.mark.parametrize("kind", list(BODIES))
def test_the_standard_methods_of_each_kind(meta: Meta, kind: str) -> None:  # noqa: F811
    sent, message = BODIES[kind], MESSAGES[kind]
    name = sent["name"]
    parent = f"{META}/{name.rpartition('/')[0]}"
    created = meta.ask("post", parent, sent, message=message)
    said = {key: value for key, value in created.items() if key != "metadata"}
    wanted = {key: value for key, value in sent.items() if key != "metadata"}
    if kind == "services":
        wanted["allVersions"] = ["v1", "v1beta1"]
    if kind == "deployments":
        wanted |= {"serviceName": "services/secrets", "region": "regions/us"}
    assert said == wanted
    assert sent.get("metadata", {}).items() <= created["metadata"].items()
    assert meta.ask("get", f"{META}/{name}", message=message) == created
    batch = meta.ask("get", f"{META}/{kind}:batchGet?names={name}", message=f"BatchGet{message}sResponse")
    assert batch == {kind: [created]}
    everything = parent.replace("services/iam/", "services/-/").replace("services/secrets/", "services/-/")
    listed = meta.ask("get", f"{everything}?includePagingInfo=true", message=f"List{message}sResponse")
    assert created in listed[kind]
    assert listed["totalResultsCount"] == len(listed[kind])
    body = {"metadata": {"labels": {"new": "1"}}}
    updated = meta.ask("put", f"{META}/{name}?updateMask=metadata.labels", body, message=message)
    assert updated["metadata"]["labels"] == {"new": "1"}
    assert updated["metadata"]["resourceVersion"] != created["metadata"]["resourceVersion"]
    assert meta.ask("delete", f"{META}/{name}") == {}
    meta.ask("get", f"{META}/{name}", expect=404)


def test_an_update_without_a_mask_writes_all_that_a_client_may_write(meta: Meta) -> None:  # noqa: F811
    meta.ask("put", IAM_EU, {"publicDomain": "iam.eu", "currentVersion": "v1"})
    kept = meta.ask("put", IAM_EU, {"currentVersion": "v1"}, message="Deployment")
    assert "publicDomain" not in kept
    full = {**kept, "upgradeState": {"targetVersion": "v2"}, "dataUpdateStatuses": [{"taskTag": "x"}]}
    assert "upgradeState" not in meta.ask("put", IAM_EU, full, message="Deployment")
    created = meta.ask(
        "put",
        f"{META}/regions/jp?allowMissing=true",
        {"title": "J", "metadata": {"uuid": "mine", "createTime": "2001-01-01T00:00:00Z"}},
        message="Region",
    )
    assert created["metadata"]["uuid"] != "mine"
    assert not created["metadata"]["createTime"].startswith("2001")


def test_compare_and_set_looks_at_unset_fields_as_protobuf_does(meta: Meta) -> None:  # noqa: F811
    envelope: dict[str, Any] = {
        "resource": {"publicDomain": "iam.eu"},
        "updateMask": {"paths": ["public_domain"]},
        "cas": {
            "conditionalState": {"isDisabled": False, "publicDomain": ""},
            "fieldMask": "isDisabled,publicDomain",
        },
        "responseMask": {"bodyMask": {"paths": ["public_domain"]}},
    }
    assert meta.ask("put", IAM_EU, envelope, message="Deployment") == {"publicDomain": "iam.eu"}
    again = meta.ask("put", IAM_EU, envelope, expect=409)
    assert (again["status"], again["code"], again["reason"]) == ("ABORTED", 10, "compare-and-set")
    whole = meta.ask("get", IAM_EU)
    envelope["cas"] = {"conditionalState": whole}
    envelope["resource"] = {"publicDomain": "other"}
    assert meta.ask("put", IAM_EU, envelope) == {"publicDomain": "other"}
    envelope["cas"] = {"conditionalState": whole}
    meta.ask("put", IAM_EU, envelope, expect=409)


def _offered(meta: Meta, ring: int = 4) -> None:  # noqa: F811
    for region in ("eu", "us"):
        offer = {"targetApiVersion": "v2", "totalShardsCount": ring, "targetDbDataVersion": "v2.1"}
        path = f"{META}/services/iam/deployments/{region}:setAvailableUpgrade"
        assert meta.ask("post", path, offer) == {}


def test_an_available_upgrade_is_noted_and_cleared(meta: Meta) -> None:  # noqa: F811
    _offered(meta)
    assert meta.ask("get", IAM_EU, message="Deployment")["availableUpgrade"] == {
        "apiVersion": "v2",
        "dbDataVersion": "v2.1",
        "totalShardsCount": 4,
    }
    meta.ask("post", f"{IAM_EU}:setAvailableUpgrade", {"targetApiVersion": "v1"})
    assert "availableUpgrade" not in meta.ask("get", IAM_EU)
    wrong = {"targetApiVersion": "v2", "totalShardsCount": 5000}
    assert meta.ask("post", f"{IAM_EU}:setAvailableUpgrade", wrong, expect=400)["reason"] == "shard-range"


def test_an_upgrade_begins_as_it_is_asked_or_as_it_is_offered(meta: Meta) -> None:  # noqa: F811
    _offered(meta)
    for body, reason, status in (
        ({"targetVersion": "v9"}, "upgrade-target-unknown", 400),
        ({"targetVersion": "v1"}, "upgrade-target-current", 409),
        ({"targetVersion": "v2", "totalShardsCount": 8}, "upgrade-ring-differs", 409),
    ):
        refused = meta.ask("post", f"{IAM_EU}:beginUpgrade", body, expect=status)
        assert refused["reason"] == reason
        assert "upgradeState" not in meta.ask("get", IAM_EU)
    asked = {"targetVersion": "v2", "totalShardsCount": 4}
    assert meta.ask("post", f"{IAM_EU}:beginUpgrade", asked) == {}
    begun = meta.ask("get", IAM_EU, message="Deployment")
    assert begun["upgradeState"] == {
        "targetVersion": "v2",
        "pendingShards": [0, 1, 2, 3],
        "stage": "INITIAL_SYNCING",
        "dbDataTargetVersion": "v2.1",
    }
    moved = meta.ask("put", f"{IAM_EU}?updateMask=currentVersion", {"currentVersion": "v2"}, expect=409)
    assert moved["reason"] == "upgrade-running"
    disabled = meta.ask("put", f"{IAM_EU}?updateMask=isDisabled", {"isDisabled": True}, expect=409)
    assert disabled["status"] == "FAILED_PRECONDITION"
    assert meta.ask("delete", IAM_EU, expect=409)["reason"] == "upgrade-running"


def test_readiness_flips_back_and_a_new_total_starts_over(meta: Meta) -> None:  # noqa: F811
    _offered(meta)
    early = {"shardsFrom": 0, "shardsTo": 0, "ready": True, "totalShardsCount": 4}
    path = f"{IAM_EU}:notifyShardsUpgradeReadiness"
    assert meta.ask("post", path, early, expect=409)["reason"] == "upgrade-not-running"
    meta.ask("post", f"{IAM_EU}:beginUpgrade", {})

    def report(first: int, last: int, ready: bool, total: int) -> tuple[Any, Any, str]:
        sent = {"shardsFrom": first, "shardsTo": last, "ready": ready, "totalShardsCount": total}
        assert meta.ask("post", path, sent) == {}
        state = meta.ask("get", IAM_EU, message="Deployment")["upgradeState"]
        return state.get("readyShards", []), state.get("pendingShards", []), state["stage"]

    assert report(0, 3, True, 4) == ([0, 1, 2, 3], [], "READY")
    assert report(2, 2, False, 4) == ([0, 1, 3], [2], "INITIAL_SYNCING")
    assert report(0, 0, True, 2) == ([0], [1], "INITIAL_SYNCING")
    assert report(1, 1, True, 2) == ([0, 1], [], "READY")
    for wrong in ({"shardsFrom": 1, "shardsTo": 0}, {"shardsTo": 2}, {"shardsFrom": -1}):
        meta.ask("post", path, {**wrong, "ready": True, "totalShardsCount": 2}, expect=400)
    meta.ask("put", f"{IAM_EU}?updateMask=automaticVersionSwitch", {"automaticVersionSwitch": True})
    assert report(0, 1, True, 2) == ([], [0, 1], "SWITCHING")


def test_data_tasks_are_registered_once_and_started_over_for_newer_data(meta: Meta) -> None:  # noqa: F811
    path = f"{IAM_EU}:getOrRegisterDataUpdateTask"
    asked = {"tag": "labels", "shardsCount": 2, "dbDataTargetVersion": "v1.2"}
    first = meta.ask("post", path, asked, message="GetOrRegisterDataUpdateTaskResponse")["status"]
    done = {"tag": "labels", "shard": 0, "done": True, "progressStatus": {"percent": 100}}
    assert meta.ask("post", f"{IAM_EU}:updateDataTaskUpdate", done) == {}
    again = meta.ask("post", path, asked, message="GetOrRegisterDataUpdateTaskResponse")["status"]
    assert (again["readyShards"], again["progressBar"]) == ([0], [{"percent": 100}, {}])
    newer = meta.ask(
        "post", path, {**asked, "dbDataTargetVersion": "v1.3"}, message="GetOrRegisterDataUpdateTaskResponse"
    )["status"]
    assert newer == {**first, "targetVersion": "v1.3"}
    missing = meta.ask("post", f"{IAM_EU}:updateDataTaskUpdate", {"tag": "none"}, expect=404)
    assert (missing["status"], missing["reason"]) == ("NOT_FOUND", "data-task-missing")


@pytest.mark.parametrize("verb", ["beginUpgrade", "setAvailableUpgrade", "notifyShardsUpgradeReadiness"])
def test_the_verbs_refuse_what_is_not_there_and_who_may_not(meta: Meta, verb: str) -> None:  # noqa: F811
    assert (
        meta.ask("post", f"{META}/services/iam/deployments/jp:{verb}", {}, expect=404)["status"]
        == "NOT_FOUND"
    )
    stranger = Meta(client_of("vera", "viewer"))
    assert stranger.ask("post", f"{IAM_EU}:{verb}", {}, expect=403)["status"] == "PERMISSION_DENIED"
    assert Meta(APIClient()).ask("post", f"{IAM_EU}:{verb}", {}, expect=401)["status"] == "UNAUTHENTICATED"
    wrong = meta.ask("post", f"{IAM_EU}:{verb}", {"nonsense": 1}, expect=400)
    assert wrong["details"][0]["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"
    assert meta.ask("post", f"{IAM_EU}:{verb}", [], expect=400)["reason"] == "message-shape"


def test_what_is_no_method_is_answered_in_the_same_form(meta: Meta) -> None:  # noqa: F811
    assert meta.ask("patch", IAM_EU, {}, expect=405)["status"] == "UNIMPLEMENTED"
    assert meta.ask("get", f"{META}/nothing", expect=404)["status"] == "NOT_FOUND"
    assert meta.ask("post", f"{IAM_EU}:unheardOf", {}, expect=404)["status"] == "NOT_FOUND"


def test_no_door_moves_what_a_fence_decides() -> None:
    apply_fleet(SYSTEM, EXAMPLES / "fleet")
    name = "services/secrets.example.com/deployments/eu-west1"
    before, seq = registry.get(RegistryKind.DEPLOYMENT, name), RegistryHead.objects.get().seq
    body: JsonObject = {"currentVersion": "v1"}

    def by_the_meta_api() -> None:
        root = Meta(client_of("root", "admin"))
        refused = root.ask("put", f"{META}/{name}?updateMask=currentVersion", body, expect=409)
        assert refused["status"] == "FAILED_PRECONDITION"
        raise Conflict(refused["message"], code=refused["reason"])

    def by_an_env_registry() -> None:
        LocalRegistry().update(RegistryKind.DEPLOYMENT, name, body, ("currentVersion",), {}, "publicDomain")

    for view in (
        by_the_meta_api,
        by_an_env_registry,
        lambda: apply_deployment(SYSTEM, name, body),
        lambda: update_registered(SYSTEM, RegistryKind.DEPLOYMENT, name, body, mask=(("currentVersion",),)),
    ):
        with pytest.raises(Conflict) as refused:
            view()
        assert refused.value.code == "current-version-fenced"
        assert (registry.get(RegistryKind.DEPLOYMENT, name), RegistryHead.objects.get().seq) == (before, seq)


def test_a_dropped_import_that_a_definition_refers_to_is_refused(meta: Meta) -> None:  # noqa: F811
    apply_fleet(SYSTEM, EXAMPLES / "fleet")
    refused = meta.ask(
        "put",
        f"{META}/services/audit.example.com?updateMask=importedServices,importedVersions",
        {},
        expect=409,
    )
    assert refused["reason"] == "reference-not-imported"


def test_an_upgrade_of_data_kept_here_is_the_one_the_console_shows(meta: Meta) -> None:  # noqa: F811
    apply_fleet(SYSTEM, EXAMPLES / "fleet")
    name = "services/secrets.example.com/deployments/eu-west1"
    asked = {"targetVersion": "v1", "totalShardsCount": 16}
    in_place = {"targetDbDataVersion": "v1alpha2.1", "totalShardsCount": 8}
    wrong = meta.ask("post", f"{META}/{name}:setAvailableUpgrade", in_place, expect=409)
    assert (wrong["reason"], "brought in place" in wrong["message"]) == ("upgrade-ring-differs", True)
    # The number of shards alone is something to offer; the one that the data have is not.
    offer = {"targetApiVersion": "v1alpha2", "totalShardsCount": 8}
    meta.ask("post", f"{META}/{name}:setAvailableUpgrade", offer)
    assert meta.ask("get", f"{META}/{name}")["availableUpgrade"]["totalShardsCount"] == 8
    meta.ask("post", f"{META}/{name}:setAvailableUpgrade", {**offer, "totalShardsCount": 16})
    assert "availableUpgrade" not in meta.ask("get", f"{META}/{name}")
    meta.ask("post", f"{META}/{name}:setAvailableUpgrade", {"targetApiVersion": "v1"})
    assert meta.ask("post", f"{META}/{name}:beginUpgrade", asked) == {}
    begun = meta.ask("get", f"{META}/{name}", message="Deployment")
    assert begun["upgradeState"]["pendingShards"] == list(range(16))
    cell = next(one for one in meta.client.get("/api/v1/fleet").json()["cells"] if one["name"] == name)
    assert (cell["state"], cell["target_version"], cell["total"]) == ("SYNCING", "v1", 16)
    report = {"shardsFrom": 0, "shardsTo": 15, "ready": True, "totalShardsCount": 16}
    hosted = meta.ask("post", f"{META}/{name}:notifyShardsUpgradeReadiness", report, expect=409)
    assert hosted["reason"] == "upgrade-hosted"
    again = meta.ask("post", f"{META}/{name}:beginUpgrade", {}, expect=409)
    assert again["reason"] == "upgrade-running"


def test_the_table_of_methods_is_whole() -> None:
    kinds = ("regions", "services", "deployments", "resources")
    verbs = (
        "beginUpgrade",
        "setAvailableUpgrade",
        "notifyShardsUpgradeReadiness",
        "getOrRegisterDataUpdateTask",
        "updateDataTaskUpdate",
    )
    found = {
        (each.callback.cls.__name__, method)
        for each in urlpatterns
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(each.callback.cls, method) and each.callback.cls is not UnknownMetaAddressView
    }
    wanted = {
        (f"{kind.capitalize()}{view}", method)
        for kind in kinds
        for view, method in (
            ("BatchGetView", "get"),
            ("CollectionView", "get"),
            ("CollectionView", "post"),
            ("MemberView", "get"),
            ("MemberView", "put"),
            ("MemberView", "delete"),
            ("WatchManyView", "post"),
            ("WatchOneView", "post"),
        )
    }
    assert len(found) == len(wanted) + len(verbs)
    assert wanted < found
