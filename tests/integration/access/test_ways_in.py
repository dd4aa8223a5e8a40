"""The ways in: a provider that does not answer, the glass that an admin breaks, and asking for access."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from console.env import WrongEnvironment, read_env
from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.models.access import Account, RoleBinding, SignIn
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent
from tests.factories.access import FOUNDER, PASSWORD, client_of, make_account
from tests.factories.identity_provider import identity_provider

pytestmark = pytest.mark.django_db
REASON = "The identity provider is down, and eu-1 has to roll back."
REQUESTS = "/api/v1/access/requests"
WAY = "/api/v1/session/access"


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    cache.clear()


def provide(settings: LazySettings, server: str) -> None:
    app = {"provider_id": "sso", "name": "Single sign-on", "client_id": "switchyard", "secret": "s"}
    apps = [{**app, "settings": {"server_url": server, "oauth_pkce_enabled": True}}]
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": apps}}


def allow(settings: LazySettings, local: str) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, local_sign_in=local)


def sign_in(browser: APIClient, name: str = "ann", **more: str) -> Any:
    return browser.post("/api/v1/session", {"username": name, "password": PASSWORD, **more}, format="json")


def test_a_provider_that_does_not_answer_is_named_with_the_time_since(settings: LazySettings) -> None:
    with identity_provider() as provider:
        provide(settings, provider.url)
        assert APIClient().get("/api/v1/session/providers").json()["items"] == [
            {"id": "sso", "answers": True, "since": None}
        ]
    # It was asked a moment ago, so what was known is told.
    assert APIClient().get("/api/v1/session/providers").json()["items"][0]["answers"] is True
    cache.clear()
    away = APIClient().get("/api/v1/session/providers").json()["items"][0]
    assert (away["answers"], away["since"] is not None) == (False, True)
    assert Client().get("/accounts/oidc/sso/login/")["Location"] == "/?sign_in=unreachable"
    assert APIClient().get("/api/v1/session/providers").json()["items"][0] == away


def test_in_an_emergency_an_admin_says_why_and_everybody_hears_of_it(settings: LazySettings) -> None:
    allow(settings, "emergency")
    make_account("ann", "admin", password=PASSWORD)
    make_account("olga", "operator", password=PASSWORD)
    browser = APIClient()
    assert browser.get("/api/v1/session").json()["local_sign_in"] == "emergency"
    assert sign_in(browser).json()["code"] == "break-glass"
    assert sign_in(browser, reason="too short").json()["code"] == "break-glass"
    assert sign_in(browser, "olga", reason=REASON).json()["code"] == "sign-in-local"
    assert browser.get("/api/v1/session").json()["account"] is None

    session = sign_in(browser, reason=f" {REASON} ").json()
    assert (session["account"]["name"], session["emergency"]["reason"]) == ("ann", REASON)
    assert browser.get("/api/v1/session").json()["emergency"] == session["emergency"]
    noted = LedgerEntry.objects.get(action="session.break_glass")
    assert (noted.actor, noted.target, noted.outcome, noted.reason) == ("ann", "ann", "done", REASON)
    assert SignIn.objects.get(account__username="ann").how == "break-glass"
    told = OutboxEvent.objects.get(topic="approvals", kind="emergency")
    assert (told.full["who"], told.full["purpose"], told.full["reason"]) == ("ann", "sign-in", REASON)
    browser.delete("/api/v1/session")
    assert browser.get("/api/v1/session").json()["emergency"] is None


def test_local_accounts_stay_out_where_they_are_turned_off(settings: LazySettings) -> None:
    make_account("ann", "admin", password=PASSWORD)
    free = APIClient()
    assert sign_in(free).json()["emergency"] is None
    allow(settings, "off")
    refused = sign_in(APIClient(), reason=REASON)
    assert (refused.status_code, refused.json()["code"]) == (403, "sign-in-local")
    denied = LedgerEntry.objects.filter(action="session.sign_in", outcome="denied")
    assert [row.reason for row in denied] == ["Local accounts cannot sign in here."]


def test_the_only_way_in_cannot_be_turned_off() -> None:
    with pytest.raises(WrongEnvironment, match="leaves no way in without single sign-on"):
        read_env({"SWITCHYARD_LOCAL_SIGN_IN": "off", "DATABASE_URL": "postgresql:///x"})
    given = {"SWITCHYARD_LOCAL_SIGN_IN": "emergency", "SWITCHYARD_OIDC_ISSUER": "https://id.example.com"}
    assert read_env({**given, "DATABASE_URL": "postgresql:///x"}).local_sign_in == "emergency"


def newcomer(name: str = "nina") -> APIClient:
    make_account(name, password=PASSWORD)
    browser = APIClient()
    browser.force_login(Account.objects.get(username=name), "django.contrib.auth.backends.ModelBackend")
    return browser


def test_who_has_no_role_asks_and_an_admin_gives_one() -> None:
    bind_role(FOUNDER, NewBinding("group", "platform", "admin"))
    nina, root, vera = newcomer(), client_of("root", "admin"), client_of("vera", "viewer")
    assert nina.get(WAY).json() == {"who_can": ["group platform", "root"], "request": None}
    assert nina.get("/api/v1/overview").status_code == 403
    asked = nina.post(WAY, {"comment": "I am on call from Monday."}, format="json")
    assert (asked.status_code, asked.json()["request"]["state"]) == (201, "open")
    assert nina.post(WAY, {}, format="json").json()["code"] == "asked-already"
    assert vera.post(WAY, {}, format="json").json()["code"] == "access-held"

    needs = root.get("/api/v1/overview").json()["needs_you"]
    assert [(each["sentence"], each["link"]) for each in needs if each["kind"] == "ask"] == [
        ("nina asks for access to this console: I am on call from Monday.", "/settings/access?tab=accounts")
    ]
    assert vera.get(REQUESTS).status_code == 403
    (request,) = root.get(REQUESTS).json()["items"]
    place = f"{REQUESTS}/{request['id']}"
    assert vera.post(place, {"role": "admin"}, format="json").status_code == 403
    assert root.post(place, {}, format="json").json()["code"] == "ask-answer"
    assert root.post(f"{place}?dry_run=true", {"role": "operator"}, format="json").status_code == 204
    assert RoleBinding.objects.filter(subject="nina").count() == 0
    given = root.post(place, {"role": "operator", "region": "eu-*", "answer": "Welcome."}, format="json")
    assert given.status_code == 204
    bound = RoleBinding.objects.get(subject="nina")
    assert (bound.role, bound.service, bound.region, bound.created_by) == ("operator", "*", "eu-*", "root")
    assert (
        root.get(REQUESTS).json()["items"],
        root.post(place, {"role": "admin"}, format="json").status_code,
    ) == (
        [],
        404,
    )
    assert nina.get("/api/v1/session").json()["account"]["roles"] == ["operator"]
    noted = LedgerEntry.objects.get(action="access.grant-asked")
    assert (noted.actor, noted.after, noted.reason) == (
        "root",
        {"who": "nina", "role": "operator"},
        "Welcome.",
    )


def test_a_refusal_says_why_and_one_may_ask_again() -> None:
    nina, root = newcomer(), client_of("root", "admin")
    nina.post(WAY, {}, format="json")
    (request,) = root.get(REQUESTS).json()["items"]
    assert (
        root.post(f"{REQUESTS}/{request['id']}", {"answer": "Ask your lead."}, format="json").status_code
        == 204
    )
    told = nina.get(WAY).json()["request"]
    assert (told["state"], told["answer"], told["decided_by"]) == ("refused", "Ask your lead.", "root")
    assert RoleBinding.objects.filter(subject="nina").count() == 0
    # The same ask within ten minutes is a new one: the first was answered.
    assert nina.post(WAY, {}, format="json").json()["request"]["state"] == "open"
    assert len(root.get(REQUESTS).json()["items"]) == 1


def test_an_account_gives_no_more_than_it_holds_to_who_asks() -> None:
    nina, root = newcomer(), client_of("root", "admin")
    made = {"role": "doorkeeper", "permissions": ["access.read", "access.manage"]}
    assert root.post("/api/v1/access/roles", made, format="json").status_code == 201
    otto = client_of("otto", "doorkeeper")
    nina.post(WAY, {}, format="json")
    (request,) = otto.get(REQUESTS).json()["items"]
    refused = otto.post(f"{REQUESTS}/{request['id']}", {"role": "admin"}, format="json")
    assert refused.json()["code"] == "more-than-held"
    assert [each["state"] for each in otto.get(REQUESTS).json()["items"]] == ["open"]
