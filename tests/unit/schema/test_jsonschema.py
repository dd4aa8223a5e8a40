"""JSON Schema, OpenAPI and Kubernetes definitions are read, and what the IR cannot tell is reported."""

from __future__ import annotations

import time

import pytest

from migrations_app.domain.schema.documents import check_document
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import Behavior, Schema
from migrations_app.domain.schema.types import (
    EnumType,
    ListKind,
    ListType,
    MapType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
    Unknown,
)
from migrations_app.kernel.json import Json, encode


def folder(kind: str, document: Json | bytes, version: str = "v1", **more: str) -> ServiceFolder:
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    service = f"service: t.example.com\nversions: [{{version: {version}, sources: [{{kind: {kind}, path: d.json{extra}}}]}}]"
    text = document if isinstance(document, bytes) else encode(document)
    return read_files({"service.yaml": service.encode(), "d.json": text})


def read(kind: str, document: Json | bytes, version: str = "v1", **more: str) -> Schema:
    found = folder(kind, document, version, **more)
    assert [str(each) for each in found.findings if each.severity == "error"] == []
    return found.schemas[version]


def property_types(properties: Json, **more: Json) -> dict[str, Type]:
    schema = read("jsonschema", {"type": "object", "properties": properties, **more}, type="T")
    return {field.name: field.type for field in schema.object("T")}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "string"}, ScalarType(ScalarKind.STRING)),
        ({"type": "string", "format": "date-time"}, ScalarType(ScalarKind.TIMESTAMP)),
        ({"type": "string", "format": "byte"}, ScalarType(ScalarKind.BYTES)),
        ({"type": "string", "format": "uuid"}, ScalarType(ScalarKind.STRING, "uuid")),
        ({"type": "integer"}, ScalarType(ScalarKind.I64)),
        ({"type": "integer", "format": "int32"}, ScalarType(ScalarKind.I32)),
        ({"type": "number"}, ScalarType(ScalarKind.F64)),
        ({"type": "boolean"}, ScalarType(ScalarKind.BOOL)),
        ({}, StructType()),
        (True, StructType()),
        ({"type": "object"}, StructType()),
        ({"type": "array", "items": {"type": "string"}}, ListType(ScalarType(ScalarKind.STRING))),
        (
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            ListType(ScalarType(ScalarKind.STRING), ListKind.SET),
        ),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            MapType(ScalarType(ScalarKind.I64)),
        ),
        ({"$ref": "#/$defs/Other"}, RefType("Other")),
        ({"$ref": "#"}, RefType("T")),
        ({"allOf": [{"$ref": "#/$defs/Other"}], "description": "x"}, RefType("Other")),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ScalarType(ScalarKind.STRING)),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            UnionType((ScalarType(ScalarKind.STRING), ScalarType(ScalarKind.I64))),
        ),
        (
            {"type": ["string", "integer"]},
            UnionType((ScalarType(ScalarKind.STRING), ScalarType(ScalarKind.I64))),
        ),
    ],
)
def test_each_form_of_schema_becomes_a_type(given: Json, expected: Type) -> None:
    defs: Json = {"Other": {"type": "object", "properties": {"a": {"type": "string"}}}}
    assert property_types({"x": given}, **{"$defs": defs})["x"] == expected


def test_properties_say_more_than_their_type() -> None:
    document: Json = {
        "type": "object",
        "required": ["a"],
        "additionalProperties": False,
        "properties": {
            "a": {"type": ["string", "null"], "minLength": 2, "pattern": "^a"},
            "b": {"type": "integer", "minimum": 0, "exclusiveMaximum": 10, "default": 3, "readOnly": True},
            "c": {"type": "integer", "minimum": 1, "exclusiveMinimum": True, "deprecated": True},
            "d": {"enum": ["X", "Y", None]},
            "e": {"$ref": "#/definitions/Port"},
        },
        "definitions": {"Port": {"type": "integer", "maximum": 65535}},
    }
    schema = read("jsonschema", document, type="T")
    found = schema.object("T")
    fields = {field.name: field for field in found}

    assert found.unknown is Unknown.STRICT
    assert (fields["a"].required, fields["a"].nullable) == (True, True)
    assert fields["a"].constraints == {"minLength": 2, "pattern": "^a"}
    assert fields["b"].constraints == {"min": 0, "exclusiveMax": 10}
    assert (fields["b"].default.value, fields["b"].behavior) == (3, {Behavior.OUTPUT_ONLY})
    assert fields["c"].constraints == {"exclusiveMin": 1}
    assert fields["c"].deprecated is not None
    assert isinstance(fields["d"].type, EnumType)
    assert fields["d"].nullable
    assert fields["e"].constraints == {"max": 65535}
    assert check_document(schema, "T", {"a": "ab", "b": 9, "c": 2, "d": None, "e": 80}).valid
    assert not check_document(schema, "T", {"a": "ab", "b": 10}).valid
    assert not check_document(schema, "T", {"a": "ab", "c": 1}).valid


