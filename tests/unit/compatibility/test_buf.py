"""A finding says in which of Buf's categories Buf would report the same difference; Buf 1.75.0 was asked about each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.cli.schema import app
from migrations_app.domain.compatibility.analyse import compare
from migrations_app.domain.compatibility.assess import assess_in_place, document
from migrations_app.domain.compatibility.sarif import sarif
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.ir import Schema

SERVICE = b"service: t.example.com\nversions: [{version: v1, sources: [{kind: protobuf, path: t.proto}]}]"
PROTO = """syntax = "{syntax}"; package t;
import "google/api/resource.proto"; import "google/api/field_behavior.proto";
enum Mode {{ NONE = 0; {values} }}
message Doc {{
  option (google.api.resource) = {{ type: "t.example.com/Doc" pattern: "docs/{{doc}}" }};
  {label} string name = 1; {label} Mode mode = 2; {fields}
}}"""
ALL = ("FILE", "PACKAGE", "WIRE_JSON", "WIRE")


def proto(fields: str, values: str = "A = 1;", syntax: str = "proto3") -> str:
    """Write a package with one message that has these fields; only proto2's enums are closed."""
    label = "optional" if syntax == "proto2" else ""
    return PROTO.format(fields=fields, values=values, syntax=syntax, label=label)


def schema(fields: str, values: str = "A = 1;", syntax: str = "proto3") -> Schema:
    """Load such a package."""
    text = proto(fields, values, syntax)
    return read_files({"service.yaml": SERVICE, "t.proto": text.encode()}).schemas["v1"]


def categories(before: str, after: str) -> dict[str, tuple[str, ...]]:
    """Compare two states of the message and give the categories of its findings by path."""
    return {each.path: tuple(each.buf) for each in compare(schema(before), schema(after)).differences}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("string f = 3;", "", ALL),
        ("string f = 3;", "reserved 3;", ("FILE", "PACKAGE", "WIRE_JSON")),
        ("string f = 3;", 'reserved 3; reserved "f";', ("FILE", "PACKAGE")),
        ("", "string f = 3;", ()),
        ("string f = 3;", "string f = 3 [(google.api.field_behavior) = REQUIRED];", ()),
        ("int32 f = 3;", "int64 f = 3;", ("FILE", "PACKAGE", "WIRE_JSON")),
        ("int32 f = 3;", "uint32 f = 3;", ("FILE", "PACKAGE")),
        ("int32 f = 3;", "string f = 3;", ALL),
        ("string f = 3;", "bytes f = 3;", ("FILE", "PACKAGE", "WIRE_JSON")),
        ("string f = 3;", "repeated string f = 3;", ALL),
        ("repeated string f = 3;", "map<string, string> f = 3;", ALL),
    ],
)
def test_a_change_of_a_field_has_the_categories_that_buf_reports(
    before: str, after: str, expected: tuple[str, ...]
) -> None:
    assert categories(before, after)["Doc.f"] == expected


def test_a_field_under_another_name_keeps_its_binary_form() -> None:
    assert categories("string f = 3;", "string g = 3;") == {
        "Doc.f": ("FILE", "PACKAGE", "WIRE_JSON"),
        "Doc.g": ("FILE", "PACKAGE", "WIRE_JSON"),
    }


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("A = 1; B = 2;", ()),
        ("B = 1;", ("FILE", "PACKAGE", "WIRE_JSON")),
        ("", ALL),
        ('reserved 1; reserved "A";', ("FILE", "PACKAGE")),
    ],
)
def test_the_values_of_an_enum_count_by_number_and_by_name(values: str, expected: tuple[str, ...]) -> None:
    found = compare(schema("", syntax="proto2"), schema("", values, "proto2")).differences

    assert {each.path: tuple(each.buf) for each in found} == {"Doc.mode": expected}


def test_an_enum_of_another_name_is_another_type() -> None:
    enums = "enum Kind { NO = 0; YES = 1; } enum Sort { NON = 0; }"

    assert categories(f"Kind f = 3; {enums}", f"Sort g = 3; {enums}")["Doc.f"] == ALL


def test_a_message_that_goes_is_reported_by_file_and_by_package() -> None:
    gone = SERVICE.replace(b"t.proto", b"u.proto")
    text = proto("").replace("Doc", "Other")
    after = read_files({"service.yaml": gone, "u.proto": text.encode()}).schemas["v1"]

    found = {str(each.rule): tuple(each.buf) for each in compare(schema(""), after).differences}

    assert (found["resource-removed"], found["resource-added"]) == (("FILE", "PACKAGE"), ())


def test_json_counts_by_category_and_sarif_names_it() -> None:
    shown = document(assess_in_place(schema("int32 f = 3; string g = 4;"), schema("int64 f = 3;")))

    assert shown["buf"] == {"FILE": 4, "PACKAGE": 4, "WIRE_JSON": 4, "WIRE": 2}
    (run,) = sarif(shown)["runs"]  # type: ignore[misc]
    assert [each["properties"]["buf"] for each in run["results"]] == [
        ["FILE", "PACKAGE", "WIRE_JSON"],
        ["FILE", "PACKAGE", "WIRE_JSON"],
        list(ALL),
        list(ALL),
    ]


def test_of_what_is_no_protobuf_buf_reports_nothing_and_is_not_asked(tmp_path: Path) -> None:
    folders = []
    for name, kind in (("was", "i32"), ("now", "string")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "service.yaml").write_bytes(
            SERVICE.replace(b"kind: protobuf, path: t.proto", b"kind: ir, path: t.yaml")
        )
        (folder / "t.yaml").write_text(f"types: {{Doc: {{fields: {{name: string, size: {kind}}}}}}}\n")
        with (folder / "t.yaml").open("a") as types:
            types.write("resources: {Doc: {patterns: ['docs/{doc}']}}\n")
        folders.append(str(folder))
    asked = ["compat", folders[1], "v1", "--against", folders[0]]

    refused = CliRunner().invoke(app, [*asked, "--buf", "WIRE"])
    shown = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)

    assert refused.exit_code == 64
    assert "Buf judges protobuf, and v1 and v1 of t.example.com" in " ".join(refused.output.split())
    assert [each["rule"] for each in shown["findings"]] == ["type-replaced", "type-replaced"]
    assert [each["buf"] for each in shown["findings"]] == [[], []]
    assert set(shown["buf"].values()) == {0}


def test_swy_tells_only_what_is_of_the_category_asked_for(tmp_path: object) -> None:
    folders = []
    for name, fields in (("was", "int32 f = 3; string g = 4;"), ("now", "int64 f = 3;")):
        folder = tmp_path / name  # type: ignore[operator]
        folder.mkdir()
        (folder / "service.yaml").write_bytes(SERVICE)
        (folder / "t.proto").write_text(proto(fields))
        folders.append(str(folder))
    asked = ["compat", folders[1], "v1", "--against", folders[0]]

    told = CliRunner().invoke(app, [*asked, "--buf", "WIRE"]).output

    assert "Doc.g" in told
    assert "Doc.f" not in told
    assert "Buf: FILE, PACKAGE, WIRE_JSON, WIRE" in told
    assert json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)["buf"]["WIRE"] == 2
