"""A real worker follows up what writes leave behind, hinted at through the broker."""

from __future__ import annotations

import time

import pytest

from migrations_app.ports.constraints import Tally
from tests.integration.constraints.conftest import DEVICES, EU, IAM, SECRETS, Fleet
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
    parked = [name for name in ("pending", "deleting", "subscribed-deletions") if _parked(name)]
    assert parked == []


def _until_quiet(fleet: Fleet, worker: Children) -> None:
    end = time.monotonic() + 120
    while any(fleet.reading(each, EU).constraints.tally() != Tally() for each in (IAM, SECRETS, DEVICES)):
        assert time.monotonic() < end, worker.log("worker")[-3000:]
        time.sleep(0.3)


def _parked(controller: str) -> bool:
    from migrations_app.models.work import Work

    return Work.objects.filter(controller=controller).exclude(parked_at=None).exists()
