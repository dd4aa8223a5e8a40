"""No false all-clear: symbols that an open enum lost, and fields of one name that mean something else, are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from console.cli.schema import app
from tests.unit.conversion.services import folder

MODE = "mode: {enum: {values: [%s], open: true}}"


def run(command: str, tmp_path: Path, types: tuple[str, str], ops: str = "[]", *more: str) -> Result:
    for path, data in folder(
        *(f"Thing: {{fields: {{name: string, {each}}}}}" for each in types), ops
    ).files.items():
        (tmp_path / path).write_bytes(data)
    return CliRunner().invoke(app, [command, str(tmp_path), *more])


LOST = MODE % "A, B", MODE % "A"
GOES = """edge: {service: t.example.com, from: v1, to: v2}
resources: {removed: [Relic], added: [Ticket]}
"""
NOTE = "W-REMOVED Relic of v1 has no counterpart in v2: its resources are kept and served by v1"


@pytest.mark.parametrize("written", [False, True])
def test_a_type_that_goes_is_left_to_a_person_until_an_edge_says_so_and_is_no_all_clear_then(
    tmp_path: Path, written: bool
) -> None:
    versions = "".join(f"  - {{version: v{n}, sources: [{{kind: ir, path: v{n}.yaml}}]}}\n" for n in (1, 2))
    edges = "edges: [edge.yaml]\n" if written else ""
    (tmp_path / "service.yaml").write_text(f"service: t.example.com\nversions:\n{versions}{edges}")
    (tmp_path / "edge.yaml").write_text(GOES)
    for number, name, fields in (
        (1, "Relic", "age: i32, mass: i32"),
        (2, "Ticket", "seat: string, row: string"),
    ):
        (tmp_path / f"v{number}.yaml").write_text(
            f"types: {{{name}: {{fields: {{name: string, {fields}}}}}}}\n"
            f"resources: {{{name}: {{patterns: ['{name.lower()}s/{{id}}']}}}}\n"
        )

    result = CliRunner().invoke(app, ["propose", str(tmp_path)])

    assert NOTE in result.output
    assert "`swy schema compat` reports it as a break until a person accepts it." in result.output
    summary = "1 resource type to give up, or to name a counterpart of"
    assert (result.exit_code, summary in result.output) == ((0, False) if written else (1, True))
    compared = CliRunner().invoke(app, ["compat", str(tmp_path), "v1", "v2"])
    assert (compared.exit_code, "break resource-removed" in compared.output) == (
        (1, True) if written else (64, False)
    )


def test_a_symbol_that_an_open_enum_lost_is_left_to_decide(tmp_path: Path) -> None:
    result = run("propose", tmp_path, LOST)

    assert result.exit_code == 1
    assert "      # - enum: {path: mode, map: {}, rest: bag}\n" in result.output
    assert "there is nothing to propose" not in result.output


@pytest.mark.parametrize("rest", ["bag", "refuse", "same"])
def test_once_it_is_decided_nothing_is_proposed_any_more(tmp_path: Path, rest: str) -> None:
    result = run("propose", tmp_path, LOST, f"- enum: {{path: mode, map: {{}}, rest: {rest}}}")

    assert (result.exit_code, "there is nothing to propose" in result.output) == (0, True), result.output


def test_the_report_and_the_comparison_name_it_too(tmp_path: Path) -> None:
    report = run("report", tmp_path, LOST)
    compared = run("compat", tmp_path, LOST, "[]", "v1", "v2")
    decided = run("compat", tmp_path, LOST, "- enum: {path: mode, map: {}, rest: bag}", "v1", "v2")

    assert "W-ENUM v2 Thing.mode can hold B, which its enum does not name any more." in report.output
    assert "Thing.mode is an open enum that does not name B any more" in compared.output
    assert "break symbol-removed (wire, JSON, source) Thing.mode; B → ; client first" in compared.output
    assert "handled symbol-removed: Thing.mode" in decided.output


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (
            '{type: i32, description: "How long to wait, in seconds."}',
            '{type: i32, description: "How long to wait, in milliseconds."}',
            "its document says second, then millisecond",
        ),
        (
            '{type: i32, description: "Counts workers that currently drain tickets from the north queue."}',
            '{type: i32, description: "Identifies which colour palette renders charts inside printed invoices."}',
            "its documents have next to nothing in common",
        ),
    ],
)
def test_a_field_that_keeps_its_name_and_changes_its_meaning_is_noted(
    tmp_path: Path, old: str, new: str, what: str
) -> None:
    result = run("propose", tmp_path, (f"wait: {old}", f"wait: {new}"))

    assert result.exit_code == 0
    assert f"# note: edge.yaml: W-MEANING Thing.wait keeps its name, but {what}." in result.output


def test_a_document_that_was_only_reworded_is_no_note(tmp_path: Path) -> None:
    old = '{type: i32, description: "How long a caller waits for an answer, in seconds."}'
    new = '{type: i32, description: "The seconds that callers wait until an answer comes."}'

    assert "W-MEANING" not in run("propose", tmp_path, (f"wait: {old}", f"wait: {new}")).output
