"""Where people are signed in, and what groups and policies would give, over HTTP."""

from __future__ import annotations

import base64
import json

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from rest_framework.test import APIClient

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.models.access import Account, SignIn
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import FOUNDER, PASSWORD, client_of, make_account

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_attempts() -> None:
    cache.clear()


def _signed_in(agent: str) -> APIClient:
    browser = APIClient(HTTP_USER_AGENT=agent)
    answer = browser.post("/api/v1/session", {"username": "ann", "password": PASSWORD}, format="json")
    assert answer.status_code == 200
    return browser


def test_a_person_sees_where_they_are_signed_in_and_ends_one_of_them() -> None:
    make_account("ann", "viewer", password=PASSWORD)
    desk, phone = _signed_in("Desk"), _signed_in("Phone")
    found = desk.get("/api/v1/sessions").json()["items"]
    assert [(each["agent"], each["how"], each["current"]) for each in found] == [
        ("Phone", "password", False),
        ("Desk", "password", True),
    ]

    assert desk.delete(f"/api/v1/sessions/{found[0]['id']}").status_code == 204
    assert phone.get("/api/v1/fleet").status_code == 401
    assert desk.get("/api/v1/fleet").status_code == 200
    assert [each["agent"] for each in desk.get("/api/v1/sessions").json()["items"]] == ["Desk"]
    entry = LedgerEntry.objects.filter(action="session.end").get()
    assert (entry.actor, entry.target, entry.outcome) == ("ann", "ann", "done")


def test_the_zone_one_chooses_in_one_browser_is_the_zone_in_every_other() -> None:
    make_account("ann", "viewer", password=PASSWORD)
    make_account("vera", "viewer")
    desk = _signed_in("Desk")
    assert desk.get("/api/v1/session").json()["account"]["zone"] == ""
    assert desk.put("/api/v1/session/zone?dry_run=true", {"zone": "mine"}, format="json").status_code == 204
    assert desk.get("/api/v1/session").json()["account"]["zone"] == ""
    assert desk.put("/api/v1/session/zone", {"zone": "region"}, format="json").status_code == 204
    assert _signed_in("Phone").get("/api/v1/session").json()["account"]["zone"] == "region"
    assert Account.objects.get(username="vera").shown_zone == ""
    wrong = desk.put("/api/v1/session/zone", {"zone": "Europe/Brussels"}, format="json")
    assert (wrong.status_code, [each["path"] for each in wrong.json()["errors"]]) == (400, ["zone"])
    assert APIClient().put("/api/v1/session/zone", {"zone": "utc"}, format="json").status_code == 401


def test_only_an_access_manager_ends_or_sees_sessions_of_others() -> None:
    make_account("ann", "viewer", password=PASSWORD)
    _signed_in("Desk")
    row = SignIn.objects.get()
    vera = client_of("vera", "viewer")
    vera.force_login(Account.objects.get(username="vera"), "django.contrib.auth.backends.ModelBackend")
    vera.credentials()
    assert vera.get("/api/v1/sessions?all=true").status_code == 403
    assert vera.delete(f"/api/v1/sessions/{row.pk}").status_code == 403
    assert vera.delete("/api/v1/sessions/4711").status_code == 403
    assert Session.objects.filter(session_key=row.session_key).exists()

    admin = client_of("otto", "admin")
    seen = admin.get("/api/v1/sessions?all=true").json()["items"]
    assert [(each["account"], each["current"]) for each in seen] == [("ann", False)]
    assert admin.delete(f"/api/v1/sessions/{row.pk}").status_code == 403  # by token: no person is there
    admin.credentials()
    admin.force_login(Account.objects.get(username="otto"), "django.contrib.auth.backends.ModelBackend")
    assert admin.delete(f"/api/v1/sessions/{row.pk}").status_code == 204
    assert not Session.objects.filter(session_key=row.session_key).exists()


def test_a_new_password_keeps_this_session_and_forgets_the_others() -> None:
    make_account("ann", "viewer", password=PASSWORD)
    desk, _ = _signed_in("Desk"), _signed_in("Phone")
    given = {"current": PASSWORD, "new": "another horse battery staple"}
    assert desk.put("/api/v1/session/password", given, format="json").status_code == 204
    found = desk.get("/api/v1/sessions").json()["items"]
    assert [(each["agent"], each["current"]) for each in found] == [("Desk", True)]


def test_groups_are_tried_by_name_or_by_a_token_of_the_provider() -> None:
    bind_role(FOUNDER, NewBinding("group", "sre", "operator", service="secrets.*"))
    auditor = client_of("ada", "auditor")
    named = auditor.post("/api/v1/access/groups", {"groups": ["sre", "staff"]}, format="json").json()
    assert (named["roles"], named["unbound"]) == (["operator"], ["staff"])
    assert named["bindings"] == ["operator of secrets.* @ * through group sre"]
    assert "upgrade.switch" in named["permissions"]

    payload = (
        base64.urlsafe_b64encode(json.dumps({"sub": "x", "groups": ["sre"]}).encode()).decode().rstrip("=")
    )
    pasted = auditor.post("/api/v1/access/groups", {"token": f"e30.{payload}.c2ln"}, format="json").json()
    assert (pasted["groups"], pasted["roles"]) == (["sre"], ["operator"])
    refused = auditor.post("/api/v1/access/groups", {"token": "no token"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "identity-token")


def test_a_policy_is_previewed_on_the_upgrades_of_late() -> None:
    for number, region in enumerate(("eu-west1", "us-east1")):
        Upgrade.objects.create(
            id=f"u{number}", deployment=f"services/secrets/deployments/{region}", service="secrets", region=region,
            from_version="v1", to_version="v2", created_by="olga", plan={}, plan_digest="d",
            source_database="a", source_schema="a", target_database="a", target_schema="b",
        )  # fmt: skip
    make_account("ann", "approver")
    make_account("eva", "approver", region="us-*")
    viewer = client_of("vera", "viewer")
    policy = {"name": "eu", "purpose": "switch", "region": "eu-west1", "needed": 2}
    found = viewer.post("/api/v1/policies/preview", policy, format="json").json()
    assert (found["seen"], [each["id"] for each in found["upgrades"]]) == (2, ["u0"])
    assert found["voters"] == ["ann"]


def test_the_ledger_is_searched_by_address_and_request() -> None:
    auditor = client_of("ada", "auditor")
    LedgerEntry.objects.create(
        at="2026-03-01T14:00:00Z", actor_kind="user", actor="ann", action="session.sign_in", target_kind="account",
        outcome="done", address="10.1.2.3", request_id="r-1",
    )  # fmt: skip
    for query in ("address=10.1.2.3", "request_id=r-1"):
        found = auditor.get(f"/api/v1/audit?{query}").json()["items"]
        assert [each["actor"] for each in found] == ["ann"]
    assert auditor.get("/api/v1/audit?address=10.9.9.9").json()["items"] == []
