"""The same cases over HTTP and over gRPC, with the published messages: both answer alike, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto
from google.rpc import error_details_pb2

from migrations_app.models.registry import RegistryHead
from tests.contract.meta.published import PACKAGE, message, pool
from tests.contract.meta.transports import Failed, Grpc, Rest, Transport, service_of
from tests.factories.access import make_account, token_of
from tests.processes import Children

KINDS = {
    "Region": ("regions/eu", {}),
    "Service": ("services/iam", {}),
    "Deployment": ("services/iam/deployments/eu", {"parent": "services/-"}),
    "Resource": ("services/iam/resources/User", {"parent": "services/iam"}),
}
IAM_EU = "services/iam/deployments/eu"


@dataclass(frozen=True, slots=True)
class Running:
    """The two processes that answer."""

    web: str
    grpc: str


@pytest.fixture(scope="module")
def running(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One web and one gRPC process for all cases."""
    children = Children(tmp_path_factory.mktemp("meta"))
    try:
        yield Running(children.start_web(), children.start_grpc())
    finally:
        children.stop()


@dataclass(frozen=True, slots=True)
class Both:
    """The transports of one account."""

    rest: Rest
    grpc: Grpc

    def named(self, name: str) -> Transport:
        """Give one of them."""
        return self.rest if name == "rest" else self.grpc


@pytest.fixture
def both(running: Running, transactional_db: None) -> Iterator[Both]:
    """An admin's clients, and a registry with one of each kind."""
    make_account("root", "admin")
    token = token_of("root")
    with grpc.insecure_channel(running.grpc) as channel:
        made = Both(Rest(running.web, token), Grpc(channel, token))
        made.grpc.call("CreateRegion", {"region": {"name": "regions/eu", "title": "Europe"}})
        service = {
            "name": "services/iam",
            "displayName": "IAM",
            "allVersions": ["v1", "v2"],
            "multiRegionPolicy": {"enabledRegions": ["eu"], "defaultControlRegion": "eu"},
        }
        made.grpc.call("CreateService", {"service": service})
        deployment = {"name": IAM_EU, "currentVersion": "v1"}
        made.grpc.call("CreateDeployment", {"parent": "services/iam", "deployment": deployment})
        resource = {"name": "services/iam/resources/User", "pluralName": "users", "versions": ["v1"]}
        made.grpc.call("CreateResource", {"parent": "services/iam", "resource": resource})
        yield made
    made.rest.close()


@pytest.fixture(params=["rest", "grpc"])
def meta(request: pytest.FixtureRequest, both: Both) -> Transport:
    """Each transport in turn."""
    return both.named(request.param)


def test_the_definitions_are_the_published_ones() -> None:
    facts = (Path(__file__).parent / "published_facts.txt").read_text().splitlines()
    assert len(facts) == 480
    wrong = [fact for fact in facts if not _holds(fact)]
    assert wrong == []


def _holds(fact: str) -> bool:
    subject, *rest = fact.split(" ")
    if "/" in subject:
        method = service_of(subject.rpartition("/")[2]).methods_by_name[subject.rpartition("/")[2]]
        streams = ["stream"] if method.server_streaming else []
        return rest[: 2 + len(streams)] == [
            method.input_type.full_name, *streams, method.output_type.full_name,
        ]  # fmt: skip
    if "=" in rest[0]:
        name, _, number = rest[0].partition("=")
        found: Any = pool().FindEnumTypeByName(subject)
        return bool(found.values_by_name[name].number == int(number))
    owner, _, name = subject.rpartition(".")
    described = pool().FindMessageTypeByName(owner).fields_by_name[name]
    kind = described.message_type or described.enum_type
    word = FieldDescriptorProto.Type.Name(described.type).removeprefix("TYPE_").lower()
    written = [*(["repeated"] if described.is_repeated else []), kind.full_name if kind else word]
    return [str(described.number), *written] == rest


