"""Custom methods are read from every kind of source, with what they act on, their messages and their address."""

from __future__ import annotations

import pytest

from migrations_app.domain.schema.canonical import write_schema
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.ir import Method, Schema, Streaming
from migrations_app.domain.schema.loaders.ir import VersionInfo, load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.domain.schema.methods import custom_methods, find_method, read_template, verbs_of
from migrations_app.kernel.json import Json, encode

PROTO = b"""
syntax = "proto3";
package library.v1;
import "google/api/annotations.proto";
import "google/api/resource.proto";
import "google/protobuf/empty.proto";
message Book {
  option (google.api.resource) = { type: "library.example.com/Book" pattern: "shelves/{shelf}/books/{book}" };
  string name = 1;
}
message LendRequest { string name = 1; string reader = 2; }
message FindRequest { string parent = 1; string text = 2; }
service Library {
  rpc GetBook(LendRequest) returns (Book) { option (google.api.http) = { get: "/v1/{name=shelves/*/books/*}" }; }
  rpc LendBook(LendRequest) returns (Book) { option (google.api.http) = { post: "/v1/{name=shelves/*/books/*}:lend" body: "*" }; }
  rpc GetText(LendRequest) returns (stream google.protobuf.Empty) {
    option (google.api.http) = { get: "/v1/{name=shelves/*/books/*}:text" };
  }
  rpc FindBooks(FindRequest) returns (google.protobuf.Empty) {
    option (google.api.http) = { post: "/v1/{parent=shelves/*}/books:find" body: "*" additional_bindings { get: "/v1/books:find" } };
  }
  rpc Ping(stream google.protobuf.Empty) returns (google.protobuf.Empty);
}
"""
OPENAPI: Json = {
    "openapi": "3.1.0",
    "paths": {
        "/v1/shelves/{shelf}/books/{book-id}": {
            "get": {"operationId": "getBook", "responses": {"200": {"$ref": "#/x", "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Book"}}
            }}}}
        },
        "/v1/shelves/{shelf}/books/{book-id}:lend": {
            "post": {"operationId": "lendBook", "requestBody": {"content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Lend"}}
            }}, "responses": {}}
        },
        "/v1/shelves/{shelf}/books:count": {"get": {"operationId": "countBooks", "responses": {}}},
    },
    "components": {"schemas": {
        "Book": {"type": "object", "properties": {"name": {"type": "string"}}},
        "Lend": {"type": "object", "properties": {"reader": {"type": "string"}}},
    }},
}  # fmt: skip
SKELETON = b"""
name: library.example.com
proto: {package: {name: library, currentVersion: v1}}
resources:
- name: Book
  actions:
  - name: LendBook
    verb: lend
    opResourceInfo: {requestPaths: {resourceName: [book]}}
  - name: FindBooks
    verb: find
    responseName: Found
    grpcTranscoding: {httpMethod: get}
    opResourceInfo: {isCollection: true}
    streamingResponse: true
apis:
- name: Tools
  actions: [{name: Sweep, verb: sweep}]
"""
MESSAGES = b"""
types:
  LendBookRequest: {fields: {book: string, reader: string}}
  Found: {fields: {count: i32}}
"""


def read(*sources: tuple[str, str, bytes]) -> Schema:
    listed = "\n".join(f"      - {{kind: {kind}, path: {path}}}" for kind, path, _ in sources)
    service = f"service: library.example.com\nversions:\n  - version: v1\n    sources:\n{listed}\n"
    folder = read_files({"service.yaml": service.encode(), **{path: data for _, path, data in sources}})
    assert [each for each in folder.findings if each.code.startswith("E-")] == []
    return folder.schemas["v1"]


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("/v1/{name=shelves/*/books/*}:lend", ("shelves/*/books/*", "lend", "name")),
        ("/v1beta2/{parent=shelves/*}/books:find", ("shelves/*/books", "find", "parent")),
        ("/v1/{book.name=shelves/*/books/*}:lend", ("shelves/*/books/*", "lend", "book.name")),
        ("/v1/shelves/{shelf}/books/{book}:lend", ("shelves/*/books/*", "lend", "")),
        ("/v1/{name=shelves/*/books/*}", ("", "", "")),
        ("/v1/shelves/a:b/books", ("", "", "")),
        ("/v1/shelves:", ("", "", "")),
    ],
)
def test_an_address_is_taken_apart(template: str, found: tuple[str, str, str]) -> None:
    assert read_template(template) == found


