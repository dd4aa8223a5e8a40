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
        {
            "name": "At the gate",
            "query": "state=READY",
            "first": False,
            "shared": True,
            "everybody": False,
            "owner": "olga",
        }
    ]
    assert vera.delete("/api/v1/views/fleet/At the gate").json()["code"] == "view-missing"
    assert vera.get("/api/v1/views/fleet/At the gate").json()["owner"] == "olga"
    vera.put("/api/v1/views/fleet/At the gate", {"query": "q=mine"}, format="json")
    assert vera.get("/api/v1/views/fleet/At the gate").json()["query"] == "q=mine"
    vera.delete("/api/v1/views/fleet/At the gate")
    assert vera.get("/api/v1/views/fleet/Mine").json()["code"] == "view-missing"
    assert olga.delete("/api/v1/views/fleet/At the gate").status_code == 204
    ended = vera.get("/api/v1/views/fleet/At the gate")
    assert (ended.status_code, ended.json()["code"]) == (410, "gone")
    assert ended.json()["link"] == "/activity?target=fleet%2FAt+the+gate"
    assert client_of("nina").get("/api/v1/views/fleet/At the gate").status_code == 404
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
def test_followers_of_a_deployment_are_notified_how_it_stands() -> None:
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


def test_a_policy_writer_decides_how_a_page_opens_for_all(db: None) -> None:
    olga, root = client_of("olga", "operator"), client_of("root", "admin")
    wish = {"query": "state=READY", "everybody": True}
    assert olga.put("/api/v1/views/fleet/Ours", wish, format="json").status_code == 403
    assert root.put("/api/v1/views/fleet/Ours", wish, format="json").status_code == 200
    root.put("/api/v1/views/fleet/Other", {**wish, "query": "q=x"}, format="json")
    seen = olga.get("/api/v1/views/fleet").json()["items"]
    assert [(each["name"], each["shared"], each["everybody"]) for each in seen] == [
        ("Other", True, True),
        ("Ours", True, False),
    ]


@pytest.mark.usefixtures("fleet")
def test_a_deployment_says_who_set_how_it_switches_and_what_its_last_copy_counted() -> None:
    olga = client_of("olga", "operator")
    page = f"/api/v1/deployments/{SERVICE}/eu-1"
    assert olga.get(page).json()["switch_mode_set"] is None
    olga.put(page, {"deployment": {"automaticVersionSwitch": True}}, format="json")
    olga.put(page, {"deployment": {"publicDomain": "eu.example.com"}}, format="json")
    kept = LedgerEntry.objects.filter(target=EU, outcome="done").order_by("pk")
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            at=timezone.now(), action="deployment.put", target_kind="deployment", target=EU, outcome="done"
        )
        for _ in range(250)
    )
    changed = next(each for each in kept if (each.after or {}).get("automaticVersionSwitch"))
    told = olga.get(page).json()["switch_mode_set"]
    assert told == {"who": "olga", "at": changed.at.isoformat().replace("+00:00", "Z")}


def test_the_example_fleet_is_loaded_by_who_may_make_regions_and_once(db: None) -> None:
    olga, root = client_of("olga", "operator"), client_of("root", "admin")
    assert olga.post("/api/v1/fleet/example").json()["code"] == "region-owner"
    assert olga.get("/api/v1/fleet").json()["services"] == []
    first = root.post("/api/v1/fleet/example")
    assert first.status_code == 200, first.content
    assert first.json()["changed"] > 0
    shown = {cell["name"] for cell in olga.get("/api/v1/fleet").json()["cells"]}
    assert shown == set(first.json()["deployments"])
    assert root.post("/api/v1/fleet/example").json()["changed"] == 0
