"""The inbox of approvals: what its columns show, and how much is asked of the database for it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.models.approvals import ApprovalRequest
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade
from tests.integration.upgrades.conftest import EU, define, register
from tests.integration.upgrades.test_api import post
from tests.integration.upgrades.test_impact import asked, page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
EACH_ROW = 11
"""So many queries more for each deployment more: what is kept of it and of its upgrade."""


def queries(client: APIClient, address: str) -> int:
    """Count the queries of a look after the first."""
    client.get(f"/api/v1{address}")
    with CaptureQueriesContext(connection) as asked_of_it:
        assert client.get(f"/api/v1{address}").status_code == 200
    return len(asked_of_it)


def test_a_request_shows_its_risk_and_its_checks_in_the_list_as_on_its_own_page(
    olga: APIClient, ann: APIClient
) -> None:
    request_id = asked(olga)
    Deployment.objects.filter(pk=EU).update(ring=32)
    (row,) = ann.get("/api/v1/approvals?tab=open").json()["items"]
    whole = page(ann, request_id)
    verdicts = [each["verdict"] for each in whole["evidence_now"] if each["check"] != "approval"]
    assert row["impact_summary"] == whole["impact_summary"] == {
        "risk": whole["impact"]["risk"]["level"],
        "failing": verdicts.count("fail"),
        "unknown": verdicts.count("unknown"),
        "change": whole["impact"]["change"],
    }  # fmt: skip
    assert (row["impact_summary"]["risk"], verdicts.count("fail")) == ("medium", 1)


def test_what_is_settled_has_nothing_to_weigh_any_more(olga: APIClient, ann: APIClient) -> None:
    request_id = asked(olga)
    seen = {"If-Match": f'"{page(ann, request_id)["digest"]}"'}
    body = {"comment": "Not in this week."}
    assert post(ann, f"/approvals/{request_id}/reject", body, **seen).status_code == 200
    (row,) = ann.get("/api/v1/approvals?tab=decided").json()["items"]
    assert (row["id"], row["state"], row["impact_summary"]) == (request_id, "REJECTED", None)


@pytest.mark.parametrize("tab", ["mine", "open"])
def test_a_request_more_in_the_list_costs_only_what_is_its_own(
    olga: APIClient, ann: APIClient, tab: str
) -> None:
    asked(olga)
    one = queries(ann, f"/approvals?tab={tab}")
    regions = ["us-1", "ap-1", "sa-1"]
    for region in regions[1:]:
        register(region)
    for region in regions:
        asked(olga, deployment=EU.replace("eu-1", region))
    assert queries(ann, f"/approvals?tab={tab}") == one + EACH_ROW * len(regions)


def test_the_evidence_of_a_request_is_read_once_for_one_look(olga: APIClient, ann: APIClient) -> None:
    request_id = asked(olga)
    with CaptureQueriesContext(connection) as asked_of_it:
        ann.get(f"/api/v1/approvals/{request_id}")
    said = [query["sql"] for query in asked_of_it.captured_queries]
    assert sum('FROM "switchyard_approvalpolicy"' in sql for sql in said) == 1
    assert sum('SELECT "switchyard_deployment"."ring"' in sql for sql in said) == 1
    assert sum('SELECT "switchyard_token"."created_by"' in sql for sql in said) == 1


def test_what_the_checks_of_an_upgrade_share_is_read_once_for_its_page(
    olga: APIClient, ann: APIClient
) -> None:
    asked(olga)
    upgrade = Upgrade.objects.get().id
    with CaptureQueriesContext(connection) as asked_of_it:
        assert ann.get(f"/api/v1/upgrades/{upgrade}").status_code == 200
    said = [query["sql"] for query in asked_of_it.captured_queries]
    assert sum('FROM "switchyard_approvalpolicy"' in sql for sql in said) == 1
    assert sum('FROM "switchyard_ledgerentry"' in sql for sql in said) == 1
    assert sum('SELECT "switchyard_deployment"."ring"' in sql for sql in said) == 1


def test_what_was_read_for_one_look_is_not_kept_for_the_next(olga: APIClient, ann: APIClient) -> None:
    asked(olga)
    (before,) = ann.get("/api/v1/approvals").json()["items"]
    define("f2")
    (after,) = ann.get("/api/v1/approvals").json()["items"]
    assert after["digest"] != before["digest"]


def test_what_is_open_costs_a_list_of_what_is_settled_nothing(olga: APIClient, ann: APIClient) -> None:
    request_id = asked(olga)
    seen = {"If-Match": f'"{page(ann, request_id)["digest"]}"'}
    assert post(ann, f"/approvals/{request_id}/reject", {"comment": "No."}, **seen).status_code == 200
    address = "/approvals?tab=decided"
    alone = queries(ann, address)
    for region in ("ap-1", "sa-1"):
        register(region)
        asked(olga, deployment=EU.replace("eu-1", region))
    assert queries(ann, address) == alone
    assert [row["id"] for row in ann.get(f"/api/v1{address}").json()["items"]] == [request_id]


def test_a_request_that_expired_and_was_not_closed_yet_is_settled(olga: APIClient, ann: APIClient) -> None:
    request_id = asked(olga)
    assert ann.get("/api/v1/approvals?tab=decided").json()["items"] == []
    long_ago = timezone.now() - timedelta(days=40)
    ApprovalRequest.objects.filter(pk=request_id).update(created_at=long_ago, deadline=long_ago)
    (row,) = ann.get("/api/v1/approvals?tab=decided").json()["items"]
    assert (row["id"], row["state"]) == (request_id, "EXPIRED")
    assert ann.get("/api/v1/approvals?tab=open").json()["items"] == []
