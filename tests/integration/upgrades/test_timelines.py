"""Which region served which version since when: from its registration and every switch since."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Target, actor_with
from migrations_app.kernel.json import JsonObject
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import client_of
from tests.integration.upgrades.conftest import EU, SERVICE
from tests.integration.upgrades.test_api import plan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
PLACE = f"/api/v1/services/{SERVICE}/timeline"


def at(day: int) -> datetime:
    return datetime(2026, 3, day, 12, tzinfo=UTC)


def test_a_switch_and_its_way_back_part_the_time_of_a_region(olga: APIClient) -> None:
    Deployment.objects.filter(service_id=SERVICE).update(created_at=at(1))
    upgrade = Upgrade.objects.get(pk=plan(olga)["id"])
    for letter, state, day in (("A", "SYNCING", 2), ("H", "REVERSIBLE", 3), ("K", "REVERTED", 4)):
        upgrade.moves.create(letter=letter, state=state, at=at(day), who="olga")
    Deployment.objects.filter(region_id="us-1").update(current_version="v1")
    Upgrade.objects.filter(pk=upgrade.pk).update(state="REVERTED")

    found = olga.get(PLACE).json()["items"]
    assert [(each["region"], each["version"], each["since"], each["until"]) for each in found] == [
        ("eu-1", "v1alpha2", "2026-03-01T12:00:00Z", "2026-03-03T12:00:00Z"),
        ("eu-1", "v1", "2026-03-03T12:00:00Z", "2026-03-04T12:00:00Z"),
        ("eu-1", "v1alpha2", "2026-03-04T12:00:00Z", None),
        ("us-1", "v1", "2026-03-01T12:00:00Z", None),
    ]


def test_a_version_that_was_set_without_a_switch_has_no_beginning(olga: APIClient) -> None:
    Deployment.objects.filter(service_id=SERVICE).update(created_at=at(1))
    upgrade = Upgrade.objects.get(pk=plan(olga)["id"])
    upgrade.moves.create(letter="H", state="REVERSIBLE", at=at(3), who="olga")
    Deployment.objects.filter(name=EU).update(current_version="v2")

    found = [each for each in olga.get(PLACE).json()["items"] if each["region"] == "eu-1"]
    assert [(each["version"], each["since"]) for each in found] == [
        ("v1alpha2", "2026-03-01T12:00:00Z"),
        ("v1", "2026-03-03T12:00:00Z"),
        ("v2", None),
    ]
    assert [each["until"] for each in found][1:] == ["2026-03-03T12:00:00Z", None]


def test_a_version_that_was_registered_without_a_switch_is_served_since_then(olga: APIClient) -> None:
    Deployment.objects.filter(service_id=SERVICE).update(created_at=at(1))
    Deployment.objects.filter(name=EU).update(current_version="v1")
    before: JsonObject = {"currentVersion": "v1alpha2"}
    after: JsonObject = {"currentVersion": "v1"}
    target = Target("deployment", EU, SERVICE, "eu-1")
    record(actor_with("root", "admin"), "registry.write", target, "done", before, after)
    noted = LedgerEntry.objects.get(action="registry.write", target=EU).at.isoformat()
    found = [each for each in olga.get(PLACE).json()["items"] if each["region"] == "eu-1"]
    then = noted.replace("+00:00", "Z")
    assert [(each["version"], each["since"], each["until"]) for each in found] == [
        ("v1alpha2", "2026-03-01T12:00:00Z", then),
        ("v1", then, None),
    ]


def test_a_service_that_is_not_there_has_no_timeline() -> None:
    vera = client_of("vera", "viewer")
    assert vera.get("/api/v1/services/nothing.example.com/timeline").status_code == 404


def test_the_age_of_a_version_is_its_first_service_anywhere(olga: APIClient) -> None:
    Deployment.objects.filter(service_id=SERVICE).update(created_at=at(2))
    Deployment.objects.filter(region_id="us-1").update(created_at=at(1))
    upgrade = Upgrade.objects.get(pk=plan(olga)["id"])
    upgrade.moves.create(letter="H", state="REVERSIBLE", at=at(3), who="olga")
    Deployment.objects.filter(name=EU).update(current_version="v1")

    known = olga.get("/api/v1/fleet/versions").json()["since"][SERVICE]
    first = Deployment.objects.get(service_id=SERVICE, region_id="us-1").current_version
    assert known == {"v1alpha2": "2026-03-02T12:00:00Z", "v1": "2026-03-03T12:00:00Z"} | {
        first: "2026-03-01T12:00:00Z"
    }
    Deployment.objects.filter(name=EU).update(current_version="v2")
    assert olga.get("/api/v1/fleet/versions").json()["since"][SERVICE]["v2"] is None
