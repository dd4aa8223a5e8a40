"""The lifecycle of resources: deletion that is blocked, the state while one is being deleted, owners that must refer."""

from __future__ import annotations

import pytest

from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.constraints import ConstraintTally
from tests.integration.constraints.conftest import DEVICES, EU, IAM, SECRETS, Fleet
from tests.integration.constraints.test_owners import KEY, _ask_now, _links, _owned_key

PROJECT = "projects/p"


def _lifecycle(fleet: Fleet, service: str, type_: str, name: str) -> object:
    found = fleet.find(service, EU, type_, name)
    return None if found is None else found.metadata.get("lifecycle", {})


def _blocks(fleet: Fleet, blocks: bool) -> None:
    body: JsonObject = {"metadata": {"lifecycle": {"blockDeletion": blocks}}}
    fleet.write(IAM, EU, WriteRequest("update", "Project", PROJECT, body=body, mask="metadata.lifecycle"))


def test_a_resource_that_blocks_its_deletion_stays_until_it_does_not(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", PROJECT, metadata={"lifecycle": {"blockDeletion": True}})
    with pytest.raises(Conflict) as refused:
        fleet.delete(IAM, EU, "Project", PROJECT)
    assert (refused.value.code, str(refused.value)) == (
        "deletion-blocked",
        f"{PROJECT} forbids its deletion. Set metadata.lifecycle.blockDeletion to false first.",
    )
    assert [each.path for each in refused.value.violations] == [f"{PROJECT}#metadata.lifecycle.blockDeletion"]
    assert _lifecycle(fleet, IAM, "Project", PROJECT) == {"blockDeletion": True}
    # An update that does not speak of it leaves it, and the state is not the client's to set.
    body: JsonObject = {"metadata": {"labels": {"a": "b"}}}
    fleet.write(IAM, EU, WriteRequest("update", "Project", PROJECT, body=body))
    assert _lifecycle(fleet, IAM, "Project", PROJECT) == {"blockDeletion": True}
    forged: JsonObject = {"metadata": {"lifecycle": {"state": "DELETING", "blockDeletion": False}}}
    fleet.write(IAM, EU, WriteRequest("update", "Project", PROJECT, body=forged))
    assert _lifecycle(fleet, IAM, "Project", PROJECT) == {}
    _blocks(fleet, True)
    assert _lifecycle(fleet, IAM, "Project", PROJECT) == {"blockDeletion": True}
    _blocks(fleet, False)
    fleet.delete(IAM, EU, "Project", PROJECT)
    assert fleet.find(IAM, EU, "Project", PROJECT) is None


def test_what_an_owner_takes_with_it_is_marked_while_it_blocks_its_deletion(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", PROJECT)
    listed: list[Json] = [{"kind": f"{IAM}/Project", "version": "v1", "name": PROJECT, "region": EU}]
    metadata: JsonObject = {"ownerReferences": listed, "lifecycle": {"blockDeletion": True}}
    fleet.create(SECRETS, EU, "CryptoKey", KEY, metadata=metadata)
    fleet.work(1)
    fleet.delete(IAM, EU, "Project", PROJECT)
    fleet.work(2)
    assert _lifecycle(fleet, SECRETS, "CryptoKey", KEY) == {"blockDeletion": True, "state": "DELETING"}


def test_an_owner_that_must_refer_to_its_ownee_and_does_not_is_no_owner(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", PROJECT)
    _owned_key(fleet, PROJECT, requiresOwnerReference=True)
    fleet.work(1)
    (link,) = _links(fleet)
    assert (link.requires, link.owner_uid) == (True, None)
    _ask_now(fleet, old=True)
    fleet.work(2)
    assert fleet.find(SECRETS, EU, "CryptoKey", KEY) is None


def test_an_owner_that_refers_to_its_ownee_owns_it_until_it_refers_no_more(fleet: Fleet) -> None:
    device, password = f"{PROJECT}/regions/{EU}/devices/d", f"{PROJECT}/secrets/password"
    owner: JsonObject = {"kind": f"{DEVICES}/Device", "version": "v1", "name": device, "region": EU}
    listed: list[Json] = [{**owner, "requiresOwnerReference": True}]
    fleet.create(SECRETS, EU, "Secret", password, metadata={"ownerReferences": listed})
    fleet.create(DEVICES, EU, "Device", device, serial="s1", password=password)
    fleet.work(1)
    _ask_now(fleet)
    fleet.work(1)
    secret = fleet.find(SECRETS, EU, "Secret", password)
    assert secret is not None
    (link,) = fleet.reading(SECRETS, EU).constraints.owners.of(secret.uid)
    assert (link.requires, link.owner_uid is not None) == (True, True)
    assert fleet.reading(SECRETS, EU).constraints.owners.due(10) == (), "asked by itself only in some minutes"
    fleet.write(DEVICES, EU, WriteRequest("update", "Device", device, body={"serial": "s1", "site": "a"}))
    fleet.work(2)
    assert fleet.find(SECRETS, EU, "Secret", password) is None
    assert fleet.reading(DEVICES, EU).constraints.owners.checks(10) == ()


def test_a_cascade_stops_before_what_blocks_its_deletion(fleet: Fleet) -> None:
    account, device = f"{PROJECT}/serviceAccounts/a", f"{PROJECT}/regions/{EU}/devices/d"
    fleet.create(IAM, EU, "Project", PROJECT)
    fleet.create(IAM, EU, "ServiceAccount", account, description="robot")
    blocked: JsonObject = {"lifecycle": {"blockDeletion": True}}
    fleet.create(DEVICES, EU, "Device", device, serial="s1", account=account, metadata=blocked)
    fleet.work(1)
    fleet.delete(IAM, EU, "ServiceAccount", account)
    fleet.work(2)
    assert _lifecycle(fleet, DEVICES, "Device", device) == {"blockDeletion": True, "state": "DELETING"}
    freed: JsonObject = {"metadata": {"lifecycle": {}}}
    unblock = WriteRequest("update", "Device", device, body=freed, mask="metadata.lifecycle.blockDeletion")
    fleet.write(DEVICES, EU, unblock)
    fleet.work(3)
    assert fleet.find(DEVICES, EU, "Device", device) is None


def test_a_resource_that_is_annotated_so_stays_until_its_cascade_is_done(fleet: Fleet) -> None:
    account, device = f"{PROJECT}/serviceAccounts/a", f"{PROJECT}/regions/{EU}/devices/d"
    fleet.create(IAM, EU, "Project", PROJECT)
    annotated: JsonObject = {"annotations": {"switchyard/async-deletion": "true"}}
    fleet.create(IAM, EU, "ServiceAccount", account, description="robot", metadata=annotated)
    blocked: JsonObject = {"lifecycle": {"blockDeletion": True}}
    fleet.create(DEVICES, EU, "Device", device, serial="s1", account=account, metadata=blocked)
    fleet.work(1)
    for _ in range(2):  # Once more changes nothing.
        fleet.delete(IAM, EU, "ServiceAccount", account)
        fleet.work(3)
        assert _lifecycle(fleet, IAM, "ServiceAccount", account) == {"state": "DELETING"}
        assert _lifecycle(fleet, DEVICES, "Device", device) == {"blockDeletion": True, "state": "DELETING"}
    with pytest.raises(Conflict) as refused:
        fleet.create(DEVICES, EU, "Device", f"{device}2", serial="s2", account=account)
    assert refused.value.code == "reference-deleting"
    freed: JsonObject = {"metadata": {"lifecycle": {}}}
    unblock = WriteRequest("update", "Device", device, body=freed, mask="metadata.lifecycle.blockDeletion")
    fleet.write(DEVICES, EU, unblock)
    fleet.work(5)
    assert fleet.find(DEVICES, EU, "Device", device) is None
    assert fleet.find(IAM, EU, "ServiceAccount", account) is None
    assert fleet.reading(IAM, EU).constraints.tally() == ConstraintTally()


def test_without_anything_to_wait_for_the_annotation_changes_nothing(fleet: Fleet) -> None:
    annotated: JsonObject = {"annotations": {"switchyard/async-deletion": "true"}}
    fleet.create(IAM, EU, "Project", PROJECT, metadata=annotated)
    fleet.delete(IAM, EU, "Project", PROJECT)
    assert fleet.find(IAM, EU, "Project", PROJECT) is None
