"""No upgrade runs while a region of the service does not support the version: planned, started, begun or switched."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from migrations_app.control.registry.commands.offer_upgrade import offer_upgrade
from migrations_app.control.upgrade_state.repository.evidence import facts_of
from migrations_app.control.upgrades.commands.begin_registered import begin_registered
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.values import AvailableUpgrade
from migrations_app.domain.switch.guards import judge
from migrations_app.kernel.errors import Conflict
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade
from tests.integration.upgrades.conftest import EU, OLGA, SERVICE, register

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
AP = f"services/{SERVICE}/deployments/ap-1"
BEHIND = "ap-1 does not support v1 yet."


def offer(version: str) -> None:
    """Say what the code in ap-1 could move to, as its deployment does through the Meta API."""
    offer_upgrade(SYSTEM, AP, AvailableUpgrade(api_version=version))


def test_a_region_whose_code_is_older_holds_every_other_back(olga: APIClient) -> None:
    register("ap-1", offered="")
    with pytest.raises(Conflict) as refused:
        begin_registered(OLGA, EU, "v1")
    assert refused.value.code == "upgrade-not-everywhere"
    assert refused.value.message == "The deployments in ap-1 do not support v1 yet."
    planned = olga.post("/api/v1/upgrades", {"deployment": EU, "target_version": "v1"}, format="json")
    assert planned.status_code == 409, planned.json()
    assert BEHIND in str(planned.json())
    assert not Upgrade.objects.exists()

    offer("v1")
    begin_registered(OLGA, EU, "v1")
    upgrade = Upgrade.objects.get()
    assert (upgrade.deployment, upgrade.state) == (EU, "SYNCING")


def test_a_region_that_is_taken_back_meanwhile_stops_the_switch() -> None:
    register("ap-1")
    begin_registered(OLGA, EU, "v1")
    row = Upgrade.objects.get()

    def standing() -> list[str]:
        (check,) = [each for each in judge("switch", facts_of(row, "switch")) if each.check == "regions"]
        return [check.verdict.value, check.sentence]

    assert standing() == ["pass", "Every region supports v1."]
    offer("v1alpha2")
    assert standing() == ["fail", BEHIND]
    # A disabled region is not waited for.
    Deployment.objects.filter(pk=AP).update(is_disabled=True)
    assert standing() == ["pass", "Every region supports v1."]
