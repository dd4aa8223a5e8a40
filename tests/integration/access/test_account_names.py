"""Account names in any case of letters: no account has a twin whose rights or changes are taken for theirs."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from migrations_app.models.access import Account
from tests.factories.access import make_account, token_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", ["user", "service"])
@pytest.mark.parametrize("twin", ["ann", "Ann", "ANN", "aNN", "ａｎｎ"])
def test_no_account_is_made_whose_name_differs_by_letter_case_alone(twin: str, kind: str) -> None:
    make_account("root", "admin")
    make_account("ann", "approver")
    admin = APIClient(HTTP_AUTHORIZATION=f"Bearer {token_of('root')}")
    answer = admin.post("/api/v1/access/accounts", {"name": twin, "kind": kind}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "account-exists")
    assert Account.objects.filter(username__iexact="ann").count() == 1


@pytest.mark.parametrize("twin", ["Ann", "ANN"])
def test_the_database_keeps_twins_out_that_come_another_way(twin: str) -> None:
    make_account("ann", "approver")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create_user(twin)
    person = make_account("bob", "viewer")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.filter(username=person.name).update(username=twin)
