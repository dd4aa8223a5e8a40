"""Tokens that tokens make: bounded like their maker, and none by a token that another person made."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.models.access import Token
from migrations_app.models.ledger import LedgerEntry
from tests.factories.access import client_of, make_account

pytestmark = pytest.mark.django_db


def bearer(secret: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def make(client: APIClient, **wish: object) -> Any:
    return client.post("/api/v1/tokens", {"name": "made", **wish}, format="json")


def test_a_token_of_a_bounded_token_is_bounded_as_well() -> None:
    root, end = client_of("root", "admin"), timezone.now() + timedelta(minutes=2)
    first = make(root, scopes=["token.own"], networks=["127.0.0.0/8"], expires_at=end.isoformat()).json()
    bounded = bearer(first["secret"])
    made = make(bounded)
    assert made.status_code == 201
    kept = {name: made.json()[name] for name in ("scopes", "networks", "expires_at", "created_by")}
    assert kept == {name: first[name] for name in kept}
    before = Token.objects.count()
    for wish, code in (
        ({"scopes": ["*"]}, "scope"),
        ({"networks": ["0.0.0.0/0"]}, "network"),
        ({"networks": ["127.0.0.1/32", "::1/128"]}, "network"),
        ({"expires_at": (end + timedelta(days=1)).isoformat()}, "expiry"),
    ):
        refused = make(bounded, **wish)
        assert (refused.status_code, refused.json()["code"]) == (400, code)
        assert refused.json()["remedy"]
    assert Token.objects.count() == before
    narrower = make(bounded, networks=["127.0.0.1/32"], expires_at=(end - timedelta(seconds=30)).isoformat())
    assert narrower.status_code == 201


def test_the_field_of_a_network_that_is_none_is_named() -> None:
    refused = make(client_of("root", "admin"), networks=["10.0.0.0/8", "10.x"])
    assert (refused.status_code, refused.json()["code"]) == (400, "network")
    assert [(each["path"], each["message"]) for each in refused.json()["errors"]] == [
        ("networks", "'10.x' is no network.")
    ]
    assert Token.objects.filter(name="made").count() == 0


def test_a_token_that_another_person_made_makes_none() -> None:
    root = client_of("root", "admin")
    make_account("ann", "approver")
    make_account("robot", "automation", kind="service")
    for name in ("ann", "robot"):
        foreign = bearer(make(root, account=name).json()["secret"])
        before = Token.objects.count(), LedgerEntry.objects.filter(action="token.issue").count()
        refused = make(foreign, account=name)
        assert refused.status_code == 403
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert (refused.json()["code"], refused.json()["who_can"]) == ("token-of-another", ["root", name])
        after = Token.objects.count(), LedgerEntry.objects.filter(action="token.issue").count()
        assert after == before