def test_all_of_is_put_together() -> None:
    document: Json = {
        "allOf": [
            {"$ref": "#/definitions/Base"},
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
        ],
        "definitions": {
            "Base": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
        },
    }
    found = read("jsonschema", document, type="T").object("T")

    assert [(field.name, field.required) for field in found] == [("a", True), ("b", True)]


def test_what_the_ir_cannot_tell_is_a_loss() -> None:
    document: Json = {
        "type": "object",
        "properties": {
            "a": {"not": {"type": "string"}},
            "b": {"type": "array", "prefixItems": [{}]},
            "c": {"enum": [1, 2]},
            "d": {"type": "array", "items": {"type": "string", "maxLength": 3}},
        },
        "if": {},
        "patternProperties": {"^x-": {}},
    }
    losses = {(each.path, each.what) for each in read("jsonschema", document, type="T").losses}

    assert losses == {
        ("T", "if"),
        ("T", "additionalProperties beside properties"),
        ("T.a", "not"),
        ("T.b", "tuple"),
        ("T.c", "enum of other than text"),
        ("T.d[]", "constraints of elements"),
    }


def test_nothing_outside_the_document_is_fetched() -> None:
    found = folder(
        "jsonschema", {"type": "object", "properties": {"a": {"$ref": "http://x.example.com/s"}}}, type="T"
    )
    assert [each.code for each in found.findings] == ["E-REF"]


def test_a_reference_to_the_document_by_its_own_name_stays_inside() -> None:
    document: Json = {
        "definitions": {
            "A": {"type": "object", "properties": {"b": {"$ref": "/api/d.json#/definitions/B"}}},
            "B": {"type": "string"},
        }
    }
    field = read("jsonschema", document, type="T").object("A").field("b")

    assert field is not None
    assert field.type == RefType("B")


def test_a_folder_of_files_that_refer_to_each_other_is_one_source() -> None:
    service = (
        b"service: t.example.com\nversions: [{version: v1, sources: [{kind: jsonschema, path: schemas}]}]"
    )
    order: Json = {
        "title": "Order",
        "type": "object",
        "properties": {
            "lines": {"type": "array", "items": {"$ref": "parts/line.json"}},
            "total": {"$ref": "parts/money.json#/$defs/Amount"},
            "before": {"$ref": "#"},
            "away": {"$ref": "https://example.com/x.json"},
        },
    }
    line: Json = {"type": "object", "properties": {"price": {"$ref": "money.json#/$defs/Amount"}}}
    money: Json = {"$defs": {"Amount": {"type": "string", "format": "date-time"}}}
    found = read_files(
        {
            "service.yaml": service,
            "schemas/order.json": encode(order),
            "schemas/parts/line.json": encode(line),
            "schemas/parts/money.json": encode(money),
        }
    )
    schema = found.schemas["v1"]
    types = {field.name: field.type for field in schema.object("Order")}

    assert [each.code for each in found.findings] == ["E-REF"]
    assert set(schema.types) == {"Order", "line", "Amount"}
    assert types["lines"] == ListType(RefType("line"))
    assert types["total"] == RefType("Amount")
    assert types["before"] == RefType("Order")
    price = schema.object("line").field("price")
    assert price is not None
    assert price.type == RefType("Amount")


def test_two_names_that_become_one_are_refused() -> None:
    found = folder("jsonschema", {"definitions": {"a b": {"type": "string"}, "a_b": {"type": "integer"}}})
    assert [each.code for each in found.findings] == ["E-CLASH"]


def nested(levels: int) -> Json:
    inner: Json = {"type": "string"}
    for _ in range(levels):
        inner = {"type": "object", "properties": {"a": inner}}
    return inner


def doubling(levels: int) -> Json:
    part: dict[str, Json] = {}
    for level in range(levels):
        ref: Json = {"allOf": [{"$ref": f"#/definitions/L{level + 1}"}, {"required": ["x"]}]}
        part[f"L{level}"] = {"type": "object", "properties": {"x": ref, "y": ref}}
    part[f"L{levels}"] = {"type": "object", "properties": {"x": {"type": "string"}}}
    return {"definitions": part}


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (nested(40), "E-LIMIT"),
        (doubling(30), "E-LIMIT"),
        ({"definitions": {"A": {"$ref": "#/definitions/B"}, "B": {"$ref": "#/definitions/A"}}}, "E-ENDLESS"),
        ({"definitions": {"A": {"type": "colour"}}}, "E-TYPE"),
        ({"definitions": {"A": {"allOf": [{"type": "object"}] * 500}}}, "E-LIMIT"),
        ([], "E-SHAPE"),
        (b'{"type": "object", "type": "string"}', "E-DUPLICATE"),
    ],
)
def test_hostile_schemas_end_in_a_finding_in_time(document: Json | bytes, code: str) -> None:
    started = time.process_time()
    found = folder("jsonschema", document, type="T")

    assert code in [each.code for each in found.findings]
    assert time.process_time() - started < 10


