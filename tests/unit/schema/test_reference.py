"""The reference page tells every code and shows YAML that reads."""

from __future__ import annotations

import re
from pathlib import Path

from migrations_app.domain.schema.folder import LOADERS, read_files
from migrations_app.domain.schema.scalars import KNOWN_CONSTRAINTS
from migrations_app.domain.schema.types import Behavior, ScalarKind

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/reference/schema.md").read_text()


def test_every_code_is_told_and_no_other() -> None:
    source = "".join(path.read_text() for path in (ROOT / "migrations_app/domain/schema").rglob("*.py"))

    assert set(re.findall(r"`([EW]-[A-Z]+)` \|", PAGE)) == set(re.findall(r'"([EW]-[A-Z]+)"', source))


def test_every_kind_of_source_scalar_behavior_and_constraint_is_told() -> None:
    words = set(re.findall(r"[\w-]+", PAGE))
    assert {*LOADERS, *map(str, ScalarKind), *map(str, Behavior), *KNOWN_CONSTRAINTS} <= words


def test_the_schema_that_is_shown_reads_without_a_finding() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    shown = next(block for block in blocks if block.startswith("schema:"))
    service = "service: limits.example.com\nversions: [{version: v1, sources: [{path: v1.yaml}]}]"

    folder = read_files({"service.yaml": service.encode(), "v1.yaml": shown.encode()})

    assert folder.findings == ()
    assert [field.key for field in folder.schemas["v1"].object("Plan")][1] == "displayName"
