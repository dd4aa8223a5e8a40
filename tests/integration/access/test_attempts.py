"""Guessing passwords and tokens: no way to empty the counts, and no way to keep a person or a good token out."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.repository.attempts import KEPT, begin_attempt, forget_attempts
from migrations_app.control.access.sign_in.attempts import OF_ACCOUNT, OF_ADDRESS, sign_in_attempt
from migrations_app.control.access.sign_in.known_browsers import COOKIE
from migrations_app.kernel.errors import Busy, Denied
from migrations_app.models.access import FailedAttempts
from migrations_app.models.ledger import LedgerEntry
from migrations_app.web.callers import network_of
from tests.factories.access import PASSWORD, client_of, make_account
from tests.processes import Children

WRONG = "wrong"


def sign_in(browser: APIClient, password: str = WRONG, name: str = "ann", **headers: str) -> Any:
    body = {"username": name, "password": password}
    return browser.post("/api/v1/session", body, format="json", **headers)


def guess(name: str, address: str) -> None:
    """Try a wrong password without the time that hashing one takes."""
    with suppress(Denied, Busy), sign_in_attempt(name, address, ""):
        raise Denied("wrong", code="sign-in")


def pass_time(**how: float) -> None:
    """Let every wait and failure lie further back."""
    by = timedelta(**how)
    for row in FailedAttempts.objects.all():
        FailedAttempts.objects.filter(pk=row.pk).update(
            blocked_until=row.blocked_until - by if row.blocked_until else None,
            failed_at=row.failed_at - by if row.failed_at else None,
        )


@pytest.fixture
def ann(db: None, settings: LazySettings) -> str:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, sign_ins_per_minute=100_000)
    make_account("ann", "viewer", password=PASSWORD)
    return "ann"


def lock(name: str = "ann") -> None:
    for number in range(OF_ACCOUNT.free):
        guess(name, f"203.0.113.{number}")


def test_guesses_from_many_addresses_are_counted_for_the_account(ann: str) -> None:
    codes = [
        sign_in(
            APIClient(REMOTE_ADDR=f"10.0.0.{number}"), HTTP_X_FORWARDED_FOR=f"198.51.100.{number}"
        ).status_code
        for number in range(7)
    ]
    assert codes == [403] * 5 + [429] * 2
    refused = sign_in(APIClient(REMOTE_ADDR="10.9.9.9"), PASSWORD)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
    assert 0 < int(refused["Retry-After"]) <= 60


@pytest.mark.parametrize("typed", ["ANN", " ann", "\uff41\uff4e\uff4e"])
def test_another_spelling_of_the_name_is_the_same_name(ann: str, typed: str) -> None:
    lock()
    assert sign_in(APIClient(), name=typed).status_code == 429


def test_other_names_and_emptied_caches_open_no_lock(ann: str) -> None:
    lock()
    # The guesses may take longer than a lock lasts.
    pass_time(minutes=-10)
    for number in range(400):
        guess(f"name-{number}", f"192.0.2.{number % 250}")
    cache.clear()
    assert forget_attempts(10_000) == 0
    assert sign_in(APIClient(REMOTE_ADDR="10.9.9.9"), PASSWORD).status_code == 429


def test_a_name_without_an_account_is_locked_as_well(ann: str) -> None:
    for name in ("ann", "nobody"):
        lock(name)
    told = [sign_in(APIClient(), name=name) for name in ("ann", "nobody")]
    assert [each.status_code for each in told] == [429, 429]
    said = [re.sub(r"\d+ s", "… s", each.json()["detail"]) for each in told]
    assert said[0] == said[1]
    assert all(50 <= int(each["Retry-After"]) <= 60 for each in told)


def test_waits_grow_and_end_with_the_right_password(ann: str) -> None:
    lock()
    for wait in (60, 120, 240):
        refused = sign_in(APIClient(), PASSWORD)
        assert (refused.status_code, int(refused["Retry-After"])) == (429, wait)
        pass_time(seconds=wait)
        guess("ann", "10.0.0.1")
    pass_time(seconds=480)
    assert sign_in(APIClient(), PASSWORD).status_code == 200
    guess("ann", "10.0.0.1")
    assert sign_in(APIClient(), PASSWORD).status_code == 200


def test_guesses_at_many_names_are_counted_for_the_address_whatever_signs_in_there(ann: str) -> None:
    for number in range(OF_ADDRESS.free - 1):
        guess(f"name-{number}", "10.1.1.1")
    assert sign_in(APIClient(REMOTE_ADDR="10.1.1.1"), PASSWORD).status_code == 200
    guess("one-more", "10.1.1.1")
    assert sign_in(APIClient(REMOTE_ADDR="10.1.1.1"), PASSWORD).status_code == 429
    assert sign_in(APIClient(REMOTE_ADDR="10.1.1.2"), PASSWORD).status_code == 200


def test_who_signed_in_there_before_is_not_kept_out_by_guesses_from_elsewhere(ann: str) -> None:
    known = APIClient(REMOTE_ADDR="10.1.1.1")
    assert sign_in(known, PASSWORD).status_code == 200
    kept = known.cookies[COOKIE]
    assert (kept["httponly"], kept["samesite"], kept["path"]) == (True, "Strict", "/api/v1/session")
    assert "ann" not in kept.value
    known.delete("/api/v1/session")
    lock()
    for number in range(OF_ADDRESS.free):
        guess(f"name-{number}", "10.1.1.1")
    assert sign_in(APIClient(REMOTE_ADDR="10.1.1.1"), PASSWORD).status_code == 429
    assert sign_in(known, PASSWORD).status_code == 200
    assert sign_in(APIClient(REMOTE_ADDR="10.2.2.2"), PASSWORD).status_code == 429


def test_a_known_browser_has_guesses_of_its_own_and_no_more(ann: str) -> None:
    known = APIClient()
    assert sign_in(known, PASSWORD).status_code == 200
    assert [sign_in(known).status_code for _ in range(6)] == [403] * 5 + [429]
    assert sign_in(APIClient(), PASSWORD).status_code == 200


def test_a_browser_is_known_for_the_accounts_that_signed_in_there_alone(ann: str) -> None:
    make_account("mallory", "viewer", password=PASSWORD)
    browser = APIClient()
    assert sign_in(browser, PASSWORD, "mallory").status_code == 200
    lock()
    assert sign_in(browser, PASSWORD).status_code == 429
    for forged in ("", "x", "eyJpZCI6ICJ4In0:1abc:2def", browser.cookies[COOKIE].value[:-1] + "A"):
        stranger = APIClient()
        stranger.cookies[COOKIE] = forged
        assert sign_in(stranger, PASSWORD).status_code == 429


def test_passwords_are_counted_by_address_before_any_is_hashed(
    ann: str, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, sign_ins_per_minute=3)
    hashed: list[str] = []
    monkeypatch.setattr(
        "migrations_app.control.access.sign_in.password_hashing.BoundedArgon2Hasher.verify",
        lambda self, password, encoded: bool(hashed.append(password)),
    )
    answers = [sign_in(APIClient(REMOTE_ADDR="10.3.3.3")) for _ in range(20)]
    assert [each.status_code for each in answers] == [403] * 3 + [429] * 17
    assert (len(hashed), 0 < int(answers[-1]["Retry-After"]) <= 60) == (3, True)
    assert sign_in(APIClient(REMOTE_ADDR="10.3.3.4")).status_code == 403
    assert LedgerEntry.objects.filter(action="session.sign_in", outcome="denied").count() == 4


@pytest.mark.django_db(transaction=True)
def test_forty_guesses_at_once_are_five() -> None:
    def begin(_: int) -> bool:
        try:
            begin_attempt(OF_ACCOUNT, "ann")
        except Busy:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as guessing:
        admitted = list(guessing.map(begin, range(40)))
    assert sum(admitted) == OF_ACCOUNT.free


def test_two_processes_and_any_header_count_as_one(children: Children) -> None:
    make_account("ann", "viewer", password=PASSWORD)
    webs = [children.start_web(name) for name in ("web-a", "web-b")]

    def attempt(number: int, password: str = WRONG) -> int:
        with httpx.Client(base_url=webs[number % 2]) as http:
            token = http.get("/api/v1/session").json()["csrf_token"]
            headers = {"X-CSRFToken": token, "X-Forwarded-For": f"198.51.100.{number}"}
            body = {"username": "ann", "password": password}
            return http.post("/api/v1/session", json=body, headers=headers).status_code

    assert [attempt(number) for number in range(7)] == [403] * 5 + [429] * 2
    assert [attempt(number, PASSWORD) for number in (8, 9)] == [429, 429]
    left = [int(httpx.get(f"{web}/api/v1/session").headers["RateLimit-Remaining"]) for web in webs]
    assert left[0] - left[1] == 1


def test_rows_are_forgotten_when_no_limit_remembers_them(ann: str) -> None:
    lock()
    FailedAttempts.objects.update(changed_at=timezone.now() - KEPT)
    lock("bob")
    assert forget_attempts(1_000) == 1
    assert FailedAttempts.objects.count() == OF_ACCOUNT.free + 1


def test_a_good_token_is_never_kept_out_by_bad_ones(db: None) -> None:
    good = client_of("ann", "viewer")
    bad = APIClient(HTTP_AUTHORIZATION="Bearer swy_nonsense")
    codes = [bad.get("/api/v1/overview").status_code for _ in range(40)]
    assert codes == [401] * 30 + [429] * 10
    assert good.get("/api/v1/overview").status_code == 200
    assert good.get("/metrics").status_code == 200
    assert bad.get("/metrics").status_code == 429
    assert (
        APIClient(REMOTE_ADDR="10.0.0.1", HTTP_AUTHORIZATION="Bearer x").get("/api/v1/overview").status_code
        == 401
    )


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("", ""),
    ],
)
def test_one_subscriber_of_ipv6_is_one_address(address: str, network: str) -> None:
    assert network_of(address) == network
