"""Saved views, the week of a deployment, and its curves of the last day."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.windows import WindowRule
from tests.factories.access import client_of
from tests.integration.upgrades.conftest import EU, SERVICE, fleet  # noqa: F401 -- a fixture
from tests.integration.upgrades.test_api import plan

pytestmark = pytest.mark.django_db


def test_a_view_is_ones_own_until_it_is_shared() -> None:
    olga, vera = client_of("olga", "operator"), client_of("vera", "viewer")
    kept = {"query": "state=READY", "first": True}
    assert olga.put("/api/v1/views/fleet/At the gate", kept, format="json").status_code == 200
    assert vera.get("/api/v1/views/fleet").json()["items"] == []
    olga.put("/api/v1/views/fleet/Mine", {"query": "q=x", "first": True}, format="json")
    olga.put("/api/v1/views/fleet/At the gate", {**kept, "first": False, "shared": True}, format="json")
    mine = olga.get("/api/v1/views/fleet").json()["items"]
    assert [(each["name"], each["first"], each["shared"]) for each in mine] == [
        ("At the gate", False, True),
        ("Mine", True, False),
    ]
    assert vera.get("/api/v1/views/fleet").json()["items"] == [
        {"name": "At the gate", "query": "state=READY", "first": False, "shared": True, "owner": "olga"}
    ]
    assert vera.delete("/api/v1/views/fleet/At the gate").json()["code"] == "view-missing"
    assert olga.delete("/api/v1/views/fleet/At the gate").status_code == 204
    assert vera.get("/api/v1/views/fleet").json()["items"] == []
    kept_actions = LedgerEntry.objects.filter(action__startswith="view.").order_by("pk")
    assert list(kept_actions.values_list("action", flat=True)) == ["view.share", "view.forget"]


@pytest.mark.usefixtures("fleet")
def test_a_deployment_shows_its_week_and_the_curves_of_the_day() -> None:
    olga = client_of("olga", "operator")
    now = timezone.now()
    starts, ends = (now + timedelta(days=day) for day in (1, 2))
    WindowRule.objects.create(
        name="stocktaking", effect="deny", zone="UTC", created_by="olga",
        starts=starts.strftime("%Y-%m-%dT%H:%M"), ends=ends.strftime("%Y-%m-%dT%H:%M"),
    )  # fmt: skip
    week = olga.get("/api/v1/windows/ahead", {"deployment": EU}).json()["items"]
    assert [(span["allowed"], span["winner"]) for span in week] == [
        (True, ""),
        (False, "stocktaking"),
        (True, ""),
    ]
    upgrade = Upgrade.objects.get(pk=plan(olga, start=True)["id"])
    for hours in (30, 2, 1):
        upgrade.samples.create(at=now - timedelta(hours=hours), ready=hours, lag_max=0.5)
    curves = olga.get(f"/api/v1/deployments/{SERVICE}/eu-1/samples").json()
    assert (curves["ready"], curves["lag_max"]) == ([2, 1], [0.5, 0.5])
    (cell,) = [each for each in olga.get("/api/v1/fleet").json()["cells"] if each["name"] == EU]
    assert (cell["owner"], cell["data_version"], cell["started_at"] is not None) == ("olga", "", True)


@pytest.mark.usefixtures("fleet")
def test_whoever_follows_a_deployment_is_told_how_it_stands() -> None:
    olga, vera = client_of("olga", "operator"), client_of("vera", "viewer")
    path = f"/api/v1/deployments/{SERVICE}/eu-1/subscription"
    assert [vera.put(path).status_code for _ in range(2)] == [204, 204]
    assert vera.get(f"/api/v1/deployments/{SERVICE}/eu-1").json()["followed"] is True
    assert olga.get("/api/v1/overview").json()["followed"] == []

    def told() -> tuple[str, str, str]:
        (one,) = vera.get("/api/v1/overview").json()["followed"]
        return one["state"], one["link"], one["key"]

    quiet = told()
    assert quiet[:2] == ("IDLE", f"/d/{SERVICE}/eu-1")
    upgrade_id = plan(olga)["id"]
    moving = told()
    assert moving[:2] == ("PLANNED", f"/upgrades/{upgrade_id}")
    assert moving[2] != quiet[2]
    assert vera.delete(path).status_code == 204
    assert vera.get("/api/v1/overview").json()["followed"] == []
    assert vera.put("/api/v1/deployments/nothing/eu-1/subscription").json()["code"] == "deployment-missing"
