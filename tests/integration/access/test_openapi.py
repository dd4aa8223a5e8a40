"""The committed description of the API is what the code says."""

from __future__ import annotations

import re
from io import StringIO

from django.core.management import call_command

from console.env import ROOT
from tests.api_description import api_description


def test_the_committed_description_is_what_the_code_says() -> None:
    written = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=written)
    committed = (ROOT / "docs/reference/openapi.yaml").read_text()
    assert committed.strip() == written.getvalue().strip(), "run `make openapi` and commit what it wrote"


def test_every_list_that_is_read_in_pages_says_how() -> None:
    described = api_description()["paths"]
    told = {
        operation["operationId"]
        for path in described.values()
        for method, operation in path.items()
        if method == "get"
        and {"cursor", "limit"} <= {each.get("name") for each in operation.get("parameters", [])}
    }
    modules = sorted((ROOT / "migrations_app").rglob("*.py"))
    doors = "\n".join(text for path in modules if "operation_id=" in (text := path.read_text()))
    read = re.findall(
        r'operation_id="(\w+)"(?:(?!operation_id=).)*?= asked_page\(request\)', doors, re.DOTALL
    )
    assert told == set(read) | {"approvals", "upgrades"}
    assert len(told) == 12
