"""One resource of the old version that is two in the new, with references to both: written, shown, asked for, refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.json import JsonObject
from tests.factories.split_accounts import FILES, SERVICE, hooks_of_accounts
from tests.integration.resource_api.conftest import Yard, deployed


@pytest.fixture
def accounts(db: None, data_database: str) -> Iterator[Yard]:
    """Accounts with payments, written in the old version and then switched to the new one."""
    files = {path: text.encode() for path, text in FILES.items()}
    with deployed(data_database, SERVICE, "v1", hooks=[hooks_of_accounts()], files=files) as ports:
        for each in ("a", "b"):
            old(ports, "POST", "accounts", {"title": each.upper(), "currency": "EUR"}, id=each)
            old(ports, "POST", "payments", {"account": f"accounts/{each}", "note": each}, id=f"of-{each}")
        ports.switch("v1", "v2")
        yield ports


def old(ports: Yard, method: str, path: str, body: JsonObject | None = None, **query: str) -> JsonObject:
    return _document(ports, method, path, body, "v1", query)


def new(ports: Yard, method: str, path: str, body: JsonObject | None = None, **query: str) -> JsonObject:
    return _document(ports, method, path, body, "v2", query)


def _document(
    ports: Yard, method: str, path: str, body: JsonObject | None, version: str, query: dict[str, str]
) -> JsonObject:
    answer = ports.call(method, path, body, version=version, headers=None, **query)
    document = answer.document
    return {k: v for k, v in document.items() if k != "metadata"} if isinstance(document, dict) else {}


def names(listed: JsonObject) -> list[str]:
    payments = listed["payments"]
    assert isinstance(payments, list)
    return [str(each["name"]) for each in payments if isinstance(each, dict)]


def test_a_write_of_the_old_version_is_one_of_each_part_and_shows_what_the_parts_hold(accounts: Yard) -> None:
    # What was there before the switch gets its wallet when it is written as it is.
    with pytest.raises(Missing):
        new(accounts, "GET", "wallets/a")
    old(accounts, "PUT", "accounts/a", old(accounts, "GET", "accounts/a"))
    assert new(accounts, "GET", "wallets/a") == {"name": "wallets/a", "currency": "EUR"}

    old(accounts, "POST", "accounts", {"title": "C", "currency": "USD"}, id="c")
    assert new(accounts, "GET", "logins/c") == {"name": "logins/c", "title": "C"}
    assert new(accounts, "GET", "wallets/c") == {"name": "wallets/c", "currency": "USD"}

    new(accounts, "PATCH", "wallets/a", {"currency": "CHF"})
    assert old(accounts, "GET", "accounts/a") == {"name": "accounts/a", "title": "A", "currency": "CHF"}

    old(accounts, "DELETE", "accounts/c")
    for name in ("logins/c", "wallets/c"):
        with pytest.raises(Missing):
            new(accounts, "GET", name)


def test_a_reference_becomes_two_that_filters_of_the_old_version_ask_for(accounts: Yard) -> None:
    for each in ("a", "b"):
        old(accounts, "PUT", f"accounts/{each}", old(accounts, "GET", f"accounts/{each}"))
    assert new(accounts, "GET", "payments/of-a") == {
        "name": "payments/of-a",
        "login": "logins/a",
        "wallet": "wallets/a",
        "note": "a",
    }
    asked = {"one": 'account = "accounts/a"', "any": 'account IN ["accounts/a", "accounts/b"]'}
    assert names(old(accounts, "GET", "payments", filter=asked["one"])) == ["payments/of-a"]
    assert names(old(accounts, "GET", "payments", filter=asked["any"])) == ["payments/of-a", "payments/of-b"]

    # With parts of two accounts it refers to none in the old version, and an update there keeps both.
    new(accounts, "PATCH", "payments/of-a", {"wallet": "wallets/b"})
    assert old(accounts, "GET", "payments/of-a") == {"name": "payments/of-a", "note": "a"}
    assert names(old(accounts, "GET", "payments", filter=asked["one"])) == []
    old(accounts, "PATCH", "payments/of-a", {"note": "mixed"})
    mixed = new(accounts, "GET", "payments/of-a")
    assert (mixed["login"], mixed["wallet"], mixed["note"]) == ("logins/a", "wallets/b", "mixed")

    old(accounts, "PATCH", "payments/of-a", {"account": "accounts/b"})
    both = new(accounts, "GET", "payments/of-a")
    assert (both["login"], both["wallet"]) == ("logins/b", "wallets/b")
    with pytest.raises(Conflict) as blocked:
        new(accounts, "DELETE", "wallets/b")
    assert blocked.value.code == "deletion-blocked"
