"""A set-up that is copied back leaves the control database as the set-up itself would."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from migrations_app.models.evidence.definition_reviews import DefinitionReview
from tests.factories.remembered import remembered


def review() -> DefinitionReview:
    outcome = DefinitionReview.APPLIED
    return DefinitionReview.objects.create(
        service="a", fingerprint="f", outcome=outcome, by="ann", at=timezone.now()
    )


@pytest.mark.django_db
def test_rows_that_are_copied_back_leave_their_keys_behind_them() -> None:
    remembered("three reviews", [], three_reviews)
    ids = list(DefinitionReview.objects.order_by("id").values_list("id", flat=True))
    DefinitionReview.objects.all().delete()
    with connection.cursor() as cursor:
        # As a table that a migration makes again.
        cursor.execute("SELECT setval(pg_get_serial_sequence('switchyard_definitionreview', 'id'), 1, false)")
    remembered("three reviews", [], never)
    assert list(DefinitionReview.objects.order_by("id").values_list("id", flat=True)) == ids
    assert review().id > ids[-1]


def three_reviews() -> None:
    for _ in range(3):
        review()


def never() -> None:
    raise AssertionError("It was made once.")
