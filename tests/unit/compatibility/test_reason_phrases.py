"""The reasons of findings come in phrases that the catalogue has, and their texts are made of these."""

from __future__ import annotations

import json

import pytest

from console.generated_pages.server_texts import CATALOGUE
from migrations_app.domain.compatibility.assess import assess_in_place, document
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.ir import VersionInfo, load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.kernel.json import Json

KNOWN = json.loads(CATALOGUE.read_text())


def _schema(field: str) -> Schema:
    text = f'types: {{Doc: {{fields: {{name: string, n: {field}}}}}}}\nresources: {{Doc: {{patterns: ["docs/{{doc}}"]}}}}'
    loaded = load_ir(read_yaml(text), VersionInfo("t.example.com", "v1"))
    assert loaded.findings == ()
    return loaded.schema


def _finding(before: str, after: str) -> dict[str, Json]:
    found = document(assess_in_place(_schema(before), _schema(after)))["findings"]
    assert isinstance(found, list)
    assert isinstance(found[0], dict)
    return found[0]


@pytest.mark.parametrize(
    ("before", "after", "key", "values"),
    [
        ("i64", "i32", "{emitted} does not fit {accepted}", {"emitted": "i64", "accepted": "i32"}),
        (
            "{enum: [A, B, C]}",
            "{enum: [A]}",
            "{symbols} is not among the values",
            {"symbols": "B, C"},
        ),
        (
            "{list: string}",
            "{map: string}",
            "{emitted} meets {accepted}",
            {"emitted": "list", "accepted": "map"},
        ),
        ("{list: string}", "{list: {item: string, kind: set}}", "elements may repeat", {}),
        (
            "{type: i32, constraints: {max: 9}}",
            "{type: i32, constraints: {max: 5}}",
            "{constraint} is {bound}, it was {given}",
            {"constraint": "max", "bound": "5", "given": "9"},
        ),
        (
            "{type: string, deprecated: {sunset: 2027-06-01}}",
            "{type: string, deprecated: {sunset: 2027-05-01}}",
            "a sunset moves later only, it is {day}",
            {"day": "2027-06-01"},
        ),
    ],
)
def test_a_reason_is_a_key_of_the_catalogue_with_its_values(
    before: str, after: str, key: str, values: dict[str, Json]
) -> None:
    found = _finding(before, after)

    assert found["reason_phrases"][0] == [{"key": key, "values": values}]  # type: ignore[index,call-overload]
    assert found["reasons"][0] == key.format(**values)  # type: ignore[index,call-overload]
    assert key in KNOWN
