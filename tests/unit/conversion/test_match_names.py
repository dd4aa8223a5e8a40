"""Names that were taken apart into an object and its field, that say a field is outdated, and documents of one field."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from migrations_app.domain.conversion.proposals.unmatched import split_of
from tests.unit.conversion.services import folder

CALL = "The signing request in binary form, sent when the order is made final."


def proposed(old: str, new: str) -> EdgeProposal:
    (found,) = proposals(folder(f"Thing: {{fields: {{name: string, {old}}}}}", new, "[]"))
    return found


def ops(found: EdgeProposal) -> list[tuple[str, str, object]]:
    return [(each.owner, each.op, each.args) for each in found.lines if each.op not in ("added", "removed")]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("metricName", "metric.name", ("metricName", "metric.name")),
        ("metric.name", "metricName", ("metric.name", "metricName")),
        ("backend.serviceName", "defaultBackend.service.name", ("serviceName", "service.name")),
        ("build_variables", "build_config.variables", ("build_variables", "build_config.variables")),
        ("name", "config.name", None),
        ("metricName", "metric.kind", None),
    ],
)
def test_a_name_is_taken_apart_into_the_words_of_an_object_and_a_field(
    old: str, new: str, expected: tuple[str, str] | None
) -> None:
    assert split_of(old, new) == expected


def test_a_name_taken_apart_is_a_move_into_a_new_object() -> None:
    found = proposed(
        "metricName: string",
        "Thing: {fields: {name: string, metric: Metric}}\nMetric: {fields: {name: string, window: i32}}",
    )

    assert ops(found) == [("Thing", "move", {"from": "metricName", "to": "metric.name"})]


def test_a_name_taken_apart_is_no_line_where_the_types_differ() -> None:
    found = proposed(
        "servicePort: i32",
        "Thing: {fields: {name: string, service: Service}}\nService: {fields: {port: {map: string}}}",
    )

    assert ops(found) == []


def test_a_field_that_is_called_outdated_is_the_one_without_that_word() -> None:
    old = 'topology: {type: {map: string}, description: "Where the endpoint runs, by keys such as the zone."}'
    new = 'deprecated_topology: {type: {map: string}, description: "Kept for older clients, which read it."}'
    found = proposed(old, f"Thing: {{fields: {{name: string, {new}}}}}")

    assert ops(found) == [("Thing", "rename", {"from": "topology", "to": "deprecated_topology"})]


def test_a_document_that_no_other_field_has_is_enough_for_a_rename() -> None:
    """Also where the new name is a word of the document, and nothing around the field stayed."""
    old = f'csr: {{type: bytes, description: "{CALL}"}}, zone: i32'
    new = f'depot: bool, request: {{type: bytes, description: "{CALL}"}}'
    found = proposed(old, f"Thing: {{fields: {{name: string, {new}}}}}")

    assert ops(found) == [("Thing", "rename", {"from": "csr", "to": "request"})]


def test_a_document_that_others_have_too_is_not() -> None:
    same = f'{{type: string, description: "{CALL}"}}'
    found = proposed(
        f"csr: {same}, zone: i32, kept: {same}",
        f"Thing: {{fields: {{name: string, kept: {same}, depot: bool, request: {same}}}}}",
    )

    assert ops(found) == []


@pytest.mark.parametrize(("required", "rest"), [("false", "bag"), ("true", "refuse")])
def test_a_text_whose_document_names_all_symbols_becomes_them(required: str, rest: str) -> None:
    text = f'kind: {{type: string, required: {required}, description: "One of Exact and Prefix, as the path is matched."}}'
    found = proposed(
        text,
        text.replace("type: string", "type: {enum: [Exact, Prefix]}").join(
            ("Thing: {fields: {name: string, ", "}}")
        ),
    )

    args = {"path": "kind", "map": {"Exact": "Exact", "Prefix": "Prefix"}, "rest": rest}
    assert ops(found) == [("Thing", "enum", args)]
    assert found.is_covered


def test_a_text_whose_document_names_other_symbols_is_left_to_a_person() -> None:
    found = proposed(
        'kind: {type: string, description: "One of Exact and Prefix."}',
        "Thing: {fields: {name: string, kind: {type: {enum: [Exact, Regular]}}}}",
    )

    assert ops(found) == []
    assert [(each.op, each.sure) for each in found.doubts] == [("enum", False)]
