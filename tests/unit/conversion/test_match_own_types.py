"""Object types that only one version has each, and that have most in common, say that fields or resource types are one."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import proposals
from migrations_app.domain.schema.folder import read_files
from tests.unit.conversion.services import folder

PARAMS = "{fields: {node_count: i32, workload: string, prefix: string%s}}"
SAID = '"Fields to specify in case of a %s request."'


@pytest.mark.parametrize(
    ("old", "new", "share", "is_line"),
    [
        ("MultiNodeParams", "MultiSliceParams", "", True),
        ("MultiNodeParams", "MultiSliceParams", ", zone: string", True),
        # One type that both versions have, as siblings hold it.
        ("Params", "Params", "", False),
        # Objects that have too little in common are two.
        ("MultiNodeParams", "MultiSliceParams", ", a: i32, b: i32, c: i32, d: i32", False),
    ],
)
def test_types_that_only_one_version_has_outweigh_documents_that_follow_the_names(
    old: str, new: str, share: str, is_line: bool
) -> None:
    def of(word: str, type_: str, more: str) -> str:
        field = f"multi_{word}_params: {{type: {type_}, description: {SAID % word}}}"
        return (
            f"Thing: {{fields: {{name: string, parent: string, {field}, accelerator: string}}}}\n"
            f"{type_}: {PARAMS % more}"
        )

    (found,) = proposals(folder(of("node", old, ""), of("slice", new, share), "[]"))

    expected = [{"from": "multi_node_params", "to": "multi_slice_params"}] if is_line else []
    assert [each.args for each in found.lines if each.op == "rename"] == expected


OWN = "state: string, audience: string, dimensions: string, begin_time: timestamp, row_count: i32, error: string"


def resources(**fields: str) -> str:
    """Write resource types whose documents have a name and these fields."""
    types = "".join(f"    {each}: {{fields: {{name: string, {held}}}}}\n" for each, held in fields.items())
    named = "".join(f"    {each}: {{patterns: ['{each.lower()}s/{{id}}']}}\n" for each in fields)
    return f"schema:\n  types:\n{types}  resources:\n{named}"


@pytest.mark.parametrize(
    ("held", "other", "is_line"),
    [
        (OWN, "title: string", True),
        # Fields that another resource type has too are of many, and say nothing of two.
        (OWN, OWN, False),
        ("spec: string, status: string, state: string, kind: string", "title: string", False),
    ],
)
def test_resource_types_of_fields_that_no_other_has_are_one(held: str, other: str, is_line: bool) -> None:
    files = {
        "service.yaml": "service: things.example.com\nversions:\n"
        "  - {version: v1, ordinal: 1, sources: [{kind: ir, path: v1.yaml}]}\n"
        "  - {version: v2, ordinal: 2, sources: [{kind: ir, path: v2.yaml}]}\n",
        "v1.yaml": resources(AudienceList=held, Report=other),
        "v2.yaml": resources(AudienceExport=held, Report=other),
    }

    (found,) = proposals(read_files({path: text.encode() for path, text in files.items()}))

    lines = [(each.owner, each.target) for each in found.lines if each.section == "renamed"]
    assert lines == ([("AudienceList", "AudienceExport")] if is_line else [])
    doubts = [(each.owner, each.target) for each in found.doubts if each.section == "renamed"]
    assert doubts == ([] if is_line else [("AudienceList", "AudienceExport")])
