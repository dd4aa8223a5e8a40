"""Signing in with a second factor, and by an identity provider."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from console.env import ROOT
from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.models.access import Account
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import FOUNDER, PASSWORD, client_of, make_account
from tests.factories.identity_provider import Provider, identity_provider

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_attempts() -> None:
    cache.clear()


def _codes(secret: str) -> list[str]:
    return [format_hotp_value(hotp_value(secret, counter)) for counter in yield_hotp_counters_from_time()]


def _sign_in(**more: str) -> Any:
    body = {"username": "ann", "password": PASSWORD, **more}
    return APIClient().post("/api/v1/session", body, format="json")


def _signed_in(name: str) -> APIClient:
    browser = APIClient()
    answer = browser.post("/api/v1/session", {"username": name, "password": PASSWORD}, format="json")
    assert answer.status_code == 200, answer.json()
    return browser


def test_a_second_factor_is_set_up_asked_for_and_given_up() -> None:
    make_account("ann", "operator", password=PASSWORD)
    browser = _signed_in("ann")
    assert browser.get("/api/v1/session/totp").json() == {"is_set": False, "recovery_codes_left": 0}
    proposed = browser.post("/api/v1/session/totp").json()
    secret = proposed["secret"]
    assert proposed["uri"] == f"otpauth://totp/Switchyard%3Aann?secret={secret}&issuer=Switchyard"
    assert {len(row) for row in proposed["qr"]} == {len(proposed["qr"])}
    assert set("".join(proposed["qr"])) == {"0", "1"}
    wrong = browser.put("/api/v1/session/totp", {"code": "000000"}, format="json").json()
    assert wrong["code"] == "totp-wrong"
    assert [(each["path"], each["message"]) for each in wrong["errors"]] == [
        ("code", "The code is wrong. Enter the code shown now.")
    ]
    spare = browser.put("/api/v1/session/totp", {"code": _codes(secret)[1]}, format="json").json()
    assert len(spare["recovery_codes"]) == 10
    assert browser.post("/api/v1/session/totp").json()["code"] == "totp-set"

    assert (_sign_in().status_code, _sign_in().json()["code"]) == (403, "totp-required")
    assert _sign_in(totp="000000").json()["code"] == "totp-wrong"
    # The code that it was set up with is used up; the next is taken already.
    assert _sign_in(totp=_codes(secret)[0]).json()["code"] == "totp-wrong"
    code = _codes(secret)[2]
    assert _sign_in(totp=code).status_code == 200
    assert _sign_in(totp=code).json()["code"] == "totp-wrong"
    assert _sign_in(totp=spare["recovery_codes"][0]).status_code == 200
    assert _sign_in(totp=spare["recovery_codes"][0]).json()["code"] == "totp-wrong"

    assert browser.get("/api/v1/session/totp").json() == {"is_set": True, "recovery_codes_left": 9}

    drop = "/api/v1/session/totp/drop"
    for empty in ({}, {"code": ""}):
        assert browser.post(drop, empty, format="json").status_code == 400
    for code in ("000000", spare["recovery_codes"][0]):
        wrong = browser.post(drop, {"code": code}, format="json").json()
        assert (wrong["code"], [each["path"] for each in wrong["errors"]]) == ("totp-wrong", ["code"])
    assert browser.get("/api/v1/session/totp").json()["is_set"] is True
    assert browser.post(drop, {"code": spare["recovery_codes"][1]}, format="json").status_code == 204
    assert _sign_in().status_code == 200
    noted = LedgerEntry.objects.filter(action__startswith="session.second").order_by("id")
    assert [row.action for row in noted] == ["session.second_factor_set", "session.second_factor_dropped"]


def test_who_lost_the_second_factor_is_let_in_again_by_who_stands_above() -> None:
    for name, role in (("ann", "operator"), ("root", "admin"), ("mia", "operator")):
        make_account(name, role, password=PASSWORD)
    ann, root, mia = map(_signed_in, ("ann", "root", "mia"))
    secret = ann.post("/api/v1/session/totp").json()["secret"]
    assert ann.put("/api/v1/session/totp", {"code": _codes(secret)[1]}, format="json").status_code == 200
    assert _sign_in().json()["code"] == "totp-required"

    def let_in(who: APIClient, name: str) -> Any:
        return who.patch(f"/api/v1/access/accounts/{name}", {"lost_second_factor": True}, format="json")

    by_token = client_of("robot", "admin")
    assert (let_in(by_token, "ann").status_code, let_in(by_token, "ann").json()["code"]) == (
        403,
        "step-up-token",
    )
    assert let_in(mia, "ann").json()["code"] == "denied"
    assert let_in(root, "root").json()["code"] == "own-account"
    assert let_in(root, "mia").json()["code"] == "no-second-factor"
    assert let_in(root, "nobody").json()["code"] == "account"
    for nothing in ({}, {"lost_second_factor": False}):
        unchanged = root.patch("/api/v1/access/accounts/ann", nothing, format="json")
        assert (unchanged.status_code, unchanged.json()["code"]) == (400, "nothing-to-change")
    assert _sign_in().json()["code"] == "totp-required"
    assert ann.get("/api/v1/session").json()["account"]["name"] == "ann"

    assert let_in(root, "ann").status_code == 200
    assert ann.get("/api/v1/session").json()["account"] is None
    assert _sign_in().status_code == 200
    noted = LedgerEntry.objects.get(action="access.second_factors_taken")
    assert (noted.actor, noted.target, noted.before) == (
        "root",
        "ann",
        {"factors": ["recovery_codes", "totp"]},
    )


def test_a_changed_password_ends_every_other_session() -> None:
    make_account("ann", "viewer", password=PASSWORD)
    account = Account.objects.get(username="ann")
    here, there = APIClient(), APIClient()
    for browser in (here, there):
        browser.force_login(account, "django.contrib.auth.backends.ModelBackend")
    new = "four score and seven years"

    def change(current: str, to: str) -> Any:
        return here.put("/api/v1/session/password", {"current": current, "new": to}, format="json")

    assert change("wrong", new).json()["code"] == "sign-in"
    assert change(PASSWORD, "short").json()["errors"][0]["path"] == "password"
    assert change(PASSWORD, new).status_code == 204
    assert here.get("/api/v1/session").json()["account"]["name"] == "ann"
    assert there.get("/api/v1/session").json()["account"] is None
    assert (_sign_in().json()["code"], _sign_in(password=new).status_code) == ("sign-in", 200)

    make_account("root", "admin")
    root = APIClient()
    root.force_login(Account.objects.get(username="root"), "django.contrib.auth.backends.ModelBackend")
    body = {"password": "a new beginning for ann", "active": True}
    assert root.patch("/api/v1/access/accounts/ann", body, format="json").json()["roles"] == ["viewer"]
    assert here.get("/api/v1/session").json()["account"] is None
    assert root.patch("/api/v1/access/accounts/nobody", body, format="json").status_code == 404
    assert LedgerEntry.objects.filter(action="session.password").count() == 2


def test_an_account_is_changed_as_a_whole_or_not_at_all() -> None:
    make_account("ann", "viewer", password=PASSWORD)
    make_account("root", "admin")
    root = APIClient()
    root.force_login(Account.objects.get(username="root"), "django.contrib.auth.backends.ModelBackend")
    body = {"password": "a new beginning for ann", "lost_second_factor": True, "active": False}
    refused = root.patch("/api/v1/access/accounts/ann", body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "no-second-factor")
    assert _sign_in().status_code == 200
    assert not LedgerEntry.objects.filter(action="session.password").exists()


def test_a_token_cannot_set_up_a_second_factor() -> None:
    refused = client_of("ann", "admin").post("/api/v1/session/totp")
    assert (refused.status_code, refused.json()["code"]) == (403, "needs-session")


OFFERED = """
import django
django.setup()
from django.conf import settings
(app,) = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
print(app["client_id"], app["secret"], app["settings"]["server_url"])
print([each["url"] for each in settings.SIGN_IN_PROVIDERS])
"""


def test_three_variables_turn_single_sign_on_on() -> None:
    environment = os.environ | {
        "SWITCHYARD_OIDC_ISSUER": "https://id.example.com",
        "SWITCHYARD_OIDC_CLIENT": "console",
        "SWITCHYARD_OIDC_SECRET": "s",
        "DJANGO_SETTINGS_MODULE": "console.settings",
    }
    told = subprocess.run(
        [sys.executable, "-c", OFFERED], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == [
        "console s https://id.example.com",
        "['/accounts/oidc/sso/login/']",
    ]


@pytest.fixture
def provider(settings: LazySettings) -> Iterator[Provider]:
    with identity_provider() as running:
        providers = deepcopy(settings.SOCIALACCOUNT_PROVIDERS)
        providers["openid_connect"]["APPS"] = [
            {
                "provider_id": "sso",
                "name": "Single sign-on",
                "client_id": "switchyard",
                "secret": "s",
                "settings": {"server_url": running.url, "oauth_pkce_enabled": True},
            }
        ]
        settings.SOCIALACCOUNT_PROVIDERS = providers
        yield running


def _come_back(browser: Client, **query: str) -> Any:
    there = browser.get("/accounts/oidc/sso/login/")
    assert there.status_code == 302
    state = parse_qs(urlsplit(there["Location"]).query)["state"][0]
    return browser.get("/accounts/oidc/sso/login/callback/", {"state": state, **query})


def test_whom_the_provider_vouches_for_gets_an_account_and_roles_by_groups(provider: Provider) -> None:
    bind_role(FOUNDER, NewBinding("group", "sre", "operator"))
    provider.claims = {
        "sub": "1",
        "preferred_username": "olga",
        "email": "olga@example.com",
        "groups": ["sre"],
    }
    browser = Client()
    answer = _come_back(browser, code="the-code")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    account = browser.get("/api/v1/session").json()["account"]
    assert (account["name"], account["roles"]) == ("olga", ["operator"])
    noted = LedgerEntry.objects.get(action="session.sign_in")
    assert (noted.actor, noted.outcome, noted.reason) == ("olga", "done", "by single sign-on")

    provider.claims["groups"] = []
    again = Client()
    _come_back(again, code="the-code")
    assert again.get("/api/v1/session").json()["account"]["roles"] == []
    assert browser.get("/api/v1/overview").status_code == 403
    assert Account.objects.count() == 1


def test_a_name_that_is_taken_is_not_taken_over(provider: Provider) -> None:
    make_account("root", "admin")
    provider.claims = {"sub": "2", "preferred_username": "root", "email": "root@example.com"}
    browser = Client()
    _come_back(browser, code="the-code")
    account = browser.get("/api/v1/session").json()["account"]
    assert account["name"] != "root"
    assert account["roles"] == []


def test_what_the_provider_refuses_ends_at_the_sign_in_page(provider: Provider) -> None:
    browser = Client()
    assert _come_back(browser, code="wrong")["Location"] == "/?sign_in=failed"
    cancelled = _come_back(browser, error="access_denied")
    assert cancelled["Location"] in {"/accounts/socialaccount_login_cancelled", "/?sign_in=failed"}
    forged = browser.get("/accounts/oidc/sso/login/callback/", {"state": "x", "code": "the-code"})
    assert forged.status_code == 302
    assert browser.get("/api/v1/session").json()["account"] is None
    assert Account.objects.count() == 0
