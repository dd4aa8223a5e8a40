"""Protobuf definitions are read with their annotations, and what they cannot tell is reported."""

from __future__ import annotations

import re

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from migrations_app.domain.schema.findings import Severity
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import Behavior, Presence
from migrations_app.domain.schema.loaders.protoc import compile_protos
from migrations_app.domain.schema.types import (
    EnumType,
    FieldMaskType,
    ListType,
    MapType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
)
from migrations_app.kernel.errors import Invalid

SERVICE = """
service: library.example.com
versions: [{{version: v1, sources: [{{kind: {kind}, path: {path}{more}}}]}}]
"""
BOOK = b"""
syntax = "proto3";
package library.v1;
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "library/common/money.proto";

message Book {
  option (google.api.resource) = {
    type: "library.example.com/Book"
    pattern: "shelves/{shelf}/books/{book}"
    plural: "books"
  };
  string name = 1;
  string title = 2 [(google.api.field_behavior) = REQUIRED];
  optional int32 pages = 3;
  int64 copies = 4 [(google.api.field_behavior) = OUTPUT_ONLY];
  repeated string tags = 5;
  map<int32, Chapter> chapters = 6;
  oneof cover { string paper = 7; Chapter leather = 8; }
  google.protobuf.Timestamp printed = 9 [deprecated = true];
  google.protobuf.StringValue note = 10;
  google.protobuf.Struct extra = 11;
  Kind kind = 12;
  string author = 13 [(google.api.resource_reference).type = "people.example.com/Author"];
  library.common.Money price = 14;
  enum Kind { KIND_UNSPECIFIED = 0; NOVEL = 1; POEM = 3; }
  message Chapter { string heading = 1; repeated Chapter parts = 2; }
}
message UpdateBookRequest { Book book = 1; google.protobuf.FieldMask update_mask = 2; }
message Shelf {
  option (google.api.resource) = { type: "library.example.com/Shelf" pattern: "shelves/{shelf}" };
  string name = 1;
  string newest = 2 [(google.api.resource_reference).child_type = "library.example.com/Book"];
}
service Library { rpc UpdateBook(UpdateBookRequest) returns (Book); }
"""
MONEY = b'syntax = "proto3"; package library.common; message Money { uint64 cents = 1; }'
FILES = {"library/v1/book.proto": BOOK, "library/common/money.proto": MONEY}


def read(
    files: dict[str, bytes], kind: str = "protobuf", path: str = "library/v1", more: str = ""
) -> ServiceFolder:
    service = SERVICE.format(kind=kind, path=path, more=more).encode()
    return read_files({"service.yaml": service, **files})


@pytest.fixture(scope="module")
def folder() -> ServiceFolder:
    return read(FILES)


def test_every_kind_of_field_is_read(folder: ServiceFolder) -> None:
    assert folder.findings == ()
    book = folder.schemas["v1"].object("Book")
    types = {field.name: field.type for field in book}

    assert types["copies"] == ScalarType(ScalarKind.I64, json_encoding="string")
    assert types["tags"] == ListType(ScalarType(ScalarKind.STRING))
    assert types["chapters"] == MapType(RefType("Book.Chapter"), ScalarKind.I32)
    assert types["printed"] == ScalarType(ScalarKind.TIMESTAMP)
    assert types["extra"] == StructType()
    assert types["kind"] == RefType("Book.Kind")
    assert types["author"] == ReferenceType(("people.example.com/Author",))
    assert types["price"] == RefType("library.common.Money")
    assert book.oneofs[0].members == ("paper", "leather")
    assert len(book.oneofs) == 1


def test_presence_behavior_and_deprecation_are_read(folder: ServiceFolder) -> None:
    fields = {field.name: field for field in folder.schemas["v1"].object("Book")}

    assert fields["title"].required
    assert fields["title"].presence is Presence.IMPLICIT
    assert fields["pages"].presence is Presence.EXPLICIT
    assert fields["paper"].presence is Presence.EXPLICIT
    assert fields["leather"].presence is Presence.EXPLICIT
    assert fields["copies"].behavior == {Behavior.OUTPUT_ONLY}
    assert fields["tags"].empty_is_absent
    assert fields["note"].nullable
    assert fields["printed"].deprecated is not None
    assert (fields["printed"].number, fields["printed"].id) == (9, "library.Book/printed")


def test_types_of_other_packages_come_along_under_their_full_name(folder: ServiceFolder) -> None:
    schema = folder.schemas["v1"]

    money = schema.object("library.common.Money").field("cents")
    assert money is not None
    assert money.type == ScalarType(ScalarKind.U64, json_encoding="string")
    assert schema.object("UpdateBookRequest").field("update_mask").type == FieldMaskType()  # type: ignore[union-attr]
    kind = schema.type("Book.Kind")
    assert isinstance(kind, EnumType)
    assert (kind.open, kind.zero, [value.number for value in kind.values]) == (
        True,
        "KIND_UNSPECIFIED",
        [0, 1, 3],
    )


