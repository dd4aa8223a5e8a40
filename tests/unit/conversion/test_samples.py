"""Documents of both versions as evidence: what they show becomes lines, what is wrong with them is named and refused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from console.cli.schema import app
from migrations_app.kernel.json import JsonObject
from tests.unit.conversion.services import folder

COLOURS = ("teal", "plum", "rust", "sand", "jade", "onyx")
Document = tuple[str, JsonObject]


def propose(
    tmp_path: Path, types: tuple[str, str], old: Iterable[Document], new: Iterable[Document]
) -> Result:
    for path, data in folder(*types, "[]").files.items():
        (tmp_path / path).write_bytes(data)
    files = []
    for name, documents in (("old.ndjson", old), ("new.ndjson", new)):
        lines = [json.dumps({"type": "Thing", "name": each, "body": body}) for each, body in documents]
        (tmp_path / name).write_text("\n".join(lines))
        files.append(str(tmp_path / name))
    return CliRunner().invoke(app, ["propose", str(tmp_path), "--samples", *files])


def thing(fields: str) -> str:
    return f"Thing: {{fields: {{name: string, {fields}}}}}"


def test_equal_values_of_many_documents_make_a_rename_whose_names_share_nothing(tmp_path: Path) -> None:
    result = propose(
        tmp_path,
        (thing("shade: string, other: string"), thing("tint: string, more: string")),
        [(f"things/{index}", {"shade": colour}) for index, colour in enumerate(COLOURS)],
        [(f"things/{index}", {"tint": colour}) for index, colour in enumerate(COLOURS)],
    )

    assert "# v1 → v2: samples show 6 documents in both versions\n" in result.output
    assert "      - rename: {from: shade, to: tint}  # " in result.output
    assert "samples agree in 6 of 6 documents" in result.output


def test_documents_are_paired_by_their_last_id_where_names_changed(tmp_path: Path) -> None:
    result = propose(
        tmp_path,
        (thing("shade: string"), thing("tint: string")),
        [(f"p/things/{index}", {"shade": colour}) for index, colour in enumerate(COLOURS)],
        [(f"p/regions/r/things/{index}", {"tint": colour}) for index, colour in enumerate(COLOURS[:5])],
    )

    assert (
        "samples show 5 documents in both versions; 1 of the old and 0 of the new ones have" in result.output
    )


def test_values_that_differ_speak_against_a_rename_that_names_propose(tmp_path: Path) -> None:
    types = thing("url: string"), thing("uri: string")
    without = propose(tmp_path, types, [], [])
    result = propose(
        tmp_path,
        types,
        [(f"things/{index}", {"url": colour}) for index, colour in enumerate(COLOURS)],
        [(f"things/{index}", {"uri": f"other-{colour}"}) for index, colour in enumerate(COLOURS)],
    )

    assert "      - rename: {from: url, to: uri}" in without.output
    assert "      - rename: {from: url, to: uri}" not in result.output


@pytest.mark.parametrize(
    ("types", "values", "line"),
    [
        (("string", "i64"), [("30s", 30), ("90s", 90)], "convert: {path: wait, codec: duration-seconds}"),
        (("string", "i64"), [("30", 30), ("90", 90)], "convert: {path: wait, codec: 'int-string:back'}"),
        (("i32", "i32"), [(1, 60), (2, 120), (5, 300)], "unit: {path: wait, factor: '60'}"),
        (
            ("string", "{enum: [SHORT, LONG]}"),
            [("s", "SHORT"), ("l", "LONG"), ("s", "SHORT")],
            "enum: {path: wait, map: {l: LONG, s: SHORT}, rest: bag}",
        ),
        (
            ("{enum: [A, B]}", "{enum: [A, C]}"),
            [("A", "A"), ("B", "C"), ("B", "C")],
            "enum: {path: wait, map: {B: C}}",
        ),
    ],
)
def test_values_choose_the_op_of_a_change_of_type(
    tmp_path: Path, types: tuple[str, str], values: list[tuple[object, object]], line: str
) -> None:
    result = propose(
        tmp_path,
        (thing(f"wait: {types[0]}"), thing(f"wait: {types[1]}")),
        [(f"things/{index}", {"wait": old}) for index, (old, _) in enumerate(values)],  # type: ignore[dict-item]
        [(f"things/{index}", {"wait": new}) for index, (_, new) in enumerate(values)],  # type: ignore[dict-item]
    )

    assert f"      - {line}  # " in result.output
    assert result.exit_code == 0, result.output


def test_samples_that_do_not_validate_are_refused_with_line_and_path_and_without_values(
    tmp_path: Path,
) -> None:
    result = propose(
        tmp_path,
        (thing("size: i32"), thing("extent: i32")),
        [("things/a", {"size": 7}), ("things/b", {"size": "hush-hush"})],
        [("things/a", {"extent": 7})],
    )

    assert result.exit_code == 1
    assert f"{tmp_path}/old.ndjson:2: Thing.size: E-VALUE must be" in result.output
    assert "hush-hush" not in result.output
    assert "rename" not in result.output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "old.ndjson:1: E-SAMPLE"),
        (
            '{"type": "Thing"}',
            "old.ndjson:1: E-SAMPLE The line has no body. Write {type: …, name: …, body: {…}}.",
        ),
        (
            '{"type": "Nothing", "body": {}}',
            "old.ndjson:1: E-SAMPLE The line names no resource type of its version. Its type is one of Thing.",
        ),
    ],
)
def test_a_line_that_is_no_sample_is_named(tmp_path: Path, line: str, said: str) -> None:
    propose(tmp_path, (thing("a: string"), thing("b: string")), [], [])
    (tmp_path / "old.ndjson").write_text(line)

    samples = str(tmp_path / "old.ndjson"), str(tmp_path / "new.ndjson")
    result = CliRunner().invoke(app, ["propose", str(tmp_path), "--samples", *samples])

    assert result.exit_code == 1
    assert said in result.output


def test_samples_need_one_edge() -> None:
    person = str(Path(__file__).resolve().parents[3] / "examples" / "person")

    several = CliRunner().invoke(app, ["propose", person, "--samples", "old.ndjson", "new.ndjson"])
    missing = CliRunner().invoke(app, ["propose", person, "--between", "v1", "v9"])

    assert (several.exit_code, missing.exit_code) == (1, 1)
    assert "Name one: --between OLD NEW." in several.output
    assert "There is no edge from v1 to v9." in missing.output