@pytest.mark.parametrize("kind", KINDS)
def test_reads_are_the_same_message_over_both(both: Both, kind: str) -> None:
    name, parent = KINDS[kind]
    asks: tuple[tuple[str, dict[str, Any]], ...] = (
        (f"Get{kind}", {"name": name}),
        (f"Get{kind}", {"name": name, "view": "NAME", "fieldMask": "metadata.uuid"}),
        (f"BatchGet{kind}s", {"names": [name, f"{name}x"]}),
        (f"List{kind}s", {**parent, "pageSize": 1, "includePagingInfo": True, "filter": f'name = "{name}"'}),
        (f"List{kind}s", {**parent, "orderBy": "name desc", "view": "BASIC"}),
    )
    for method, fields in asks:
        over_http, over_grpc = both.rest.call(method, fields), both.grpc.call(method, fields)
        assert over_http == over_grpc
        assert over_http.ByteSize() > 0
    assert both.rest.call(f"BatchGet{kind}s", {"names": [f"{name}x"]}).missing == [f"{name}x"]


def test_a_region_is_made_changed_and_removed(meta: Transport) -> None:
    made = meta.call("CreateRegion", {"region": {"name": "regions/jp", "title": "Japan"}})
    assert (made.title, made.metadata.lifecycle.state) == ("Japan", 1)
    masked = {"region": {"name": "regions/jp", "title": "Nippon"}, "updateMask": "title"}
    changed = meta.call("UpdateRegion", {**masked, "responseMask": {"updatedFieldsOnly": True}})
    assert changed.title == "Nippon"
    assert changed.metadata.uuid == ""
    assert (
        meta.call("UpdateRegion", {**masked, "responseMask": {"skipEntireResponseBody": True}})
        == message("Region")()
    )
    only = meta.call("UpdateRegion", {**masked, "responseMask": {"bodyMask": "title"}})
    assert only == message("Region")(title="Nippon")
    assert meta.call("DeleteRegion", {"name": "regions/jp"}).ByteSize() == 0
    with pytest.raises(Failed) as gone:
        meta.call("GetRegion", {"name": "regions/jp"})
    assert (gone.value.code, gone.value.reason) == ("NOT_FOUND", "not-found")
    meta.call("DeleteRegion", {"name": "regions/jp", "allowMissing": True})


def test_compare_and_set_holds(meta: Transport) -> None:
    asked = {"region": {"name": "regions/eu", "title": "two"}, "updateMask": "title"}
    with pytest.raises(Failed) as refused:
        meta.call(
            "UpdateRegion", {**asked, "cas": {"conditionalState": {"title": "x"}, "fieldMask": "title"}}
        )
    assert (refused.value.code, refused.value.reason) == ("ABORTED", "compare-and-set")
    assert meta.call("GetRegion", {"name": "regions/eu"}).title == "Europe"
    cas = {"conditionalState": {"title": "Europe"}, "fieldMask": "title"}
    assert meta.call("UpdateRegion", {**asked, "cas": cas}).title == "two"


def test_a_condition_on_the_resource_version_holds(meta: Transport) -> None:
    seen = meta.call("GetRegion", {"name": "regions/eu"}).metadata.resource_version
    asked = {"region": {"name": "regions/eu", "title": "two"}, "updateMask": "title"}
    for method, fields in (("UpdateRegion", asked), ("DeleteRegion", {"name": "regions/eu"})):
        with pytest.raises(Failed) as refused:
            meta.call(method, fields, if_match="999999")
        assert (refused.value.code, refused.value.reason) == ("ABORTED", "changed")
    assert meta.call("UpdateRegion", asked, if_match=seen).title == "two"
    with pytest.raises(Failed) as on_create:
        meta.call("CreateRegion", {"region": {"name": "regions/jp"}}, if_match=seen)
    assert (on_create.value.code, on_create.value.reason) == ("INVALID_ARGUMENT", "if-match")


