"""The committed description of the API is what the code says."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command

from console.env import ROOT


def test_the_committed_description_is_what_the_code_says() -> None:
    written = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=written)
    committed = (ROOT / "docs/reference/openapi.yaml").read_text()
    assert committed.strip() == written.getvalue().strip(), "run `make openapi` and commit what it wrote"