def test_protobuf_gives_addresses_messages_and_streams() -> None:
    schema = read(("protobuf", "library/v1/library.proto", PROTO))

    assert custom_methods(schema) == (
        Method(
            "LendBook",
            "LendRequest",
            "Book",
            verb="lend",
            resource="Book",
            name_field="name",
            http_method="POST",
            body="*",
        ),
        Method(
            "GetText",
            "LendRequest",
            "google.protobuf.Empty",
            verb="text",
            resource="Book",
            name_field="name",
            http_method="GET",
            reads=True,
            streaming=Streaming.SERVER,
        ),
        Method(
            "FindBooks",
            "FindRequest",
            "google.protobuf.Empty",
            verb="find",
            resource="Book",
            is_collection=True,
            name_field="parent",
            http_method="POST",
            body="*",
        ),
    )
    assert (schema.methods["GetBook"].kind, schema.methods["GetBook"].verb) == ("get", "")
    assert schema.methods["Ping"].streaming is Streaming.CLIENT


def test_openapi_gives_addresses_and_messages() -> None:
    schema = read(("openapi", "api.json", encode(OPENAPI)))

    lend, count = custom_methods(schema)
    assert (lend.name, lend.verb, lend.resource, lend.is_collection) == ("lendBook", "lend", "Book", False)
    assert (lend.request, lend.http_method, lend.reads, lend.kind) == ("Lend", "POST", False, "custom")
    assert (count.verb, count.is_collection, count.http_method, count.reads) == ("count", True, "GET", True)


def test_actions_of_a_skeleton_take_their_messages_from_another_source() -> None:
    schema = read(("skeleton", "skeleton.yaml", SKELETON), ("ir", "messages.yaml", MESSAGES))

    lend, find = custom_methods(schema)
    assert (lend.name, lend.verb, lend.request, lend.response) == ("LendBook", "lend", "LendBookRequest", "")
    assert (lend.name_field, lend.reads, lend.streaming) == ("book", False, Streaming.NONE)
    assert (find.response, find.is_collection, find.http_method) == ("Found", True, "GET")
    assert (find.name_field, find.reads, find.streaming) == ("parent", True, Streaming.SERVER)
    assert schema.methods["Sweep"].verb == ""


def test_a_method_is_found_by_its_address() -> None:
    schema = read(("protobuf", "library/v1/library.proto", PROTO))

    lend = find_method(schema, "Book", "lend", is_collection=False)
    assert lend is schema.methods["LendBook"]
    assert find_method(schema, "Book", "lend", is_collection=True) is None
    assert verbs_of(schema, "Book", is_collection=False) == ("lend", "text")
    assert verbs_of(schema, "Book", is_collection=True) == ("find",)


def test_a_schema_with_methods_is_written_and_read_back_the_same() -> None:
    schema = read(("protobuf", "library/v1/library.proto", PROTO))
    written = encode(write_schema(schema)).decode()

    assert load_ir(read_yaml(written), VersionInfo()).schema.methods == schema.methods


@pytest.mark.parametrize(
    ("method", "problem"),
    [
        ("{verb: lend, resource: Bok}", "acts on the unknown resource type Bok"),
        ("{verb: 'l/e', resource: Book}", "has the verb 'l/e', which is no name"),
        ("{verb: lend, resource: Book, http: LEND}", "is called by 'LEND', which is no HTTP method"),
        (
            "{verb: lend, resource: Book, request: Lend, nameField: book}",
            "has no field book for the name in its address",
        ),
    ],
)
def test_an_address_that_cannot_be_one_is_refused(method: str, problem: str) -> None:
    text = f"""
types: {{Book: {{fields: {{name: string}}}}, Lend: {{fields: {{name: string}}}}}}
resources: {{Book: {{patterns: ["books/{{book}}"]}}}}
methods: {{LendBook: {method}}}
"""
    service = (
        b"service: library.example.com\nversions: [{version: v1, sources: [{kind: ir, path: v1.yaml}]}]\n"
    )
    folder = read_files({"service.yaml": service, "v1.yaml": text.encode()})

    assert [each.message for each in folder.findings] == [
        f"library.example.com v1: methods.LendBook {problem}."
    ]