WRITES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("CreateRegion", {"region": {"name": "regions/jp"}}),
    ("UpdateRegion", {"region": {"name": "regions/eu", "title": "x"}, "updateMask": "title"}),
    ("DeleteRegion", {"name": "regions/us"}),
    ("CreateService", {"service": {"name": "services/new", "allVersions": ["v1"]}}),
    ("UpdateService", {"service": {"name": "services/iam", "displayName": "x"}, "updateMask": "displayName"}),
    ("DeleteResource", {"name": "services/iam/resources/User"}),
    ("UpdateDeployment", {"deployment": {"name": IAM_EU, "publicDomain": "x"}, "updateMask": "publicDomain"}),
    ("DeleteDeployment", {"name": IAM_EU}),
    ("SetAvailableUpgrade", {"name": IAM_EU, "targetApiVersion": "v2", "totalShardsCount": 4}),
    ("GetOrRegisterDataUpdateTask", {"name": IAM_EU, "tag": "t", "shardsCount": 2}),
)


def test_a_rehearsal_of_any_write_writes_nothing(meta: Transport) -> None:
    meta.call("CreateRegion", {"region": {"name": "regions/us"}})
    before = RegistryHead.objects.get().seq
    for method, fields in WRITES:
        meta.call(method, fields, dry_run=True)
        assert RegistryHead.objects.get().seq == before, method
    meta.call("SetAvailableUpgrade", {"name": IAM_EU, "targetApiVersion": "v2", "totalShardsCount": 4})
    before = RegistryHead.objects.get().seq
    meta.call("BeginUpgrade", {"name": IAM_EU}, dry_run=True)
    assert RegistryHead.objects.get().seq == before
    assert not meta.call("GetDeployment", {"name": IAM_EU}).HasField("upgrade_state")


def test_an_upgrade_from_offer_to_end(meta: Transport) -> None:
    empty = meta.call(
        "SetAvailableUpgrade", {"name": IAM_EU, "targetApiVersion": "v2", "totalShardsCount": 2}
    )
    assert empty.DESCRIPTOR.full_name == "google.protobuf.Empty"
    switching = {"name": IAM_EU, "automaticVersionSwitch": True}
    meta.call("UpdateDeployment", {"deployment": switching, "updateMask": "automaticVersionSwitch"})
    meta.call("BeginUpgrade", {"name": IAM_EU})
    state = meta.call("GetDeployment", {"name": IAM_EU}).upgrade_state
    assert (state.target_version, list(state.pending_shards), state.stage) == ("v2", [0, 1], 1)
    report = {"name": IAM_EU, "shardsFrom": 0, "shardsTo": 1, "ready": True, "totalShardsCount": 2}
    meta.call("NotifyShardsUpgradeReadiness", report)
    assert meta.call("GetDeployment", {"name": IAM_EU}).upgrade_state.stage == 2
    meta.call("NotifyShardsUpgradeReadiness", report)
    done = meta.call("GetDeployment", {"name": IAM_EU})
    assert (done.current_version, done.HasField("upgrade_state")) == ("v2", False)


def test_a_data_task_keeps_what_it_says_of_itself(both: Both) -> None:
    task = {"name": IAM_EU, "tag": "labels", "shardsCount": 2, "dbDataTargetVersion": "v1.2"}
    status = both.rest.call("GetOrRegisterDataUpdateTask", task).status
    assert (status.task_tag, status.shards_count, len(status.progress_bar)) == ("labels", 2, 2)
    said = {"cursor": "abc", "deep": {"list": [1, "two", None]}}
    update = {"name": IAM_EU, "tag": "labels", "shard": "1", "done": True, "progressStatus": said}
    both.grpc.call("UpdateDataTaskUpdate", update)
    over_http, over_grpc = (
        each.call("GetDeployment", {"name": IAM_EU}).data_update_statuses[0]
        for each in (both.rest, both.grpc)
    )
    assert over_http == over_grpc
    assert over_grpc.ready_shards == [1]
    assert dict(over_grpc.progress_bar[1]["deep"])["list"][1] == "two"


