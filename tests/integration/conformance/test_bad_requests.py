"""What is wrong with a request whatever its operation is answered with its problem, and never as an error of ours."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from tests.factories.access import client_of
from tests.integration.conformance.openapi import OPENAPI, PROBLEM, body_of, request_schema
from tests.integration.conformance.resolver import Served, served
from tests.integration.conformance.stored import stored

pytestmark = pytest.mark.django_db
DECLARED = [each for each in served() if each.route not in ("events", "schema", "docs")]
READS = [each for each in DECLARED if each.method == "GET"]
WRITES = [each for each in DECLARED if each.method != "GET"]


@pytest.fixture
def client() -> APIClient:
    return client_of("rita", "admin", "approver", "auditor")


def _answer(client: APIClient, operation: Served, path: str = "", **more: Any) -> Any:
    cache.clear()
    return client.generic(operation.method, path or operation.path, **more)


def _differing(found: dict[str, Any], expected: Any) -> dict[str, Any]:
    return {name: each for name, each in found.items() if each != expected}


def test_a_body_of_another_media_type_is_refused(client: APIClient) -> None:
    before, found = stored(), {}
    for each in WRITES:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/xml"):
            tag = {"If-Match": "*"} if "if-match" in each.contract.headers else {}
            answer = _answer(client, each, data=b"a=1", content_type=kind, headers=tag)
            found[f"{each} {kind}"] = answer.status_code, answer.json()["code"]
    assert _differing(found, (415, "unsupported-media-type")) == {}
    assert stored() == before


def test_an_answer_in_another_media_type_is_refused(client: APIClient) -> None:
    found = {
        str(each): _answer(client, each, headers={"Accept": "image/png"}).status_code for each in DECLARED
    }
    assert _differing(found, 406) == {}


def test_what_an_address_takes_is_in_the_answer_to_options(client: APIClient) -> None:
    before = stored()
    found = {each.path: client.options(each.path).status_code for each in DECLARED}
    assert _differing(found, 200) == {}
    assert stored() == before


def test_a_head_is_answered_as_its_get_without_a_body(client: APIClient) -> None:
    found = {}
    for each in READS:
        read = _answer(client, each)
        body_of(read)
        head = client.head(each.path)
        if (head.status_code, body_of(head)) != (read.status_code, b""):
            found[str(each)] = read.status_code, head.status_code
    assert found == {}


def test_a_slash_at_the_end_is_told(client: APIClient) -> None:
    found = {}
    for each in DECLARED:
        answer = _answer(client, each, f"{each.path}/")
        found[str(each)] = (
            answer.status_code,
            answer.json()["remedy"] == f"Leave out the last slash: {each.path}",
        )
    assert _differing(found, (404, True)) == {}
    assert client.get("/api/v1/nowhere/").json()["remedy"] == "The addresses are listed at /api/v1/docs."


def test_half_a_character_is_refused_wherever_it_stands(client: APIClient) -> None:
    before, found = stored(), {}
    for each in WRITES:
        schema = request_schema(str(each))
        if schema is None:
            continue
        for text in (b'{"%s": "\\ud800"}', b'{"%s": "\\u0000"}', b'{"%s": "\xff"}'):
            for name in _names(schema):
                answer = _answer(client, each, data=text % name.encode(), content_type="application/json")
                if not 400 <= answer.status_code < 500 or answer.headers["Content-Type"] != PROBLEM:
                    found[f"{each} {name} {text!r}"] = answer.status_code
    assert found == {}
    assert stored() == before


def _names(schema: Any) -> list[str]:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return [*OPENAPI["components"]["schemas"][name].get("properties", {})] if name else []
