"""What writes leave behind is brought to an end by the controllers."""

from __future__ import annotations

import pytest

from migrations_app import wiring
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.constraints import ConstraintTally
from tests.integration.constraints.conftest import DEVICES, EU, IAM, SECRETS, Fleet

BODY: JsonObject = {"token": "1700000000-lost", "version": "v1"}


def _quiet(fleet: Fleet, *services: str) -> bool:
    return all(fleet.reading(each, EU).constraints.tally() == ConstraintTally() for each in services)


def test_owed_confirmations_are_paid_and_the_source_stays(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    fleet.work(1)
    assert _quiet(fleet, IAM, SECRETS)
    shadow = fleet.reading(IAM, EU).shadow("Project", "projects/p")
    assert shadow is not None
    assert shadow.sources == (fleet.peer(SECRETS, EU).deployment,)


def test_a_blockade_whose_writer_died_is_resolved_as_aborted(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    mixin, sender, target = wiring.mixin(), fleet.peer(SECRETS, EU), fleet.peer(IAM, EU)
    reference: Json = {"type": "Project", "name": "projects/p", "kind": "BLOCK", "path": "project"}
    mixin.answer(sender, target, "establishReferences", {**BODY, "references": [reference]})
    fleet.work(1)
    assert fleet.reading(IAM, EU).constraints.tally().blockades == 1
    with wiring.store().transaction(_home(IAM)) as transaction:
        transaction.constraints.ask_later("1700000000-lost", -1)
    fleet.work(1)
    assert _quiet(fleet, IAM, SECRETS)
    outcome = fleet.reading(SECRETS, EU).constraints.outcome("1700000000-lost")
    assert outcome is not None
    assert outcome.value == "ABORTED"


def test_a_deletion_cascades_and_unsets_in_other_services(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    fleet.create(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    fleet.create(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k", owner="users/ada")
    device = f"projects/p/regions/{EU}/devices/d"
    fleet.create(DEVICES, EU, "Device", device, serial="1", account="projects/p/serviceAccounts/a")
    fleet.work(1)

    fleet.delete(IAM, EU, "User", "users/ada")
    fleet.delete(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    fleet.work(2)

    key = fleet.find(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k")
    assert key is not None
    assert "owner" not in key.body
    assert fleet.reading(SECRETS, EU).references("CryptoKey", "projects/p/cryptoKeys/k") == ()
    assert fleet.find(DEVICES, EU, "Device", device) is None
    assert _quiet(fleet, IAM, SECRETS, DEVICES)
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")


def test_what_a_cascade_reaches_and_something_blocks_waits_until_it_does_no_more(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s")
    device = f"projects/p/regions/{EU}/devices/d"
    fleet.create(
        DEVICES,
        EU,
        "Device",
        device,
        serial="1",
        account="projects/p/serviceAccounts/a",
        password="projects/p/secrets/s",
    )
    fleet.work(1)
    with pytest.raises(Conflict):
        fleet.delete(SECRETS, EU, "Secret", "projects/p/secrets/s")
    fleet.delete(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    fleet.work(2)
    assert fleet.find(DEVICES, EU, "Device", device) is None
    fleet.delete(SECRETS, EU, "Secret", "projects/p/secrets/s")
    fleet.work(1)
    assert _quiet(fleet, IAM, SECRETS, DEVICES)


def test_a_wide_local_cascade_is_carried_on_in_batches(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    bindings = [
        WriteRequest(
            "create", "RoleBinding", f"projects/p/roleBindings/b{number}", body={"member": "users/ada"}
        )
        for number in range(1100)
    ]
    for start in range(0, len(bindings), 200):
        fleet.write(IAM, EU, *bindings[start : start + 200])
    fleet.delete(IAM, EU, "User", "users/ada")
    assert fleet.find(IAM, EU, "User", "users/ada") is None
    assert fleet.reading(IAM, EU).constraints.tally().deleting == 1
    fleet.work(2)
    assert fleet.find(IAM, EU, "RoleBinding", "projects/p/roleBindings/b1099") is None
    assert _quiet(fleet, IAM)


def _home(service: str):  # type: ignore[no-untyped-def]
    served = wiring.directory().served(EU, service)
    return served.namespaces[served.current_version]