OPENAPI: Json = {
    "openapi": "3.0.3",
    "paths": {
        "/v1/shelves/{shelf}/books/{book-id}": {
            "get": {
                "operationId": "getBook",
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}
                    }
                },
            },
            "put": {
                "operationId": "putBook",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}
                },
                "responses": {},
            },
        }
    },
    "components": {
        "schemas": {
            "Book": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "note": {"type": "string", "nullable": True, "x-sunset": "2027-01-31"},
                    "secret": {"type": "string", "format": "password", "writeOnly": True},
                    "mood": {"type": "string", "x-extensible-enum": ["GOOD"]},
                    "owner": {
                        "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
                        "discriminator": {"propertyName": "kind"},
                    },
                },
            },
            "Cat": {"type": "object", "properties": {"kind": {"type": "string"}}},
            "Dog": {"type": "object", "properties": {"kind": {"type": "string"}}},
        }
    },
}


def test_openapi_tells_types_operations_and_resources() -> None:
    schema = read("openapi", OPENAPI)
    fields = {field.name: field for field in schema.object("Book")}

    assert fields["name"].required
    assert fields["name"].always
    assert fields["note"].nullable
    assert fields["note"].deprecated is not None
    assert fields["note"].deprecated.sunset == "2027-01-31"
    assert fields["secret"].sensitive
    assert fields["secret"].behavior == {Behavior.INPUT_ONLY}
    assert fields["owner"].type == UnionType((RefType("Cat"), RefType("Dog")), "kind")
    assert isinstance(fields["mood"].type, EnumType)
    assert fields["mood"].type.open
    assert schema.resource("Book").patterns == ("shelves/{shelf}/books/{book_id}",)
    assert schema.resource("Book").plural == "books"
    assert {name: (each.kind, each.request, each.response) for name, each in schema.methods.items()} == {
        "getBook": ("get", "", "Book"),
        "putBook": ("update", "Book", ""),
    }


CRD = b"""
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {kind: CronTab, plural: crontabs, singular: crontab}
  versions:
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {hostPort: {type: string}}}}}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            properties:
              port: {x-kubernetes-int-or-string: true}
              cpu: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))$'}
              rules:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [id]
                items: {type: object, required: [id], properties: {id: {type: string}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              fixed: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}
---
apiVersion: v1
kind: ConfigMap
"""


def crd(version: str) -> ServiceFolder:
    service = (
        f"service: t.example.com\nversions: [{{version: {version}, sources: [{{kind: crd, path: d.yaml}}]}}]"
    )
    return read_files({"service.yaml": service.encode(), "d.yaml": CRD.replace(rb"\\", b"\\")})


def test_a_definition_tells_each_of_its_versions() -> None:
    found = crd("v1")
    assert found.findings == ()
    schema = found.schemas["v1"]
    document = schema.object("CronTab")
    spec = document.field("spec")
    assert spec is not None
    assert spec.required
    inner = {field.name: field for field in schema.resolve(spec.type)}  # type: ignore[union-attr]

    assert inner["port"].type == UnionType((ScalarType(ScalarKind.I64), ScalarType(ScalarKind.STRING)))
    assert inner["cpu"].type == ScalarType(ScalarKind.QUANTITY)
    rules = inner["rules"].type
    assert isinstance(rules, ListType)
    assert (rules.kind, rules.keys) == (ListKind.KEYED, ("id",))
    assert inner["free"].type == StructType()
    assert inner["fixed"].behavior == {Behavior.IMMUTABLE}
    assert schema.resource("CronTab").patterns == ("namespaces/{namespace}/crontabs/{crontab}",)
    assert schema.resource("CronTab").options["storage"] is True
    assert next(field.name for field in document) == "name"
    assert [field.name for field in crd("v1beta1").schemas["v1beta1"].object("CronTab")] == ["name", "spec"]


def test_a_resource_type_that_keeps_its_name_outside_is_given_one() -> None:
    service = b"""
service: t.example.com
versions: [{version: v1, sources: [{kind: jsonschema, path: d.json}, {path: names.yaml}]}]
"""
    document: Json = {
        "definitions": {
            "Pod": {"type": "object", "properties": {"ports": {"$ref": "#/definitions/Ports"}}},
            "Ports": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {"$ref": "#/definitions/Port"},
            },
            "Port": {"type": "object", "properties": {"number": {"type": "integer"}}},
        }
    }
    names = b'resources: {Pod: {patterns: ["pods/{pod}"]}}'
    found = read_files({"service.yaml": service, "d.json": encode(document), "names.yaml": names})
    schema = found.schemas["v1"]

    assert found.findings == ()
    assert next((field.name, field.id) for field in schema.object("Pod")) == ("name", "t.Pod/name")
    assert [(each.path, each.what.partition(":")[0]) for each in schema.losses] == [
        ("Ports", "list-map-keys that elements do not have"),
        ("Pod", "name-added"),
    ]


def test_a_version_that_no_definition_has_is_named() -> None:
    assert [each.message for each in crd("v7").findings] == ["There is no version v7, but v1beta1, v1."]
