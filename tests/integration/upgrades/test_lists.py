"""Lists of upgrades, and the overview that counts them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.upgrades import RecordedTransition, Upgrade, UpgradeShard
from tests.factories.access import make_account, token_of
from tests.integration.upgrades.conftest import SERVICE
from tests.integration.upgrades.test_api import act, level, plan

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]


@pytest.fixture
def reads_nothing() -> APIClient:
    """An account that may read, of a service that is not there."""
    make_account("nina", "viewer", service="nothing.*")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of('nina')}")
    return client


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


def test_the_overview_sums_up_the_switches_of_seven_days(olga: APIClient, reads_nothing: APIClient) -> None:
    overview = olga.get("/api/v1/overview").json()
    assert overview["first_use"] is True
    assert overview["week"] == {
        "switches": 0,
        "rolled_back": 0,
        "median_freeze_ms": None,
        "longest_freeze_ms": None,
        "newest": [],
    }
    now, rows = timezone.now(), []
    for days, freeze, letters in ((8, 900.0, "H"), (3, 80.0, "HK"), (2, None, "H"), (1, 120.0, "H")):
        row = Upgrade.objects.get(pk=plan(olga)["id"])
        row.state, row.freeze_ms = "COMPLETED", freeze
        row.save()
        for letter in letters:
            RecordedTransition.objects.create(
                upgrade=row, letter=letter, state="", at=now - timedelta(days=days), who="olga"
            )
        rows.append(row.id)
    overview = olga.get("/api/v1/overview").json()
    week = overview["week"]
    assert overview["first_use"] is False
    assert [week[name] for name in ("switches", "rolled_back", "median_freeze_ms", "longest_freeze_ms")] == [
        3,
        1,
        100.0,
        120.0,
    ]
    assert [(row["id"], row["freeze_ms"]) for row in week["newest"]] == [
        (rows[3], 120.0),
        (rows[2], None),
        (rows[1], 80.0),
    ]
    elsewhere = reads_nothing.get("/api/v1/overview").json()
    assert (elsewhere["week"]["switches"], elsewhere["first_use"]) == (0, True)


def test_callers_of_old_versions_are_counted_once_each_within_the_scope(
    olga: APIClient, reads_nothing: APIClient
) -> None:
    assert olga.get("/api/v1/fleet/callers").json() == {"days": 14, "callers": {}}
    now = timezone.now()
    for region, version, client, days in (
        ("eu-1", "v1alpha2", "portal", 0),
        ("eu-1", "v1alpha1", "portal", 2),
        ("eu-1", "v1alpha2", "batch", 13),
        ("eu-1", "v1", "mobile", 0),
        ("us-1", "v1alpha2", "gone", 14),
    ):
        at = now - timedelta(days=days)
        UsageCount.objects.create(
            day=at.date(), service=SERVICE, version=version, region=region, method="Get", path="",
            state="", client=client, release="", count=1, first_seen=at, last_seen=at,
        )  # fmt: skip
    assert olga.get("/api/v1/fleet/callers").json()["callers"] == {SERVICE: {"eu-1": 2}}
    assert reads_nothing.get("/api/v1/fleet/callers").json()["callers"] == {}