@pytest.mark.parametrize(
    ("method", "fields", "code", "reason"),
    [
        ("GetRegion", {"name": "regions/zz"}, "NOT_FOUND", "not-found"),
        ("GetRegion", {"name": "regions/eu", "fieldMask": "ticket"}, "INVALID_ARGUMENT", "field-mask"),
        ("ListRegions", {"filter": "nonsense = 1"}, "INVALID_ARGUMENT", "filter-path"),
        ("ListRegions", {"pageToken": "forged"}, "INVALID_ARGUMENT", "page-token"),
        ("CreateRegion", {"region": {"name": "regions/eu"}}, "ALREADY_EXISTS", "already-exists"),
        ("DeleteService", {"name": "services/iam"}, "FAILED_PRECONDITION", "service-in-use"),
        ("BeginUpgrade", {"name": IAM_EU}, "INVALID_ARGUMENT", "upgrade-target-unknown"),
    ],
)
def test_refusals_are_alike(both: Both, method: str, fields: Any, code: str, reason: str) -> None:
    refusals = []
    for each in (both.rest, both.grpc):
        with pytest.raises(Failed) as refused:
            each.call(method, fields)
        refusals.append((refused.value.code, refused.value.reason, str(refused.value)))
    assert refusals[0] == refusals[1]
    assert refusals[0][:2] == (code, reason)


def test_who_may_not_is_refused_over_both(both: Both, running: Running) -> None:
    make_account("vera", "viewer")
    token = token_of("vera")
    rest, stranger_over_http = Rest(running.web, token), Rest(running.web, "swy_no")
    asked = {"region": {"name": "regions/eu", "title": "x"}, "updateMask": "title"}
    for viewer in (rest, Grpc(both.grpc.channel, token)):
        assert viewer.call("GetRegion", {"name": "regions/eu"}).title == "Europe"
        with pytest.raises(Failed) as refused:
            viewer.call("UpdateRegion", asked)
        assert (refused.value.code, "admin" in refused.value.metadata["who_can"]) == (
            "PERMISSION_DENIED",
            True,
        )
    for stranger in (stranger_over_http, Grpc(both.grpc.channel, "swy_no")):
        with pytest.raises(Failed) as unknown:
            stranger.call("GetRegion", {"name": "regions/eu"})
        assert unknown.value.code == "UNAUTHENTICATED"
    rest.close()
    stranger_over_http.close()


def test_the_places_of_a_broken_rule_are_in_the_details(meta: Transport) -> None:
    version = {"targetService": "services/iam", "targetServiceVersion": "v1", "currentServiceVersion": "v1"}
    secrets = {
        "name": "services/secrets",
        "allVersions": ["v1"],
        "multiRegionPolicy": {"enabledRegions": ["eu"], "defaultControlRegion": "eu"},
        "importedServices": ["services/iam"],
        "importedVersions": [version],
    }
    meta.call("CreateService", {"service": secrets})
    name = "services/secrets/deployments/eu"
    meta.call("CreateDeployment", {"parent": "services/secrets", "deployment": {"name": name}})
    with pytest.raises(Failed) as refused:
        meta.call("DeleteDeployment", {"name": IAM_EU})
    failure = error_details_pb2.PreconditionFailure()
    assert refused.value.details["PreconditionFailure"].Unpack(failure)
    assert [(each.type, each.subject) for each in failure.violations] == [("import-not-in-region", name)]
    request = error_details_pb2.RequestInfo()
    assert refused.value.details["RequestInfo"].Unpack(request)
    assert len(request.request_id) == 32


def test_every_method_is_served_over_grpc(both: Both) -> None:
    for name in ("Region", "Service", "Deployment", "Resource"):
        for method in pool().FindServiceByName(f"{PACKAGE}.{name}Service").methods:
            request = message(method.input_type.name)().SerializeToString()
            call = both.grpc.channel.unary_stream(f"/{PACKAGE}.{name}Service/{method.name}")
            with pytest.raises(grpc.RpcError) as refused:
                next(call(request, timeout=60))
            assert refused.value.code() in (
                grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.INVALID_ARGUMENT,
            ), method.name  # fmt: skip
