"""The accounts of a first start: their tokens end, as every token that the console makes."""

from __future__ import annotations

import secrets
from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.access.commands.make_first_accounts import (
    FIRST,
    FIRST_TOKEN_DAYS,
    make_first_accounts,
)
from migrations_app.domain.access import ROLES
from migrations_app.models.access import Token


@pytest.mark.django_db
def test_the_tokens_of_a_first_start_end_after_ninety_days() -> None:
    before = timezone.now()
    accounts = make_first_accounts()
    ends = list(Token.objects.values_list("expires_at", flat=True))
    assert (len(accounts), len(ends)) == (len(FIRST), len(FIRST))
    days = timedelta(days=FIRST_TOKEN_DAYS)
    assert all(end is not None and before + days <= end <= timezone.now() + days for end in ends)

    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {accounts['admin'].token}")
    (token,) = client.get("/api/v1/tokens").json()["items"]
    assert token["expires_at"] is not None
    assert token["expires_at"].startswith(accounts["admin"].token_expires_at.removesuffix("Z"))
    assert make_first_accounts() == {}


@pytest.mark.django_db
@pytest.mark.parametrize("name", FIRST)
def test_the_token_of_a_first_start_carries_what_the_role_of_its_account_does(name: str) -> None:
    make_first_accounts()
    role, _ = FIRST[name]
    assert Token.objects.get(account__username=name).scopes == [*ROLES[role]]


@pytest.mark.django_db
def test_a_password_that_is_like_the_address_of_its_account_is_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = ["localhost.localdomai"]  # as chance makes one out of some ten thousand
    draw = secrets.token_urlsafe
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: drawn.pop() if drawn else draw(size))
    passwords = {each.password for each in make_first_accounts().values()}
    assert drawn == []
    assert "localhost.localdomai" not in passwords
