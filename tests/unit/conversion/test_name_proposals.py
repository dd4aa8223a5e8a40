"""What `propose` says of names whose patterns no rule pairs."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject


def ops(found: EdgeProposal) -> list[tuple[str, str, object]]:
    return [(each.owner, each.op, each.args) for each in found.lines if each.op not in ("added", "removed")]


def named(old: str, new: str, field: str = "title: string") -> EdgeProposal:
    """Propose what becomes of names, between two versions with one pattern each."""
    versions = {"old.yaml": old, "new.yaml": new}
    head = (
        "service: things.example.com\nversions:\n"
        "  - {version: v1, ordinal: 10, sources: [{kind: ir, path: old.yaml}]}\n"
        "  - {version: v2, ordinal: 20, sources: [{kind: ir, path: new.yaml}]}\n"
    )
    sources = {
        path: f'schema:\n  types: {{Thing: {{fields: {{name: string, {field}}}}}}}\n  resources: {{Thing: {{patterns: ["{text}"]}}}}\n'
        for path, text in versions.items()
    }
    (found,) = proposals(
        read_files({path: text.encode() for path, text in {"service.yaml": head, **sources}.items()})
    )
    return found


@pytest.mark.parametrize(
    ("old", "new", "variant"),
    [
        ("things/{thing}", "items/{thing}", {}),
        (
            "things/{thing}",
            "items/{item}",
            {"set": {"item": {"same": "thing"}}, "back": {"set": {"thing": {"same": "item"}}}},
        ),
    ],
)
def test_a_collection_of_another_name_is_a_line(old: str, new: str, variant: JsonObject) -> None:
    found = named(old, new)

    assert ops(found) == [("Thing", "resourceName", {"variants": [{"from": old, "to": new, **variant}]})]
    assert found.is_covered


def test_a_parent_of_another_collection_is_another_segment() -> None:
    found = named("authorities/{authority}/things/{thing}", "pools/{pool}/things/{thing}")

    (doubt,) = found.doubts
    variant = {"set": {"pool": {"const": "…"}}, "back": "hidden", "drop": "bag"}
    assert doubt.args == {
        "variants": [
            {"from": "authorities/{authority}/things/{thing}", "to": "pools/{pool}/things/{thing}", **variant}
        ]
    }


def test_a_segment_that_comes_is_left_to_a_person() -> None:
    found = named("things/{thing}", "regions/{region}/things/{thing}")

    assert ops(found) == []
    assert not found.is_decided
    assert (
        "# - resourceName: {variants: [{from: 'things/{thing}', to: 'regions/{region}/things/{thing}', "
        "set: {region: {const: …}}, back: hidden}]}"
    ) in edge_text(found)


def test_a_segment_is_taken_from_the_field_of_its_name_and_one_that_goes_is_kept() -> None:
    found = named("zones/{zone}/things/{thing}", "things/{thing}/in/{region}/at/{site}", "region: string")

    (doubt,) = found.doubts
    assert doubt.args == {
        "variants": [
            {
                "from": "zones/{zone}/things/{thing}",
                "to": "things/{thing}/in/{region}/at/{site}",
                "set": {"region": {"field": "region"}, "site": {"const": "…"}},
                "back": "hidden",
                "drop": "bag",
            }
        ]
    }