def test_resources_parents_and_methods_are_read(folder: ServiceFolder) -> None:
    schema = folder.schemas["v1"]

    book = schema.resource("library.example.com/Book")
    assert (book.patterns, book.plural, book.parents) == (
        ("shelves/{shelf}/books/{book}",),
        "books",
        ("Shelf",),
    )
    assert schema.resource("Shelf").plural == "shelves"
    assert schema.methods["UpdateBook"].kind == "update"
    newest = schema.object("Shelf").field("newest")
    assert newest is not None
    assert newest.type == ReferenceType(("library.example.com/Shelf",))
    assert schema.losses == ()


def test_a_descriptor_set_without_annotations_says_what_it_lost() -> None:
    bare = re.sub(rb"option \(google\.api\.resource\)[^;]*;|\[\(google[^\]]*\]", b"", BOOK)
    compiled, _ = compile_protos({**FILES, "library/v1/book.proto": bare}, ["library/v1/book.proto"])

    folder = read(
        {"set.binpb": compiled.SerializeToString()}, "protobuf-fds", "set.binpb", ", package: library.v1"
    )

    assert [each.what for each in folder.schemas["v1"].losses] == [
        "resources-missing",
        "field-behavior-missing",
        "references-missing",
    ]


def test_a_set_that_does_not_link_names_the_missing_type() -> None:
    compiled, _ = compile_protos(FILES, ["library/v1/book.proto"])
    cut = FileDescriptorSet(file=[file for file in compiled.file if file.package != "library.common"])

    folder = read(
        {"set.binpb": cut.SerializeToString()}, "protobuf-fds", "set.binpb", ", package: library.v1"
    )

    assert [each.path for each in folder.findings if each.code == "E-REF"] == ["library.common.Money"]


def test_a_broken_file_is_named_and_the_rest_loads_when_asked() -> None:
    files = {**FILES, "library/v1/bad.proto": b'syntax = "proto3";\npackage library.v1;\nmessage {\n'}

    refused = read(files)
    assert refused.findings[0].severity is Severity.ERROR
    assert (refused.findings[0].file, refused.findings[0].line) == ("library/v1/bad.proto", 3)
    skipped = read(files, more=", broken: skip")
    assert skipped.findings[0].severity is Severity.WARNING
    assert "Book" in skipped.schemas["v1"].resources


@pytest.mark.parametrize(
    ("below", "more", "folder"),
    [("", "", "the folder of the service"), ("protos/", ", root: protos", "the folder protos")],
)
def test_a_missing_import_says_where_it_was_searched(below: str, more: str, folder: str) -> None:
    found = read({f"{below}library/v1/book.proto": BOOK}, path=f"{below}library/v1", more=more).findings

    text = " ".join(map(str, found))
    assert (
        f"library/common/money.proto: E-PROTO File not found. Imports are searched in {folder}, the" in text
    )


@pytest.mark.parametrize(
    ("files", "path", "kind"),
    [
        ({}, "library/v1", "protobuf"),
        ({"x.binpb": b"\xff\xff\xff"}, "x.binpb", "protobuf-fds"),
        ({"library/v1/loop.proto": b'import "library/v1/loop.proto";'}, "library/v1", "protobuf"),
    ],
)
def test_hostile_protobuf_sources_end_in_a_finding(files: dict[str, bytes], path: str, kind: str) -> None:
    folder = read(files, kind, path)
    assert folder.findings
    with pytest.raises(Invalid):
        folder.refuse_errors()


def test_an_installed_package_is_read_and_says_what_it_lost() -> None:
    service = b"""
service: cloudtasks.googleapis.com
versions: [{version: v2, sources: [{kind: python, module: google.cloud.tasks_v2}]}]
"""
    folder = read_files({"service.yaml": service})
    schema = folder.schemas["v2"]

    assert folder.findings == ()
    assert schema.object("Queue").field("rate_limits") is not None
    assert {loss.what for loss in schema.losses} >= {"resources-missing"}


@pytest.mark.parametrize("module", ["os", "antigravity", "google.cloud.nothing_v9", ""])
def test_only_known_packages_are_imported(module: str) -> None:
    service = f"service: t.example.com\nversions: [{{version: v1, sources: [{{kind: python, module: {module!r}}}]}}]"
    folder = read_files({"service.yaml": service.encode()})

    assert [each.code for each in folder.findings] == ["E-SOURCE"]
