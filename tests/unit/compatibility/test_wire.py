"""On the wire only numbers and encodings count; the findings are those of Buf's WIRE rules."""

from __future__ import annotations

import pytest

from migrations_app.domain.compatibility.wire import WireRule, compare_wire
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.ir import Schema

PROTO = """
syntax = "proto3";
package t.v1;
import "google/protobuf/wrappers.proto";
message Doc {
  string name = 1;
  int32 size = 2;
  repeated string tags = 3;
  Kind kind = 4;
  oneof cover { string paper = 5; Doc inner = 6; }
  map<string, int32> counts = 7;
  google.protobuf.Int64Value limit = 8;
}
enum Kind { NONE = 0; ONE = 1; }
"""


def schema(text: str) -> Schema:
    service = b"service: t.example.com\nversions: [{version: v1, sources: [{kind: protobuf, path: t.proto}]}]"
    folder = read_files({"service.yaml": service, "t.proto": text.encode()}).refuse_errors()
    return folder.schemas["v1"]


def found(*changes: tuple[str, str]) -> list[tuple[WireRule, int]]:
    changed = PROTO
    for old, new in changes:
        assert old in changed
        changed = changed.replace(old, new)
    return [(each.rule, each.number) for each in compare_wire(schema(PROTO), schema(changed))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int32 size", "int64 size"),
        ("int32 size", "bool size"),
        ("string name", "bytes name"),
        ("string name", "string title"),
        ("string paper", "string sheet"),
        ("  int32 size = 2;\n", "  reserved 2;\n"),
        ("ONE = 1;", "reserved 1;"),
        ("ONE = 1;", "FIRST = 1;"),
        ("string name = 1;", "string name = 1; string more = 9;"),
        ("string name = 1;", "string name = 1; enum Kind { NONE = 0; ONE = 1; }"),
    ],
)
def test_what_bytes_do_not_show_is_no_finding(old: str, new: str) -> None:
    assert found((old, new)) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("  int32 size = 2;\n", "", [(WireRule.FIELD_DELETED, 2)]),
        ("int32 size", "sint32 size", [(WireRule.FIELD_TYPE, 2)]),
        ("int32 size", "fixed32 size", [(WireRule.FIELD_TYPE, 2)]),
        ("int32 size", "string size", [(WireRule.FIELD_TYPE, 2)]),
        ("repeated string", "string", [(WireRule.FIELD_CARDINALITY, 3)]),
        ("int32 size", "repeated string size", [(WireRule.FIELD_CARDINALITY, 2), (WireRule.FIELD_TYPE, 2)]),
        ("map<string, int32> counts", "repeated Doc counts", [(WireRule.FIELD_TYPE, 7)]),
        ("Kind kind", "Doc kind", [(WireRule.FIELD_TYPE, 4)]),
        (
            "oneof cover { string paper = 5; Doc inner = 6; }",
            "string paper = 5; oneof cover { Doc inner = 6; }",
            [(WireRule.FIELD_ONEOF, 5)],
        ),
        ("map<string, int32>", "map<string, string>", [(WireRule.FIELD_TYPE, 2)]),
        ("google.protobuf.Int64Value limit", "int64 limit", [(WireRule.FIELD_TYPE, 8)]),
        ("protobuf.Int64Value limit", "protobuf.Int32Value limit", [(WireRule.FIELD_TYPE, 8)]),
        (" ONE = 1;", "", [(WireRule.ENUM_VALUE_DELETED, 1)]),
    ],
)
def test_what_misreads_bytes_is_found(old: str, new: str, expected: list[tuple[WireRule, int]]) -> None:
    assert found((old, new)) == expected


def test_swapped_numbers_are_found_by_type_only() -> None:
    assert found(("string name = 1", "string name = 2"), ("int32 size = 2", "int32 size = 1")) == [
        (WireRule.FIELD_TYPE, 1),
        (WireRule.FIELD_TYPE, 2),
    ]
