"""References that become several or one: documents both ways, filters, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.filters import bind, parse, write
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject
from tests.factories.split_accounts import FILES


def payments(changed: Mapping[str, str] = MappingProxyType({})) -> TypeConverter:
    files = {path: changed.get(path, text) for path, text in FILES.items()}
    compiled = compile_service(read_files({path: text.encode() for path, text in files.items()}))
    return compiled.converter("Payment", "v1", "v2")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"account": "accounts/a"}, {"login": "logins/a", "wallet": "wallets/a"}),
        ({}, {}),
        ({"account": None}, {"login": None, "wallet": None}),
        ({"account": "no name"}, {"login": "no name", "wallet": "no name"}),
    ],
)
def test_a_reference_becomes_one_of_each_part_and_is_read_back(old: JsonObject, new: JsonObject) -> None:
    converter = payments()
    made = converter.forward("payments/p", old).body
    assert made == new
    assert converter.backward("payments/p", made).body == old
    assert converter.backward("payments/p", new).body == old


def test_parts_that_lead_to_no_one_resource_are_hidden_in_the_old_version_and_come_back() -> None:
    converter = payments()
    mixed: JsonObject = {"login": "logins/a", "wallet": "wallets/b"}
    only: JsonObject = {"login": "logins/a"}
    for stored in (mixed, only):
        assert converter.get("payments/p", stored)[1] == {}
        again = converter.put("payments/p", {"note": "n"}, stored)
        assert again.body == {**stored, "note": "n"}
        changed = converter.put("payments/p", {"account": "accounts/c"}, stored)
        assert changed.body == {"login": "logins/c", "wallet": "wallets/c"}


@pytest.mark.parametrize(
    ("asked", "pushed", "how"),
    [
        ('account = "accounts/a"', 'login = "logins/a" AND wallet = "wallets/a"', "exact"),
        (
            'account IN ["accounts/a", "accounts/b"]',
            '(login = "logins/a" AND wallet = "wallets/a") OR (login = "logins/b" AND wallet = "wallets/b")',
            "exact",
        ),
        ('NOT account = "accounts/a"', 'NOT (login = "logins/a" AND wallet = "wallets/a")', "exact"),
        ('account = "no name"', "", "full-scan"),
        ('account > "accounts/a"', "", "full-scan"),
    ],
)
def test_a_filter_by_the_reference_asks_for_all_parts(asked: str, pushed: str, how: str) -> None:
    converter = payments()
    made = converter.filter(bind(parse(asked), converter.source, "Payment"))
    assert made.how == how
    if pushed:
        wanted = bind(parse(pushed), converter.target, "Payment")
        assert write(made.pushed) == write(wanted)


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ("to: [login, wallet]", "to: [login]", "E-ARGS", "names` speaks of wallet, which is no part"),
        (
            "account: {type: {reference: Account}}",
            "account: string",
            "E-TYPE",
            "account is no reference by name",
        ),
        (
            "wallet: [{from",
            "login: [{from",
            "E-NAMES",
            "Login has no pattern 'wallets/{wallet}'",
        ),
    ],
)
def test_what_cannot_be_split_is_refused_with_the_place(old: str, new: str, code: str, message: str) -> None:
    changed = {path: text.replace(old, new) for path, text in FILES.items()}
    with pytest.raises(EdgeInvalid) as refused:
        payments(changed)
    found = [each for each in refused.value.findings if each.code == code]
    assert message in found[0].message
    assert found[0].place.line
