"""Sessions, tokens, access, health and operations over HTTP."""

from __future__ import annotations

import logging
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.control.operations.repository.operations import end_operation
from migrations_app.domain.access import Target
from migrations_app.models.access import Account, RoleBinding, Token
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.operations import Operation
from migrations_app.web.throttles import PerActor
from tests.factories.access import PASSWORD, client_of, make_account, token_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_attempts() -> None:
    cache.clear()


def _browser() -> tuple[APIClient, str]:
    browser = APIClient(enforce_csrf_checks=True)
    return browser, browser.get("/api/v1/session").json()["csrf_token"]


def _sign_in(browser: APIClient, csrf: str, password: str = PASSWORD) -> object:
    return browser.post(
        "/api/v1/session", {"username": "ann", "password": password}, format="json", HTTP_X_CSRFTOKEN=csrf
    )


def test_a_session_begins_without_an_account_and_has_what_a_page_needs() -> None:
    answer = APIClient().get("/api/v1/session")
    assert answer.status_code == 200
    assert answer.json()["account"] is None
    assert set(answer.json()) == {
        "account",
        "csrf_token",
        "server_time",
        "environment",
        "emergency",
        "local_sign_in",
        "passkey_host",
        "session_limits",
        "version",
        "providers",
    }


def test_signing_in_and_out_is_noted() -> None:
    make_account("ann", "operator", password=PASSWORD)
    browser, csrf = _browser()
    signed_in = _sign_in(browser, csrf)
    assert signed_in.status_code == 200
    account = signed_in.json()["account"]
    assert (account["name"], account["roles"]) == ("ann", ["operator"])
    assert "upgrade.switch" in account["permissions"]
    csrf = signed_in.json()["csrf_token"]
    assert browser.get("/api/v1/session").json()["account"]["name"] == "ann"
    assert browser.delete("/api/v1/session", HTTP_X_CSRFTOKEN=csrf).status_code == 204
    assert browser.get("/api/v1/session").json()["account"] is None
    noted = LedgerEntry.objects.filter(action__startswith="session").order_by("id")
    assert [(row.action, row.outcome) for row in noted] == [
        ("session.sign_in", "done"),
        ("session.sign_out", "done"),
    ]


