"""Every method of every address of /api/v1 refuses what it does not take, and nothing is changed by then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from migrations_app.web.operation_contracts import DRY_RUN_NAME
from migrations_app.web.preconditions import DRY_RUN_WORDS
from tests.factories.access import client_of
from tests.integration.conformance.openapi import declared
from tests.integration.conformance.resolver import Served, served
from tests.integration.conformance.stored import stored

pytestmark = pytest.mark.django_db
SERVED = served()
STRICT = [each for each in SERVED if each.route not in ("events", "schema", "docs")]
"""All but three, which are in no declaration and have tests of their own (base/test_description.py, access/test_live.py)."""
WRITES = [each for each in STRICT if each.method != "GET"]
READING = {
    "POST /api/v1/access/explain",
    "POST /api/v1/access/groups",
    "POST /api/v1/audit/chain",
    "POST /api/v1/deletion-check/rehearsals",
    "POST /api/v1/deletion-checks",
    "POST /api/v1/hooks/preview",
    "POST /api/v1/policies/preview",
}
"""They change nothing; beside them only what a person does about their own sign-in has no dry run."""


@pytest.fixture
def client() -> Iterator[APIClient]:
    client = client_of("rita", "admin", "approver", "auditor")
    before = stored()
    yield client
    assert stored() == before, "a refused request changed something"


def _refusal(client: APIClient, operation: Served, query: str = "", **more: Any) -> tuple[int, str, str]:
    cache.clear()
    answer = getattr(client, operation.method.lower())(f"{operation.path}{query}", format="json", **more)
    problem = answer.json() if answer.status_code >= 400 else {}
    errors = problem.get("errors") or [{"path": ""}]
    return answer.status_code, str(problem.get("code")), str(errors[0]["path"])


def test_the_resolver_has_every_declared_operation() -> None:
    assert {str(each) for each in STRICT} == declared()
    assert len(SERVED) == len(declared()) + 3


def test_a_parameter_that_is_not_declared_is_refused_by_name(client: APIClient) -> None:
    found = {
        str(each): _refusal(client, each, "?nonsense=1", data={} if each in WRITES else None)
        for each in SERVED
    }
    assert {name: answer for name, answer in found.items() if answer != (400, "parameter", "nonsense")} == {}


def test_a_head_refuses_what_its_get_refuses(client: APIClient) -> None:
    heads = [each for each in STRICT if each.method == "GET"]
    found = {str(each): client.head(f"{each.path}?nonsense=1").status_code for each in heads}
    assert {name: status for name, status in found.items() if status != 400} == {}


def test_two_values_of_one_parameter_are_refused_whatever_its_spellings(client: APIClient) -> None:
    found, asked = {}, 0
    for each in STRICT:
        for spelling, name in each.contract.spellings.items():
            first, second = ("true", "false") if name == DRY_RUN_NAME else ("1", "2")
            answer = _refusal(
                client, each, f"?{name}={first}&{spelling}={second}", data={} if each in WRITES else None
            )
            asked += 1
            if answer[:2] != (400, "dry-run" if name == DRY_RUN_NAME else "parameter"):
                found[f"{each} {spelling}"] = answer
    assert found == {}
    assert asked >= 400


def test_a_condition_that_is_not_declared_is_refused(client: APIClient) -> None:
    found = {}
    for each in WRITES:
        for header in {"If-Match", "If-None-Match", "If-Unmodified-Since"}:
            if header.lower() in each.contract.headers:
                continue
            answer = _refusal(client, each, data={}, headers={header: '"1"'})
            if answer != (400, "if-match", header):
                found[f"{each} {header}"] = answer
    assert found == {}


def test_a_body_is_refused_where_none_is_declared(client: APIClient) -> None:
    bare = [each for each in WRITES if not each.contract.has_body]
    found = {str(each): _refusal(client, each, data={"nonsense": 1}) for each in bare}
    assert {name: answer for name, answer in found.items() if answer != (400, "invalid", "nonsense")} == {}
    lists = {str(each): _refusal(client, each, data=[1]) for each in bare}
    assert {name: answer for name, answer in lists.items() if answer[:2] != (400, "invalid")} == {}
    assert len(bare) >= 25


def test_a_condition_in_the_query_or_the_body_is_refused(client: APIClient) -> None:
    found = {}
    for each in WRITES:
        for name in ("cas", "etag"):
            in_query = _refusal(client, each, f"?{name}=1", data={})
            in_body = _refusal(client, each, data={name: {"conditionalState": {}}})
            if in_query != (400, "parameter", name) or not 400 <= in_body[0] < 500:
                found[f"{each} {name}"] = in_query, in_body
    assert found == {}


def test_a_dry_run_is_refused_where_there_is_none(client: APIClient) -> None:
    without = [each for each in WRITES if DRY_RUN_NAME not in each.contract.parameters]
    found = {
        f"{each} {word}": _refusal(client, each, f"?{word}=true", data={})
        for each in without
        for word in DRY_RUN_WORDS
    }
    assert {name: answer for name, answer in found.items() if answer[:2] != (400, "dry-run")} == {}
    assert {str(each) for each in without if not each.route.startswith("session")} == READING
