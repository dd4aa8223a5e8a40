"""A real worker follows up what writes leave behind, hinted at through the broker."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.ports.constraints import ConstraintTally
from tests.integration.constraints.conftest import DEVICES, EU, IAM, SECRETS, US, Fleet
from tests.processes import Children


@pytest.mark.django_db(transaction=True)
def test_confirmations_and_cascades_come_about_by_themselves(
    transactional_db: None, fleet: Fleet, live_worker: Children
) -> None:
    fleet.create(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    device = f"projects/p/regions/{EU}/devices/d"
    fleet.create(DEVICES, EU, "Device", device, serial="1", account="projects/p/serviceAccounts/a")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s")
    _until_quiet(fleet, live_worker)
    fleet.delete(IAM, EU, "ServiceAccount", "projects/p/serviceAccounts/a")
    _until_quiet(fleet, live_worker)
    assert fleet.find(DEVICES, EU, "Device", device) is None
    assert _quarantined("pending", "deleting", "subscribed-deletions") == []


@pytest.mark.django_db(transaction=True)
def test_what_one_region_writes_appears_in_the_others_by_itself(
    transactional_db: None, fleet: Fleet, live_worker: Children
) -> None:
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    _until(lambda: fleet.find(IAM, US, "User", "users/ada") is not None, live_worker)
    fleet.write(IAM, EU, WriteRequest("update", "User", "users/ada", body={"email": "ada@example.org"}))
    own = fleet.find(IAM, EU, "User", "users/ada")
    assert own is not None

    def _level() -> bool:
        copy = fleet.find(IAM, US, "User", "users/ada")
        return copy is not None and (copy.uid, copy.revision, copy.body) == (own.uid, own.revision, own.body)

    _until(_level, live_worker)
    fleet.delete(IAM, EU, "User", "users/ada")
    _until(lambda: fleet.find(IAM, US, "User", "users/ada") is None, live_worker)
    assert _quarantined("read-copies", "syncing-meta") == []


def _until(holds: Callable[[], bool], worker: Children) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, worker.log("worker")[-3000:]
        time.sleep(0.2)


def _until_quiet(fleet: Fleet, worker: Children) -> None:
    end = time.monotonic() + 120
    while any(
        fleet.reading(each, EU).constraints.tally() != ConstraintTally() for each in (IAM, SECRETS, DEVICES)
    ):
        assert time.monotonic() < end, worker.log("worker")[-3000:]
        time.sleep(0.3)


def _quarantined(*controllers: str) -> list[tuple[str, ...]]:
    from migrations_app.models.work import Work

    quarantined = Work.objects.filter(controller__in=controllers).exclude(quarantined_at=None)
    return list(quarantined.values_list("controller", "key", "quarantined_code", "quarantined_reason"))