def test_a_wrong_password_is_refused_noted_and_in_the_end_slowed_down() -> None:
    make_account("ann", "operator", password=PASSWORD)
    browser, csrf = _browser()
    answers = [_sign_in(browser, csrf, "wrong") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [403] * 5 + [429]
    assert answers[0].json()["code"] == "sign-in"
    assert int(answers[-1]["Retry-After"]) == 60
    assert LedgerEntry.objects.filter(action="session.sign_in", outcome="denied").count() == 5
    assert _sign_in(browser, csrf).status_code == 429


def test_a_forged_request_is_refused() -> None:
    make_account("ann", "admin", password=PASSWORD)
    browser, csrf = _browser()
    assert _sign_in(browser, "").json()["code"] == "csrf"
    assert _sign_in(browser, csrf).status_code == 200
    refused = browser.post("/api/v1/tokens", {"name": "x"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    assert Token.objects.count() == 0


def test_a_closed_account_is_out_at_once() -> None:
    client = client_of("ann", "viewer")
    assert client.get("/api/v1/overview").status_code == 200
    Account.objects.update(is_active=False)
    assert client.get("/api/v1/overview").status_code == 401


def test_a_token_acts_within_its_scopes_and_is_shown_once() -> None:
    client = client_of("ann", "operator", scopes=("token.own", "fleet.read"))
    made = client.post(
        "/api/v1/tokens", {"name": "ci", "scopes": ["fleet.read"], "networks": ["10.0.0.0/8"]}, format="json"
    )
    assert made.status_code == 201
    assert made.json()["secret"].startswith("swy_")
    listed = client.get("/api/v1/tokens").json()["items"]
    assert {item["name"] for item in listed} == {"ci", "test"}
    assert all("secret" not in item for item in listed)
    wider = client.post("/api/v1/tokens", {"name": "x", "scopes": ["upgrade.plan"]}, format="json")
    assert (wider.status_code, wider.json()["code"]) == (400, "scope")
    outside = APIClient(HTTP_AUTHORIZATION=f"Bearer {made.json()['secret']}")
    refused = outside.get("/api/v1/overview")
    assert (refused.status_code, refused.json()["detail"]) == (
        401,
        "This token may not be used from 127.0.0.1.",
    )
    within = APIClient(HTTP_AUTHORIZATION=f"Bearer {made.json()['secret']}", REMOTE_ADDR="10.1.2.3")
    assert within.get("/api/v1/overview").status_code == 200
    assert within.get("/api/v1/health").status_code == 403


def test_revoked_and_expired_tokens_say_why() -> None:
    client = client_of("ann", "viewer")
    other = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('ann')}")
    mine = Token.objects.order_by("created_at").last()
    assert client.delete(f"/api/v1/tokens/{mine.id}").status_code == 200
    refused = other.get("/api/v1/overview")
    assert (refused.status_code, refused.json()["detail"]) == (401, "This token was revoked.")
    Token.objects.update(revoked_at=None, expires_at=datetime.now(UTC) - timedelta(days=1))
    assert "expired at" in other.get("/api/v1/overview").json()["detail"]
    assert other.get("/api/v1/overview")["WWW-Authenticate"] == 'Bearer realm="switchyard"'


def test_guessing_tokens_is_slowed_down() -> None:
    guesser = APIClient(HTTP_AUTHORIZATION="Bearer swy_nonsense")
    codes = [guesser.get("/api/v1/overview").status_code for _ in range(31)]
    assert codes == [401] * 30 + [429]


def test_too_many_requests_of_one_account_wait_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PerActor, "most", 3)
    ann, bob = client_of("ann", "viewer"), client_of("bob", "viewer")
    answers = [ann.get("/api/v1/overview") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert {answer["RateLimit-Limit"] for answer in answers} == {"3"}
    assert 0 < int(answers[-1]["RateLimit-Reset"]) <= 60
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert answers[-1].json()["code"] == "too-many-requests"
    assert bob.get("/api/v1/overview").status_code == 200


def test_an_address_that_a_caller_writes_into_a_header_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PerActor, "most", 3)
    codes = [
        APIClient().get("/api/v1/session", headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code
        for number in range(4)
    ]
    assert codes == [200, 200, 200, 429]


def test_roles_are_given_explained_and_taken_away() -> None:
    admin = client_of("root", "admin")
    make_account("ann")
    new = {"subject": "ann", "role": "operator", "service": "secrets.*"}
    bound = admin.post("/api/v1/access/bindings", new, format="json")
    assert bound.status_code == 201
    asked = {
        "account": "ann",
        "action": "upgrade.switch",
        "service": "billing.example.com",
        "target_kind": "upgrade",
    }
    told = admin.post("/api/v1/access/explain", asked, format="json").json()
    assert (told["allowed"], told["bindings"]) == (False, ["operator of secrets.* @ *"])
    told = admin.post("/api/v1/access/explain", {**asked, "service": "secrets.x"}, format="json").json()
    assert (told["allowed"], told["reason"]) == (True, "Allowed as operator of secrets.* @ *.")
    place, tag = f"/api/v1/access/bindings/{bound.json()['id']}", {"If-Match": f'"{bound.json()["tag"]}"'}
    assert admin.get(place)["ETag"] == tag["If-Match"]
    assert admin.put(place, {"service": "secrets.*"}, format="json").status_code == 428
    wider = {"service": "secrets.*", "region": "eu-*"}
    assert admin.put(f"{place}?dry_run=true", wider, format="json", headers=tag).json()["region"] == "eu-*"
    moved = admin.put(place, wider, format="json", headers=tag)
    assert (moved.status_code, RoleBinding.objects.get(subject="ann").region) == (200, "eu-*")
    stale = admin.delete(place, headers=tag)
    assert (stale.status_code, stale.json()["code"]) == (412, "binding-changed")
    assert stale.json()["current"]["region"] == "eu-*"
    noted = LedgerEntry.objects.get(action="access.rebind")
    at = noted.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert stale.json()["changed"] == {"who": "root", "at": at, "what": "access.rebind"}
    assert (noted.before["region"], noted.after["region"]) == ("*", "eu-*")
    assert admin.delete(place, headers={"If-Match": moved["ETag"]}).status_code == 204
    assert not RoleBinding.objects.filter(subject="ann").exists()
    last = RoleBinding.objects.get(role="admin")
    place = f"/api/v1/access/bindings/{last.pk}"
    tag = {"If-Match": admin.get(place)["ETag"]}
    for refused in (
        admin.delete(place, headers=tag),
        admin.put(place, {"region": "eu-1"}, format="json", headers=tag),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "last-admin")


def test_who_may_not_is_told_who_can_and_the_attempt_is_noted() -> None:
    viewer = client_of("vera", "viewer")
    refused = viewer.post("/api/v1/access/accounts", {"name": "eve"}, format="json")
    problem = refused.json()
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    assert (problem["code"], problem["who_can"], problem["status"]) == ("denied", ["admin"], 403)
    assert problem["permission"] == "access.manage"
    assert problem["request_id"] == refused["X-Request-ID"]
    assert not Account.objects.filter(username="eve").exists()
    noted = LedgerEntry.objects.get(outcome="denied")
    assert (noted.actor, noted.action, noted.request_id) == ("vera", "access.manage", problem["request_id"])


def test_unknown_fields_and_broken_json_are_named() -> None:
    admin = client_of("root", "admin")
    wrong = admin.post("/api/v1/access/accounts", {"name": "eve", "rolle": "admin"}, format="json").json()
    assert [(each["path"], each["message"]) for each in wrong["errors"]] == [
        ("rolle", "There is no such field.")
    ]
    broken = admin.post("/api/v1/access/accounts", b"{", content_type="application/json")
    assert (broken.status_code, broken.json()["code"]) == (400, "json-syntax")
    assert admin.get("/api/v1/nowhere").json()["code"] == "missing"
    assert admin.put("/api/v1/overview").json()["code"] == "method-not-allowed"


def test_a_dry_run_changes_nothing_and_is_noted() -> None:
    admin = client_of("root", "admin")
    before = LedgerEntry.objects.count()
    answer = admin.post("/api/v1/access/accounts?dry_run=true", {"name": "eve"}, format="json")
    assert (answer.status_code, answer.json()["name"]) == (201, "eve")
    assert (Account.objects.filter(username="eve").count(), LedgerEntry.objects.count()) == (0, before + 1)
    noted = LedgerEntry.objects.latest("id")
    assert (noted.actor, noted.action, noted.outcome) == ("root", "access.manage", "dry_run")


def test_a_repeated_request_gets_the_first_answer_and_happens_once() -> None:
    admin = client_of("root", "admin")
    key = {"HTTP_IDEMPOTENCY_KEY": "7c1"}
    first = admin.post("/api/v1/access/accounts", {"name": "eve"}, format="json", **key)
    again = admin.post("/api/v1/access/accounts", {"name": "eve"}, format="json", **key)
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert ("Idempotency-Replayed" in first, again["Idempotency-Replayed"]) == (False, "true")
    other = admin.post("/api/v1/access/accounts", {"name": "bob"}, format="json", **key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    refused = admin.post("/api/v1/access/accounts", {"name": "eve"}, format="json", HTTP_IDEMPOTENCY_KEY="2")
    assert (refused.status_code, refused.json()["code"]) == (409, "account-exists")
    assert not Account.objects.filter(username="bob").exists()


def test_operations_are_followed_with_etags() -> None:
    actor = make_account("ann", "viewer")
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('ann')}")
    begun = begin_operation(actor, "import", Target("service", "secrets"))
    first = client.get(f"/api/v1/operations/{begun['id']}")
    assert (first.json()["state"], first["ETag"]) == ("running", '"1"')
    assert client.get(f"/api/v1/operations/{begun['id']}", HTTP_IF_NONE_MATCH='"1"').status_code == 304
    end_operation(str(begun["id"]), "Three came in.", failed=False, more={"imported": 3})
    end_operation(str(begun["id"]), "Four came in.", failed=True)
    second = client.get(f"/api/v1/operations/{begun['id']}")
    assert (second.json()["state"], second.json()["result"], second["ETag"]) == (
        "done",
        {"sentence": "Three came in.", "imported": 3},
        '"2"',
    )
    assert client.get(f"/api/v1/operations/{uuid.uuid4()}").status_code == 404


def test_an_operation_is_found_by_the_request_that_began_it_and_the_log_names_that_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    actor = replace(make_account("ann", "viewer"), request_id="ask-1")
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('ann')}")
    with caplog.at_level(logging.INFO):
        begun = begin_operation(actor, "import", Target("service", "secrets"))
        begin_operation(replace(actor, request_id="ask-2"), "import", Target("service", "accounts"))
        end_operation(str(begun["id"]), "All is in.", failed=False)
    found = client.get("/api/v1/operations", {"request_id": "ask-1"}, HTTP_X_REQUEST_ID="look-1")
    assert [(each["id"], each["request_id"]) for each in found.json()["items"]] == [(begun["id"], "ask-1")]
    assert found["X-Request-ID"] == "look-1"
    assert [each.getMessage() for each in caplog.records if "of request ask-1" in each.getMessage()] == [
        f"import of service/secrets began as operation {begun['id']} of request ask-1",
        f"operation {begun['id']} of request ask-1 ended done: All is in.",
    ]
    running = client.get("/api/v1/operations", {"state": "running"}).json()["items"]
    assert [each["request_id"] for each in running] == ["ask-2"]


def test_operations_are_paged_from_the_newest_to_the_oldest() -> None:
    actor = make_account("ann", "viewer")
    client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('ann')}")
    begun = [str(begin_operation(actor, "import", Target("service", f"s{n}"))["id"]) for n in range(5)]
    begin_operation(actor, "export", Target("service", "s0"))
    # Of two that began at one instant, each comes once.
    Operation.objects.filter(pk__in=begun[:2]).update(created_at=timezone.now() - timedelta(hours=1))

    asked: dict[str, object] = {"kind": "import", "limit": 2}
    pages = [client.get("/api/v1/operations", asked).json()]
    while pages[-1]["has_more"]:
        pages.append(client.get("/api/v1/operations", asked | {"cursor": pages[-1]["next_cursor"]}).json())

    assert [len(page["items"]) for page in pages] == [2, 2, 1]
    seen = [each["id"] for page in pages for each in page["items"]]
    assert (seen[:3], sorted(seen[3:])) == (begun[:1:-1], sorted(begun[:2]))
    foreign = client.get("/api/v1/operations", {"kind": "export", "cursor": pages[0]["next_cursor"]})
    assert (foreign.status_code, foreign.json()["code"]) == (400, "cursor")


def test_a_body_that_is_too_large_is_refused_as_that() -> None:
    olga = client_of("olga", "operator")
    answer = olga.post("/api/v1/upgrades", {"comment": "x" * 3_000_000}, format="json")
    assert answer.status_code == 413
    told = answer.json()
    assert [told["code"], told["detail"], told["remedy"]] == [
        "body-too-large",
        "The body is larger than 2621440 bytes. Send it in parts, or shorten its texts.",
        "Send it in parts, or shorten its texts.",
    ]
