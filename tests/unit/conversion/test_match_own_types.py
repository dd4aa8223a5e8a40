"""Object types that only one version has each, and that have most in common, say that two fields are one."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import proposals
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
