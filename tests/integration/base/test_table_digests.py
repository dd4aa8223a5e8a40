"""Digests of tables find every kind of write of their transaction, and what was rolled back is no difference."""

from __future__ import annotations

import pytest
from django.db import transaction

from migrations_app.models.access import Account, MadeRole
from tests.factories.table_digests import TableDigests

pytestmark = pytest.mark.django_db
ROLES, ACCOUNTS = MadeRole._meta.db_table, Account._meta.db_table


def test_rows_that_are_added_changed_and_removed_are_differences() -> None:
    MadeRole.objects.create(name="spare", permissions=[], changed_by="root")
    before = TableDigests.of([ROLES, ACCOUNTS])
    assert before.differing() == []
    MadeRole.objects.filter(name="spare").update(changed_by="ann")
    assert before.differing() == [ROLES]
    MadeRole.objects.filter(name="spare").update(changed_by="root")
    assert before.differing() == []
    Account.objects.create(username="ann")
    assert before.differing() == [ACCOUNTS]
    MadeRole.objects.all().delete()
    assert before.differing() == [ACCOUNTS, ROLES]


def test_what_a_savepoint_takes_back_is_no_difference() -> None:
    before = TableDigests.of([ROLES])
    with transaction.atomic():
        MadeRole.objects.create(name="spare", permissions=[], changed_by="root")
        assert before.differing() == [ROLES]
        transaction.set_rollback(True)
    assert before.differing() == []
