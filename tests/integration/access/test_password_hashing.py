"""How many passwords are hashed at once, and what a name that is not known costs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import argon2._password_hasher
import argon2.low_level
import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from rest_framework.test import APIClient

from migrations_app.control.access.sign_in import password_hashing
from migrations_app.control.access.sign_in.password_hashing import WAITING_PER_SLOT, HashSlots
from migrations_app.kernel.errors import Busy
from migrations_app.models.access import Account
from tests.factories.access import PASSWORD, make_account

SLOTS = 3
NEW = "four score and seven years"


class Library:
    """Counts the calls of Argon2 itself, and how many of them run at once."""

    def __init__(self) -> None:
        self.calls = self.running = self.most = 0
        self.started, self.hold = threading.Semaphore(0), threading.Event()
        self.hold.set()
        self._lock = threading.Lock()

    def counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap one of its functions."""

        def run(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                self.calls += 1
                self.running += 1
                self.most = max(self.most, self.running)
            self.started.release()
            self.hold.wait(timeout=60)
            try:
                return call(*args, **kwargs)
            finally:
                with self._lock:
                    self.running -= 1

        return run


@pytest.fixture(autouse=True)
def product_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash as the product does; other tests hash for less (`tests/recording/sitecustomize.py`)."""
    for name, value in password_hashing.BoundedArgon2Hasher.product_costs.items():
        monkeypatch.setattr(password_hashing.BoundedArgon2Hasher, name, value)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    counting = Library()
    for module, name in (
        (argon2.low_level, "hash_secret"),
        (argon2._password_hasher, "verify_secret"),
    ):
        monkeypatch.setattr(module, name, counting.counted(getattr(module, name)))
    yield counting
    counting.hold.set()


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> HashSlots:
    process = HashSlots(SLOTS, wait_seconds=60)
    monkeypatch.setattr(password_hashing, "hash_slots", lambda: process)
    return process


def test_forty_callers_hash_three_at_once_and_all_but_fifteen_are_refused(
    slots: HashSlots, library: Library
) -> None:
    encoded = Argon2PasswordHasher().encode(PASSWORD, "s" * 22)
    assert library.started.acquire(timeout=60)
    library.hold.clear()
    refused, answers = threading.Semaphore(0), []

    def check(number: int) -> None:
        try:
            answers.append(check_password(PASSWORD, encoded) if number % 2 else bool(make_password(PASSWORD)))
        except Busy:
            refused.release()

    admitted = SLOTS * (1 + WAITING_PER_SLOT)
    with ThreadPoolExecutor(40) as callers:
        for number in range(40):
            callers.submit(check, number)
        for _ in range(40 - admitted):
            assert refused.acquire(timeout=60)
        for _ in range(SLOTS):
            assert library.started.acquire(timeout=60)
        running = library.running
        library.hold.set()
    assert (running, library.most, answers) == (SLOTS, SLOTS, [True] * admitted)
    assert not refused.acquire(blocking=False)


def test_who_waits_too_long_is_refused_and_leaves_the_place_free() -> None:
    slots = HashSlots(1, wait_seconds=0.01)
    with slots.taken():
        for _ in range(20):
            with pytest.raises(Busy), slots.taken():
                raise AssertionError("a second one got in")
    with slots.taken():
        pass


def _open(name: str, password: str = "wrong") -> Any:
    body = {"username": name, "password": password}
    return APIClient().post("/api/v1/session", body, format="json")


@pytest.mark.django_db
def test_a_name_costs_one_hash_whether_it_is_known_closed_elsewhere_or_unknown(library: Library) -> None:
    make_account("ann", "viewer", password=PASSWORD)
    make_account("closed", "viewer", password=PASSWORD)
    make_account("sso", "viewer")
    Account.objects.filter(username="closed").update(is_active=False)
    cost, bodies = {}, []
    for name, password in (("ann", "wrong"), ("nobody", "wrong"), ("sso", "wrong"), ("closed", PASSWORD)):
        before = library.calls
        answer = _open(name, password)
        cost[name] = library.calls - before
        bodies.append((answer.status_code, answer.json()["code"], answer.json()["detail"]))
    assert cost == dict.fromkeys(("ann", "nobody", "sso", "closed"), 1)
    assert bodies == [(403, "sign-in", "The name or the password is wrong.")] * 4
    assert _open("ann", PASSWORD).status_code == 200


def test_a_hash_of_before_is_replaced_by_one_on_a_single_thread_at_the_next_sign_in() -> None:
    before = Argon2PasswordHasher()
    before.time_cost, before.memory_cost, before.parallelism = 2, 102_400, 8
    kept: list[str] = []

    def keep(password: str) -> None:
        kept.append(make_password(password))

    assert check_password(PASSWORD, before.encode(PASSWORD, "s" * 22), keep)
    assert [each.split("$")[1:4] for each in kept] == [["argon2id", "v=19", "m=65536,t=3,p=1"]]
    assert check_password(PASSWORD, kept[0], keep)
    assert len(kept) == 1


@pytest.mark.django_db
def test_every_address_that_hashes_waits_its_turn_and_says_when_to_try_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("root", "ann"):
        make_account(name, "admin", password=PASSWORD)
    browser = APIClient()
    browser.force_login(Account.objects.get(username="root"), "django.contrib.auth.backends.ModelBackend")
    before, calls = list(Account.objects.values_list("username", "password")), library.calls
    ways = (
        ("post", "session", {"username": "ann", "password": PASSWORD}),
        ("post", "session", {"username": "nobody", "password": PASSWORD}),
        ("post", "session/proof", {"password": PASSWORD}),
        ("put", "session/password", {"current": PASSWORD, "new": NEW}),
        ("patch", "access/accounts/ann", {"password": NEW}),
        ("post", "access/accounts", {"name": "eve", "password": NEW}),
    )
    busy = HashSlots(1, wait_seconds=0)
    monkeypatch.setattr(password_hashing, "hash_slots", lambda: busy)
    with busy.taken():
        for method, path, body in ways:
            answer = getattr(browser, method)(f"/api/v1/{path}", body, format="json")
            told = (answer.status_code, answer.json()["code"], answer["Retry-After"])
            assert told == (503, "password-hashing-busy", "2"), path
    assert (library.calls, list(Account.objects.values_list("username", "password"))) == (calls, before)
    for method, path, body in ways:
        answer = getattr(APIClient() if "username" in body else browser, method)(
            f"/api/v1/{path}", body, format="json"
        )
        assert (answer.status_code < 300) == (body.get("username") != "nobody"), path
