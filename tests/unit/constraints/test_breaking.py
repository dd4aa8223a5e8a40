"""References that a switch would leave without a target."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.constraints.breaking import Breaking, breaking_references
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files, read_folder
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.messages import message

TASKS = Path(__file__).resolve().parents[3] / "examples" / "cloud-tasks"
SERVICE = "cloudtasks.googleapis.com"


@pytest.fixture(scope="module")
def tasks() -> CompiledService:
    return compile_service(read_folder(TASKS))


@pytest.fixture(scope="module")
def importer() -> Schema:
    files = {
        "service.yaml": "service: jobs.example.com\nversions:\n"
        "  - {version: v1, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}\n",
        "v1.yaml": "schema:\n  types:\n    Job:\n      fields:\n        name: string\n"
        f"        queue: {{type: {{reference: {SERVICE}/Queue}}}}\n"
        f"        keys: {{type: {{list: {{reference: {SERVICE}/CmekConfig}}}}, onDelete: unset}}\n"
        '  resources:\n    Job: {patterns: ["jobs/{job}"]}\n',
    }
    return read_files({path: text.encode() for path, text in files.items()}).schemas["v1"]


def test_a_field_breaks_when_what_it_refers_to_has_no_counterpart(
    tasks: CompiledService, importer: Schema
) -> None:
    (found,) = breaking_references(importer, tasks, "v2beta3", "v2")
    lost = message("{version} has no {type}.", version="v2", type="CmekConfig")
    assert str(lost) == "v2 has no CmekConfig."
    assert found == Breaking("Job", "keys[]", found.kind, "CmekConfig", lost)


def test_nothing_breaks_between_versions_that_have_every_type(
    tasks: CompiledService, importer: Schema
) -> None:
    assert breaking_references(importer, tasks, "v2beta2", "v2beta3") == ()
    assert breaking_references(importer, tasks, "v2", "v2") == ()
    # What is written against v2 cannot refer to what v2 never had.
    assert breaking_references(importer, tasks, "v2", "v2beta3") == ()


def test_an_unknown_version_is_not_called_safe(tasks: CompiledService, importer: Schema) -> None:
    with pytest.raises(Missing):
        breaking_references(importer, tasks, "v2beta3", "v9")
