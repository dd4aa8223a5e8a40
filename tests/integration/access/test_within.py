"""How far a permission reaches, as a condition of PostgreSQL: rows and values are chosen alike."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from migrations_app.control.rows.within import regex_of, within
from migrations_app.domain.reach import Reach
from migrations_app.models.operations import Operation

pytestmark = pytest.mark.django_db
GLOBS = st.text("ab.-*?[]!^\\$()|{}+", max_size=8)
SOME = [
    "*", "a*", "*b", "a?b", "[ab]*", "[!a]b", "[b-a]", "[]]", "[!]]", "a[", "a.b", "a*b*c", "[a-c]-*", "\\", "[\\]",
    "[^a]", "(?>.*?", "(?!)", "a{2}", "",
]  # fmt: skip
NAMES = st.text("abc.-[]^\\", max_size=6)


def _matches(name: str, regex: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s ~ %s", [name, regex])
        return bool(cursor.fetchone()[0])


@given(GLOBS | st.sampled_from(SOME), NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_glob_matches_in_the_database_as_it_does_in_memory(db: None, glob: str, name: str) -> None:
    assert _matches(name, regex_of(glob)) is fnmatchcase(name, glob)


PLACES = [("iam", "eu-1"), ("iam", "us-1"), ("secrets", "eu-1"), ("secrets", ""), ("", "us-1"), ("", "")]
PAIRS = st.tuples(*[st.sampled_from(["*", "iam", "s*", "[!i]*", "eu-?", "us-1"])] * 2)


@given(st.frozensets(PAIRS, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_the_rows_within_reach_are_those_whose_places_are(
    db: None, pairs: frozenset[tuple[str, str]]
) -> None:
    if not Operation.objects.exists():
        for service, region in PLACES:
            Operation.objects.create(
                kind="k", target_kind="t", requested_by="o", service=service, region=region
            )
    reach = Reach(pairs)
    found = set(Operation.objects.filter(within(reach)).values_list("service", "region"))
    assert found == {place for place in PLACES if reach.covers(*place)}
    services = set(Operation.objects.filter(within(reach, "service", "")).values_list("service", flat=True))
    assert services == {service for service, _ in PLACES if reach.covers(service)}
