"""The description of the API: what is not understood is refused, and what was made once is given again."""

from __future__ import annotations

import json

import pytest
import yaml
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "query",
    [
        "version=%0D%0AX-Injected:%201",
        "version=1",
        "service=-1&service=" + "x" * 300 + "&version=%0D%0AX-Injected:%201",
        "lang=en",
        "%00=1",
    ],
)
@pytest.mark.parametrize("address", ["schema", "docs"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_parameter_that_is_not_known_is_refused_by_name(method: str, address: str, query: str) -> None:
    answer = Client().generic(method, f"/api/v1/{address}?{query}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    if method == "GET":
        assert answer.json()["code"] == "parameter"


def test_the_document_is_the_same_each_time_and_in_each_format() -> None:
    first, again = (Client().get("/api/v1/schema") for _ in range(2))
    assert first.headers["Content-Type"] == "application/vnd.oai.openapi"
    assert first.content == again.content
    as_json = Client().get("/api/v1/schema", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert json.loads(as_json.content) == yaml.load(first.content, yaml.CSafeLoader)
    assert "/api/v1/upgrades" in json.loads(as_json.content)["paths"]
