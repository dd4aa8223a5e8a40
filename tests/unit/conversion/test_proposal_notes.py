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
