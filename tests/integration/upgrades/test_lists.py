"""Lists of upgrades, and the overview that counts them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.models.upgrades import UpgradeShard
from tests.integration.upgrades.conftest import SERVICE
from tests.integration.upgrades.test_api import act, level, plan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]


def test_lists_page_and_filter(olga: APIClient) -> None:
    first = plan(olga)["id"]
    act(olga, first, "abort", {"comment": "not today"})
    second = plan(olga)["id"]
    page = olga.get("/api/v1/upgrades?limit=1").json()
    assert ([each["id"] for each in page["items"]], page["has_more"]) == ([second], True)
    rest = olga.get(f"/api/v1/upgrades?limit=1&cursor={page['next_cursor']}").json()
    assert ([each["id"] for each in rest["items"]], rest["has_more"]) == ([first], False)
    assert [e["id"] for e in olga.get("/api/v1/upgrades?state=ABORTED").json()["items"]] == [first]
    assert [e["id"] for e in olga.get(f"/api/v1/upgrades?service={SERVICE}&live=true").json()["items"]] == [
        second
    ]
    assert olga.get("/api/v1/upgrades?colour=red").json()["code"] == "parameter"
    for query in ("state=NOPE", "state__in=READY,NOPE", "kind=nope", "live=perhaps", "stalled=perhaps"):
        refused = olga.get(f"/api/v1/upgrades?{query}")
        field = query.partition("=")[0].removesuffix("__in")
        assert (refused.status_code, refused.json()["code"]) == (400, "filter")
        assert refused.json()["errors"][0]["path"] == field


def test_the_list_of_stalled_upgrades_holds_those_that_the_overview_counts(olga: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)

    def listed(stalled: str) -> list[str]:
        return [each["id"] for each in olga.get(f"/api/v1/upgrades?stalled={stalled}").json()["items"]]

    assert (listed("true"), listed("false")) == ([], [upgrade_id])
    long_ago = timezone.now() - timedelta(minutes=5)
    UpgradeShard.objects.filter(upgrade_id=upgrade_id).update(reported_at=long_ago)
    assert olga.get("/api/v1/overview").json()["now"]["stalled"] == 1
    assert (listed("true"), listed("false")) == ([upgrade_id], [])
    act(olga, upgrade_id, "pause")
    assert olga.get("/api/v1/overview").json()["now"]["stalled"] == 0
    assert (listed("true"), listed("false")) == ([], [upgrade_id])


def test_the_overview_counts_what_runs_and_what_waits_for_whom(olga: APIClient, ann: APIClient) -> None:
    upgrade_id = plan(olga, start=True)["id"]
    level(upgrade_id)
    request_id = act(olga, upgrade_id, "request-approval").json()["readiness"]["approvals"]["request_id"]
    seen = ann.get("/api/v1/overview").json()
    assert seen["now"] == {
        "running": 1,
        "waiting_mine": 1,
        "waiting_others": 0,
        "stalled": 0,
        "failed": 0,
        "reversible": 0,
    }
    assert olga.get("/api/v1/overview").json()["now"]["waiting_others"] == 1
    assert [(each["kind"], each["id"]) for each in seen["needs_you"]] == [("approval", request_id)]
    assert [each["id"] for each in seen["running"]] == [upgrade_id]
    assert seen["skew"] == [{"service": SERVICE, "versions": [{"version": "v1alpha2", "count": 2}]}]
