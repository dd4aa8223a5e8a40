"""The last day of a version: set by those who may, seen by everybody, kept in the ledger."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.approval_policies.endpoints import DutyView
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.models.evidence.retirements import VersionRetirement
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.ledger import LedgerEntry
from migrations_app.resource_api.app import told_of_its_end
from migrations_app.resource_api.exchange import ResourceRequest, Response
from migrations_app.web.deprecations import Going
from tests.factories.access import client_of
from tests.factories.remembered import remembered
from tests.integration.constraints.conftest import FLEET
from tests.integration.resource_api.conftest import files_of

pytestmark = pytest.mark.django_db
IMPORTED, SERVICE = "iam.example.com", "secrets.example.com"
OLD, NEW = "v1alpha2", "v1"
PAGE = f"/api/v1/services/{SERVICE}"
PLACE = f"{PAGE}/versions/{OLD}/retirement"


@pytest.fixture(autouse=True)
def _services() -> None:
    """A service, and one that imports it."""

    def apply() -> None:
        apply_region(SYSTEM, "eu-west1", "eu-west1")
        apply_region(SYSTEM, "us-east2", "us-east2")
        for service in ("iam", "secrets"):
            apply_service(SYSTEM, files_of(FLEET / service))

    remembered("iam and secrets", [], apply)


def test_a_retirement_is_set_changed_taken_back_and_written_down() -> None:
    client = client_of("olga", "operator")
    day = {"retires_on": "2027-03-01", "note": "Use v1."}
    rehearsed = client.put(f"{PLACE}?dry_run=true", day, format="json", HTTP_IF_MATCH='"0"')
    assert (rehearsed.status_code, client.get(PAGE).json()["retirements"]) == (200, {})

    done = client.put(PLACE, day, format="json", HTTP_IF_MATCH='"0"').json()
    assert (done["rev"], done["retires_on"], done["set_by"]) == (1, "2027-03-01", "olga")
    assert client.get(PAGE).json()["retirements"] == {OLD: done}
    stale = client.put(PLACE, {**day, "note": "Other"}, format="json", HTTP_IF_MATCH='"0"')
    assert (stale.status_code, stale.json()["current"]["note"]) == (412, "Use v1.")
    back = client.put(PLACE, {"retires_on": None}, format="json", HTTP_IF_MATCH='"1"').json()
    assert (back["rev"], back["retires_on"]) == (2, None)
    entries = LedgerEntry.objects.filter(target=f"{SERVICE}/{OLD}", outcome="done").order_by("pk")
    assert [each.action for each in entries] == ["version.retire", "version.keep"]


def test_a_retirement_needs_the_right_the_version_and_what_was_seen() -> None:
    day = {"retires_on": "2027-03-01"}
    viewer, operator = client_of("vera", "viewer"), client_of("olga", "operator")
    assert viewer.put(PLACE, day, format="json", HTTP_IF_MATCH='"0"').status_code == 403
    assert operator.put(PLACE, day, format="json").status_code == 428
    newest = PLACE.replace(OLD, NEW)
    for query in ("?dry_run=true", ""):
        refused = operator.put(f"{newest}{query}", day, format="json", HTTP_IF_MATCH='"0"')
        assert (refused.status_code, refused.json()["code"]) == (409, "retirement-newest")
    assert refused.json()["detail"].startswith(
        f"{NEW} is the newest version of {SERVICE}: its clients have no newer"
    )
    VersionRetirement.objects.create(
        service=SERVICE, version=NEW, retires_on=date(2027, 3, 1), rev=1, set_at=timezone.now()
    )
    kept = operator.put(newest, {"retires_on": None}, format="json", HTTP_IF_MATCH='"1"')
    assert (kept.status_code, kept.json()["retires_on"]) == (200, None), "one of an earlier release"
    other = PLACE.replace(OLD, "v9")
    assert operator.put(other, day, format="json", HTTP_IF_MATCH='"0"').status_code == 404


def test_a_day_is_brought_forward_only_with_the_proof_that_no_client_uses_the_version() -> None:
    client, now = client_of("olga", "operator"), timezone.now()

    def put(day: str, rev: int) -> Any:
        return client.put(PLACE, {"retires_on": day}, format="json", HTTP_IF_MATCH=f'"{rev}"')

    def used(days: int, version: str, count: int) -> None:
        at = now - timedelta(days=days)
        UsageCount.objects.create(
            service=SERVICE, version=version, day=at.date(), region="eu-west1", method="Secret.get", path="",
            state="value", client="app", release="", count=count, first_seen=at, last_seen=at,
        )  # fmt: skip

    used(3, OLD, 4)
    assert put("2099-06-01", 0).status_code == 200
    early = put("2099-03-01", 1)
    assert (early.status_code, early.json()["code"]) == (409, "retirement-early")
    assert early.json()["detail"] == (
        "v1alpha2 cannot retire on 2099-03-01: a sunset moves later only, it is 2099-06-01. It is not proved unused: it was "
        "seen 4 times; only 4 messages were seen, 3000 are needed; use was observed for 4 days, and the longest period "
        "of a client is 35 days. Give a later day, or wait until no client uses it: `swy usage show`."
    )
    assert put("2020-01-01", 1).status_code == 409
    assert VersionRetirement.objects.get().retires_on == date(2099, 6, 1)
    assert put("2099-09-01", 1).status_code == 200
    # Long unused, while the same client goes on in another version: that is the proof.
    UsageCount.objects.all().delete()
    used(60, OLD, 4)
    used(1, NEW, 3000)
    assert put("2099-03-01", 2).status_code == 200


def test_the_page_of_a_service_names_who_imports_which_version() -> None:
    importers = client_of("vera", "viewer").get(f"/api/v1/services/{IMPORTED}").json()["imported_by"]
    assert {(each["service"], each["version"]) for each in importers} == {(SERVICE, "v1")}
    assert {each["for_version"] for each in importers} == {OLD, NEW}


def test_what_retires_is_listed_with_the_calls_that_go_away(monkeypatch: pytest.MonkeyPatch) -> None:
    client = client_of("olga", "operator")
    assert client.get("/api/v1/deprecations").json()["items"] == []
    client.put(PLACE, {"retires_on": "2027-03-01", "note": "Use v1."}, format="json", HTTP_IF_MATCH='"0"')
    monkeypatch.setattr(
        DutyView, "going", {"GET": Going(date(2026, 1, 1), date(2026, 7, 1), "/api/v1/people")}
    )
    today = VersionRetirement.objects.get().set_at.date().isoformat()
    assert client.get("/api/v1/deprecations").json()["items"] == [
        {
            "kind": "call",
            "what": "GET /api/v1/duty",
            "since": "2026-01-01",
            "sunset": "2026-07-01",
            "instead": "/api/v1/people",
        },
        {
            "kind": "version",
            "what": f"{SERVICE} {OLD}",
            "since": today,
            "sunset": "2027-03-01",
            "instead": "Use v1.",
        },
    ]
    told = client.get("/api/v1/duty")
    assert (told["Deprecation"], told["Sunset"]) == ("@1767225600", "Wed, 01 Jul 2026 00:00:00 GMT")
    assert told["Link"] == '</developer#deprecations>; rel="deprecation"; type="text/html"'
    assert "Deprecation" not in client.put("/api/v1/duty", {}, format="json")


def test_an_answer_of_a_version_that_retires_says_when() -> None:
    client = client_of("olga", "operator")
    client.put(PLACE, {"retires_on": "2027-03-01"}, format="json", HTTP_IF_MATCH='"0"')
    wiring.retiring.cache_clear()
    try:
        asked = ResourceRequest("GET", f"/apis/eu-west1/{SERVICE}/{OLD}/projects/p", "", {})
        headers = told_of_its_end(asked, Response(200, {}, {"ETag": '"1"'})).headers
        other = ResourceRequest("GET", f"/apis/eu-west1/{SERVICE}/{NEW}/projects/p", "", {})
        assert told_of_its_end(other, Response(200, {})).headers == {}
    finally:
        wiring.retiring.cache_clear()
    assert (headers["ETag"], headers["Sunset"]) == ('"1"', "Mon, 01 Mar 2027 00:00:00 GMT")
    assert re.fullmatch(r"@\d+", headers["Deprecation"])
