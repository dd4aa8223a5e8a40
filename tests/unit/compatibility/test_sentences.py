"""`compat` in words: where it is declared, what breaks for whom, and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.cli.schema import app

OTHER = "\n  Other: {fields: {name: string, gone: string, size: i32}}"


def folder(path: Path, fields: str) -> str:
    path.mkdir()
    (path / "service.yaml").write_text(
        "service: t.example.com\nversions: [{version: v1, sources: [{path: v1.yaml}]}]"
    )
    (path / "v1.yaml").write_text(
        f"types:\n  Doc: {{fields: {{name: string, {fields}}}}}{OTHER}\n"
        "resources: {Doc: {patterns: ['docs/{doc}']}, Other: {patterns: ['others/{other}']}}\n"
    )
    return str(path)


def compat(tmp_path: Path, old: str, new: str, *more: str) -> str:
    was, now = folder(tmp_path / "was", old), folder(tmp_path / "now", new)
    return CliRunner().invoke(app, ["compat", now, "v1", "--against", was, *more]).output


WAS, NOW = "v1 as it was", "v1 as it is now"


@pytest.mark.parametrize(
    ("old", "new", "more", "sentence"),
    [
        (
            "gone: string",
            "kept: i32",
            (),
            f"v1.yaml:2: Doc.gone is gone: when clients of {WAS} still send it, a server of {NOW} refuses it.",
        ),
        (
            "gone: string",
            "kept: i32",
            ("--server", "filter"),
            (
                f"v1.yaml:2: Doc.gone is gone: when clients of {WAS} still send it, a server of {NOW} drops it "
                "without a word."
            ),
        ),
        (
            "a: string",
            "a: {type: string, required: true}",
            (),
            (
                f"v1.yaml:2: Doc.a was optional and is required in requests: requests of clients of {WAS} without it "
                f"are refused by a server of {NOW}."
            ),
        ),
        (
            "size: i32",
            "size: string",
            (),
            (
                f"in requests, values of {WAS} are none of {NOW}, and the other way round, so that clients and servers of "
                "two versions fail."
            ),
        ),
        (
            "mode: {enum: [A, B]}",
            "mode: {enum: [A]}",
            (),
            f"a server of {NOW} refuses some that clients of {WAS} send.",
        ),
        (
            "mode: {type: string, default: a}",
            "mode: {type: string, default: b}",
            (),
            (
                f"v1.yaml:2: Doc.mode means 'b' where it is absent, and meant 'a': requests of clients of {WAS} that leave "
                "it out change their meaning."
            ),
        ),
    ],
)
def test_a_difference_says_where_it_is_what_breaks_and_for_whom(
    tmp_path: Path, old: str, new: str, more: tuple[str, ...], sentence: str
) -> None:
    output = compat(tmp_path, old, new, *more)

    assert sentence in " ".join(output.split())


def test_every_sentence_is_followed_by_its_remedy(tmp_path: Path) -> None:
    lines = compat(tmp_path, "size: i32", "size: string").splitlines()

    assert lines[0].startswith("v1.yaml:2: Doc.size has another type")
    assert lines[1].startswith(
        "    staged type-replaced (wire, JSON, source) Doc.size"
    )  # Buf judges protobuf only
    assert lines[2].startswith("    Never in place: use a new key")


def test_a_field_that_a_version_lacks_has_no_place_there(tmp_path: Path) -> None:
    report = json.loads(compat(tmp_path, "gone: string", "kept: i32", "--json"))

    (gone,) = (
        each for each in report["findings"] if each["path"] == "Doc.gone" and each["where"] == "request"
    )
    assert gone["places"] == ["v1.yaml:2"]
    assert gone["sentence"].startswith("Doc.gone is gone")


def test_what_only_binary_clients_meet_is_a_sentence_with_a_remedy(tmp_path: Path) -> None:
    folders = []
    for name, field in (("was", "int32 size = 2;"), ("now", "fixed32 size = 2;")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "service.yaml").write_text(
            "service: t.example.com\nversions: [{version: v1, sources: [{kind: protobuf, path: t.proto}]}]"
        )
        (tmp_path / name / "t.proto").write_text(
            f'syntax = "proto3"; package t; message Doc {{ string name = 1; {field} }}'
        )
        folders.append(str(tmp_path / name))

    output = CliRunner().invoke(app, ["compat", folders[1], "v1", "--against", folders[0]]).output

    assert (
        "Field 2 of Doc changes its type from varint to fixed32: binary clients misread its value.\n"
        in output
    )
    assert "    Add a field with a new number, and deprecate this one.\n" in output
