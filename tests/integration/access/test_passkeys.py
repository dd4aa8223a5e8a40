"""Passkeys: added, named, removed, signed in with, and shown before a critical decision; and what is refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access import passkeys as adapter
from migrations_app.control.access.sign_in.proof import KEPT
from migrations_app.models.access import Account, SignIn
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import PASSWORD, client_of, make_account
from tests.factories.passkeys import HERE, Device, handle_of

pytestmark = pytest.mark.django_db
REASON = "The identity provider is down, and eu-1 has to roll back."


@pytest.fixture(autouse=True)
def _no_attempts() -> None:
    cache.clear()


def post(browser: APIClient, path: str, body: dict[str, Any] | None = None) -> Any:
    return browser.post(f"/api/v1/session{path}", body or {}, format="json")


def browser_of(name: str, *roles: str) -> APIClient:
    make_account(name, *roles, password=PASSWORD)
    browser = APIClient()
    assert post(browser, "", {"username": name, "password": PASSWORD}).status_code == 200
    return browser


def with_passkey(browser: APIClient, name: str = "Laptop") -> Device:
    device = Device()
    answer = device.make(post(browser, "/passkeys/ask").json())
    assert post(browser, "/passkeys", {"name": name, "answer": answer}).status_code == 201
    return device


def come_in(device: Device, browser: APIClient | None = None, reason: str = "", **how: Any) -> Any:
    browser = browser or APIClient()
    answer = device.show(post(browser, "/passkey/ask").json(), **how)
    return post(browser, "/passkey", {"answer": answer, "reason": reason})


def prove(device: Device, browser: APIClient, **how: Any) -> Any:
    return post(
        browser, "/passkey/proof", {"answer": device.show(post(browser, "/passkey/ask").json(), **how)}
    )


def long_ago(browser: APIClient) -> None:
    session = browser.session
    session[KEPT] = (timezone.now() - timedelta(minutes=6)).timestamp()
    session.save()


def is_proved(browser: APIClient) -> bool:
    kept = browser.session.get(KEPT, 0.0)
    return bool(timezone.now().timestamp() - kept < 300)


def noted(action: str) -> list[tuple[str, str, str]]:
    rows = LedgerEntry.objects.filter(action=action).order_by("id")
    return [(row.target, row.outcome, row.reason) for row in rows]


def test_a_passkey_is_added_named_listed_and_signs_in() -> None:
    browser, device = browser_of("ann", "viewer"), Device()
    asked = post(browser, "/passkeys/ask").json()
    assert asked["publicKey"]["rp"] == {"name": "Switchyard", "id": "localhost"}
    assert asked["publicKey"]["authenticatorSelection"]["userVerification"] == "required"
    added = post(browser, "/passkeys", {"name": "Laptop", "answer": device.make(asked)}).json()
    assert (added["name"], added["last_used_at"], len(added["recovery_codes"])) == ("Laptop", None, 10)
    again = post(browser, "/passkeys/ask").json()["publicKey"]["excludeCredentials"]
    assert [each["id"] for each in again] == [device.make(asked)["id"]]
    renamed = browser.put(f"/api/v1/session/passkeys/{added['id']}", {"name": "Old laptop"}, format="json")
    assert renamed.json()["name"] == "Old laptop"

    phone = APIClient(HTTP_USER_AGENT="Phone")
    assert come_in(device, phone).json()["account"]["name"] == "ann"
    assert phone.get("/api/v1/fleet").status_code == 200
    assert SignIn.objects.get(agent="Phone").how == "passkey"
    assert noted("session.sign_in") == [("ann", "done", ""), ("ann", "done", "by passkey")]
    (listed,) = browser.get("/api/v1/session/passkeys").json()["items"]
    assert (listed["name"], listed["last_used_at"] is not None) == ("Old laptop", True)
    assert set(listed) == {"id", "name", "created_at", "last_used_at"}
    assert noted("session.passkey_added") == noted("session.passkey_named") == [("ann", "done", "")]


def test_with_a_passkey_the_password_alone_does_not_sign_in() -> None:
    browser = browser_of("ann", "viewer")
    device = Device()
    answer = device.make(post(browser, "/passkeys/ask").json())
    codes = post(browser, "/passkeys", {"name": "Laptop", "answer": answer}).json()["recovery_codes"]
    given = {"username": "ann", "password": PASSWORD}
    assert post(APIClient(), "", given).json()["code"] == "passkey-required"
    assert post(APIClient(), "", given | {"totp": "00000000"}).json()["code"] == "totp-wrong"
    assert post(APIClient(), "", given | {"totp": codes[0]}).status_code == 200
    assert post(browser, "/proof", {"password": PASSWORD}).json()["code"] == "passkey-required"
    second = Device()
    answer = second.make(post(browser, "/passkeys/ask").json())
    again = post(browser, "/passkeys", {"name": "Phone", "answer": answer}).json()
    assert again["recovery_codes"] == []


def test_removing_a_passkey_needs_a_passkey_or_a_code_shown_now() -> None:
    browser = browser_of("ann", "viewer")
    device, thief = Device(), Device()
    answer = device.make(post(browser, "/passkeys/ask").json())
    added = post(browser, "/passkeys", {"name": "Laptop", "answer": answer}).json()
    remove = f"/passkeys/{added['id']}/remove"
    assert post(browser, remove).json()["code"] == "passkey-required"
    refused = post(browser, remove, {"code": "00000000"}).json()
    assert (refused["code"], [each["path"] for each in refused["errors"]]) == ("totp-wrong", ["code"])
    wrong = thief.show(post(browser, "/passkey/ask").json(), owner=device.owner)
    assert post(browser, remove, {"answer": wrong}).json()["code"] == "passkey-wrong"
    assert len(browser.get("/api/v1/session/passkeys").json()["items"]) == 1
    right = device.show(post(browser, "/passkey/ask").json())
    assert post(browser, remove, {"answer": right}).status_code == 204
    assert browser.get("/api/v1/session/passkeys").json()["items"] == []
    assert post(APIClient(), "", {"username": "ann", "password": PASSWORD}).status_code == 200
    assert come_in(device).json()["code"] == "passkey-wrong"
    assert noted("session.passkey_removed") == [("ann", "done", "")]


def test_guessing_codes_to_remove_a_passkey_ends_after_five() -> None:
    browser = browser_of("ann", "viewer")
    with_passkey(browser)
    (row,) = browser.get("/api/v1/session/passkeys").json()["items"]
    remove = f"/passkeys/{row['id']}/remove"
    said = [post(browser, remove, {"code": f"{n:08}"}).json() for n in range(6)]
    assert [each["code"] for each in said] == ["totp-wrong"] * 5 + ["too-many-requests"]
    assert said[-1]["detail"] == "Too many attempts; try again in 60 seconds."


def test_a_passkey_shows_who_is_there_for_five_minutes_in_its_session_alone() -> None:
    browser = browser_of("ann", "viewer")
    device = with_passkey(browser)
    elsewhere = APIClient()
    assert come_in(device, elsewhere).status_code == 200
    for each in (browser, elsewhere):
        long_ago(each)
    assert post(browser, "/passkeys/ask").json()["code"] == "step-up"
    assert prove(device, browser).status_code == 204
    assert (is_proved(browser), is_proved(elsewhere)) == (True, False)
    assert post(browser, "/passkeys/ask").status_code == 200
    assert noted("session.prove") == [("ann", "done", "by passkey Laptop")]
    long_ago(browser)
    assert post(browser, "/passkeys/ask").json()["code"] == "step-up"


def test_no_wrong_answer_proves_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, other = browser_of("ann", "viewer"), browser_of("bob", "viewer")
    device, bobs = with_passkey(browser), with_passkey(other)
    long_ago(browser)
    before = post(browser, "/passkey/ask").json()
    refused = [
        # An answer to what was asked before, and then the right one to what was asked once already.
        lambda: (post(browser, "/passkey/ask"), device.show(before))[1],
        lambda: device.show(before),
        lambda: device.show(post(browser, "/passkey/ask").json(), origin="https://evil.example"),
        lambda: device.show(post(browser, "/passkey/ask").json(), origin=f"{HERE}.evil.example"),
        lambda: device.show(post(browser, "/passkey/ask").json(), verified=False),
        lambda: bobs.show(post(browser, "/passkey/ask").json()),
        lambda: bobs.show(post(browser, "/passkey/ask").json(), owner=device.owner),
        lambda: device.show(post(other, "/passkey/ask").json()),
        lambda: replace(device, counter=0).show(post(browser, "/passkey/ask").json()),
        lambda: (post(browser, "/passkey/ask"), {})[1],
        lambda: (post(browser, "/passkey/ask"), {"id": "x", "rawId": "x", "response": []})[1],
    ]
    answers = [post(browser, "/passkey/proof", {"answer": make()}) for make in refused]
    codes = [each.json()["code"] if each.content else each.status_code for each in answers]
    assert codes == [
        "passkey-wrong", "passkey-expired", *["passkey-wrong"] * 5, "passkey-expired", *["passkey-wrong"] * 3,
    ]  # fmt: skip
    assert not is_proved(browser)
    asked = post(browser, "/passkey/ask").json()
    monkeypatch.setattr(adapter, "LASTS_SECONDS", -1)
    late = post(browser, "/passkey/proof", {"answer": device.show(asked)})
    assert (late.json()["code"], is_proved(browser)) == ("passkey-expired", False)
    assert {outcome for _, outcome, _ in noted("session.prove")} == {"denied"}


def test_an_answer_counts_once() -> None:
    browser = browser_of("ann", "viewer")
    device = with_passkey(browser)
    answer = device.show(post(browser, "/passkey/ask").json())
    assert post(browser, "/passkey/proof", {"answer": answer}).status_code == 204
    long_ago(browser)
    assert post(browser, "/passkey/proof", {"answer": answer}).json()["code"] == "passkey-expired"
    post(browser, "/passkey/ask")
    assert post(browser, "/passkey/proof", {"answer": answer}).json()["code"] == "passkey-wrong"
    assert post(APIClient(), "/passkey", {"answer": answer}).json()["code"] == "passkey-expired"
    assert not is_proved(browser)


def test_what_was_asked_for_one_thing_answers_no_other() -> None:
    browser = browser_of("ann", "viewer")
    device = with_passkey(browser)
    new = post(browser, "/passkeys/ask").json()["publicKey"]
    answer = device.show({"publicKey": {"rpId": new["rp"]["id"], "challenge": new["challenge"]}})
    assert post(browser, "/passkey/proof", {"answer": answer}).json()["code"] == "passkey-expired"
    stranger = APIClient()
    theirs = post(stranger, "/passkey/ask").json()
    post(stranger, "", {"username": "ann", "password": PASSWORD})
    assert post(browser, "/passkey", {"answer": device.show(theirs)}).json()["code"] == "passkey-expired"


def test_a_passkey_signs_in_only_its_own_account() -> None:
    make_account("root", "admin", password=PASSWORD)
    device = with_passkey(browser_of("ann", "viewer"))
    browser = APIClient()
    root = handle_of(Account.objects.get(username="root").pk)
    for owner in (root, handle_of(10**9), "!", "eA"):
        assert come_in(device, browser, owner=owner).json()["code"] == "passkey-wrong"
    assert browser.get("/api/v1/session").json()["account"] is None
    assert [each for each in noted("session.sign_in") if each[1] == "denied"] == [
        ("", "denied", "The answer of the passkey is not valid.")
    ] * 4


def test_a_passkey_lets_no_closed_account_in_and_none_of_single_sign_on() -> None:
    device = with_passkey(browser_of("ann", "viewer"))
    account = Account.objects.get(username="ann")
    account.is_active = False
    account.save()
    browser = APIClient()
    assert come_in(device, browser).json()["code"] == "sign-in-closed"
    account.is_active = True
    account.set_unusable_password()
    account.save()
    assert come_in(device, browser).json()["code"] == "sign-in-sso"
    assert browser.get("/api/v1/session").json()["account"] is None
    assert [each[0] for each in noted("session.sign_in") if each[1] == "denied"] == ["ann", "ann"]


def test_where_local_sign_in_is_off_a_passkey_opens_nothing(settings: LazySettings) -> None:
    device = with_passkey(browser_of("ann", "viewer"))
    boss = with_passkey(browser_of("root", "admin"))
    settings.SWITCHYARD = replace(settings.SWITCHYARD, local_sign_in="off")
    assert come_in(device).json()["code"] == "sign-in-local"
    settings.SWITCHYARD = replace(settings.SWITCHYARD, local_sign_in="emergency")
    assert come_in(device, reason=REASON).json()["code"] == "sign-in-local"
    assert come_in(boss).json()["code"] == "break-glass"
    assert come_in(boss, reason=REASON).json()["emergency"]["reason"] == REASON


def test_the_public_address_says_where_passkeys_work(settings: LazySettings) -> None:
    browser = browser_of("ann", "viewer")
    assert browser.get("/api/v1/session").json()["passkey_host"] == "localhost"
    at = "https://switchyard.example.com"
    settings.SWITCHYARD = replace(settings.SWITCHYARD, public_url=f"{at}/")
    assert browser.get("/api/v1/session").json()["passkey_host"] == "switchyard.example.com"
    device = Device()
    for origin, status in (
        (HERE, 403),
        ("https://x.switchyard.example.com", 403),
        (f"{at}:8443", 403),
        (at, 201),
    ):
        answer = device.make(post(browser, "/passkeys/ask").json(), origin)
        assert post(browser, "/passkeys", {"name": "Key", "answer": answer}).status_code == status
    settings.SWITCHYARD = replace(settings.SWITCHYARD, public_url="https://10.0.0.1")
    assert browser.get("/api/v1/session").json()["passkey_host"] == ""
    assert post(APIClient(), "/passkey/ask").json()["code"] == "passkey-host"


def test_a_token_adds_no_passkey() -> None:
    refused = post(client_of("ann", "admin"), "/passkeys/ask")
    assert (refused.status_code, refused.json()["code"]) == (403, "needs-session")


def test_another_factor_is_added_by_who_is_there_and_keeps_the_spare_codes_hidden() -> None:
    browser = browser_of("ann", "viewer")
    with_passkey(browser)
    long_ago(browser)
    assert post(browser, "/totp").json()["code"] == "step-up"
