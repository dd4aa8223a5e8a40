"""References to other services and regions are established, confirmed, and keep their targets."""

from __future__ import annotations

import pytest

from migrations_app import wiring
from migrations_app.adapters.store.writing import PostgresTransaction
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel import json
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.constraints import AttemptOutcome
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.constraints.conftest import EU, IAM, SECRETS, US, VERSIONS, Fleet


def _secret(fleet: Fleet, name: str = "door", project: str = "p") -> None:
    fleet.create(SECRETS, EU, "Secret", f"projects/p/secrets/{name}", project=f"projects/{project}")


def test_a_reference_puts_up_a_blockade_and_owes_its_confirmation(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _secret(fleet)

    project = fleet.find(IAM, EU, "Project", "projects/p")
    assert project is not None
    target = fleet.reading(IAM, EU)
    (blockade,) = target.constraints.blockades(project.uid)
    shadow = target.shadow("Project", "projects/p")
    assert shadow is not None
    assert (blockade.kind, blockade.source) == ("BLOCK", fleet.peer(SECRETS, EU).deployment)
    assert (shadow.ref_epoch, shadow.sources) == (1, (fleet.peer(SECRETS, EU).deployment,))
    source = fleet.reading(SECRETS, EU)
    (owed,) = source.constraints.owed(10)
    assert (owed.token, owed.target) == (blockade.token, fleet.peer(IAM, EU).deployment)
    assert source.constraints.outcome(blockade.token) is AttemptOutcome.COMMITTED
    (reference,) = source.references("Secret", "projects/p/secrets/door")
    assert (reference.target_service, reference.target_region, reference.target_version) == (IAM, EU, "v1")


def test_a_write_with_references_elsewhere_takes_one_transaction_at_either_end(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    begun: list[str] = []
    begin = PostgresTransaction.begin

    def noting(self: PostgresTransaction) -> None:
        if not self._begun:
            begun.append(self._namespace.deployment)
        begin(self)

    monkeypatch.setattr(PostgresTransaction, "begin", noting)
    fleet.create(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k", owner="users/ada")
    assert begun == [fleet.peer(service, EU).deployment for service in (IAM, SECRETS)]


def test_a_reference_to_nothing_is_refused_with_its_path_and_nothing_is_written(fleet: Fleet) -> None:
    with pytest.raises(Conflict) as refused:
        _secret(fleet)
    assert refused.value.code == "reference-missing"
    assert [each.path for each in refused.value.violations] == ["project"]
    assert fleet.find(SECRETS, EU, "Secret", "projects/p/secrets/door") is None
    # The one of the other region is another resource: each deployment answers for its own.
    fleet.create(IAM, US, "Project", "projects/p")
    with pytest.raises(Conflict):
        _secret(fleet)


def test_a_dry_run_names_who_would_be_asked_and_leaves_no_mark_with_them(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _secret(fleet)
    wiring.resource_servers.cache_clear()
    api = ResourceApi(wiring.resource_servers())
    project = fleet.find(IAM, EU, "Project", "projects/p")
    assert project is not None

    def _rehearsed(method: str, service: str, path: str, body: JsonObject | None = None) -> Response:
        sent = b"" if body is None else json.encode(body)
        address = f"/apis/{EU}/{service}/{VERSIONS[service]}/{path}"
        return api.answer(ResourceRequest(method, address, "validateOnly=true", {}, sent), SYSTEM)

    gate: JsonObject = {"name": "projects/p/secrets/gate", "project": "projects/p"}
    created = _rehearsed("POST", SECRETS, "projects/p/secrets", gate)
    assert (created.status, created.document["project"]) == (200, "projects/p")  # type: ignore[index,call-overload]
    assert (
        f"Not asked in a dry run, and must agree to the write: services/{IAM}" in created.headers["Warning"]
    )
    deleted = _rehearsed("DELETE", IAM, "projects/p")
    source = fleet.peer(SECRETS, EU).deployment
    assert (deleted.document, source in deleted.headers["Warning"]) == ({}, True)

    assert fleet.find(SECRETS, EU, "Secret", "projects/p/secrets/gate") is None
    assert fleet.find(IAM, EU, "Project", "projects/p") == project
    assert len(fleet.reading(IAM, EU).constraints.blockades(project.uid)) == 1
    assert len(fleet.reading(SECRETS, EU).constraints.owed(10)) == 1


def test_a_target_cannot_be_deleted_while_it_is_referred_to(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _secret(fleet)

    with pytest.raises(Conflict) as refused:
        fleet.delete(IAM, EU, "Project", "projects/p")
    assert refused.value.code == "deletion-blocked"
    assert [each.path for each in refused.value.violations] == [
        f"//{SECRETS}/{EU}/projects/p/secrets/door#project"
    ]
    shadow = fleet.reading(IAM, EU).shadow("Project", "projects/p")
    assert shadow is not None
    assert (shadow.state.value, shadow.delete_id) == ("ACTIVE", 1)

    fleet.delete(SECRETS, EU, "Secret", "projects/p/secrets/door")
    fleet.delete(IAM, EU, "Project", "projects/p")
    assert fleet.find(IAM, EU, "Project", "projects/p") is None
    left = fleet.reading(IAM, EU).shadow("Project", "projects/p")
    assert left is not None
    assert left.state.value == "DELETING"
    with pytest.raises(Conflict):
        _secret(fleet)


def test_a_reference_under_way_keeps_its_target_from_being_deleted(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    body = {
        "token": "1700000000-under-way",
        "version": "v1",
        "references": [{"type": "Project", "name": "projects/p", "kind": "BLOCK", "path": "project"}],
    }
    sender, target = fleet.peer(SECRETS, EU), fleet.peer(IAM, EU)
    assert wiring.mixin().answer(sender, target, "establishReferences", body) == {}  # type: ignore[arg-type]
    with pytest.raises(Conflict) as refused:
        fleet.delete(IAM, EU, "Project", "projects/p")
    assert refused.value.code == "deletion-blocked"
    tokens = {"tokens": ["1700000000-under-way"]}
    outcomes = wiring.mixin().answer(target, sender, "resolveAttempt", tokens)  # type: ignore[arg-type]
    assert outcomes == {"outcomes": {"1700000000-under-way": "ABORTED"}}
    fleet.delete(IAM, EU, "Project", "projects/p")


def test_both_ends_may_be_created_together_and_a_batch_commits_whole(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    key = WriteRequest("create", "CryptoKey", "projects/p/cryptoKeys/k", body={})
    secret = WriteRequest(
        "create",
        "Secret",
        "projects/p/secrets/s",
        body={"project": "projects/p", "cryptoKey": "projects/p/cryptoKeys/k"},
    )
    fleet.write(SECRETS, EU, secret, key)
    assert len(fleet.reading(SECRETS, EU).references("Secret", "projects/p/secrets/s")) == 2


def test_who_refers_may_change_its_mind_and_an_unchanged_reference_is_not_made_anew(fleet: Fleet) -> None:
    for name in ("p", "q"):
        fleet.create(IAM, EU, "Project", f"projects/{name}")
    _secret(fleet)
    update = WriteRequest(
        "update", "Secret", "projects/p/secrets/door", body={"title": "t", "project": "projects/p"}
    )
    fleet.write(SECRETS, EU, update)
    assert len(fleet.reading(SECRETS, EU).constraints.owed(10)) == 1
    moved = WriteRequest("update", "Secret", "projects/p/secrets/door", body={"project": "projects/q"})
    fleet.write(SECRETS, EU, moved)
    assert len(fleet.reading(SECRETS, EU).constraints.owed(10)) == 2
    fleet.delete(IAM, EU, "Project", "projects/p")
    with pytest.raises(Conflict):
        fleet.delete(IAM, EU, "Project", "projects/q")


def test_an_importer_in_the_new_version_refers_by_the_new_names_and_the_old_version_serves_it(
    fleet: Fleet,
) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s")
    sender, target = fleet.peer("devices.example.com", EU), fleet.peer(SECRETS, EU)
    for version, token in (("v1", "1700000000-new"), ("v1alpha2", "1700000000-old")):
        reference = {"type": "Secret", "name": "projects/p/secrets/s", "kind": "BLOCK"}
        body = {"token": token, "version": version, "references": [reference]}
        assert wiring.mixin().answer(sender, target, "establishReferences", body) == {}  # type: ignore[arg-type]
    shadow = fleet.reading(SECRETS, EU).shadow("Secret", "projects/p/secrets/s")
    assert shadow is not None
    assert shadow.ref_epoch == 2


def test_a_resource_that_names_allowed_services_is_closed_to_others(fleet: Fleet) -> None:
    secret, device = "projects/p/secrets/closed", f"projects/p/regions/{EU}/devices/d"
    services: JsonObject = {"allowedServices": ["services/apps.example.com"]}
    fleet.create(SECRETS, EU, "Secret", secret, metadata={"services": services})
    with pytest.raises(Conflict) as refused:
        fleet.create("devices.example.com", EU, "Device", device, serial="s1", password=secret)
    assert (refused.value.code, [each.path for each in refused.value.violations]) == (
        "reference-not-allowed",
        ["password"],
    )
    assert fleet.find("devices.example.com", EU, "Device", device) is None
    opened: JsonObject = {"services": {"allowedServices": ["services/devices.example.com"]}}
    body: JsonObject = {"metadata": opened}
    fleet.write(SECRETS, EU, WriteRequest("update", "Secret", secret, body=body, mask="metadata.services"))
    fleet.create("devices.example.com", EU, "Device", device, serial="s1", password=secret)
    assert fleet.find("devices.example.com", EU, "Device", device) is not None
