"""JSON Schema, OpenAPI and Kubernetes definitions are read, and what the IR cannot tell is reported."""

from __future__ import annotations

import time

import pytest

from migrations_app.domain.schema.documents import check_document
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.ir import Behavior
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
    UnknownKeys,
)
from migrations_app.kernel.json import Json, encode
from tests.unit.schema.sources import folder, property_types, read


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

    assert found.unknown is UnknownKeys.STRICT
    assert (fields["a"].required, fields["a"].nullable) == (True, True)
    assert fields["a"].constraints == {"minLength": 2, "pattern": "^a"}
    assert fields["b"].constraints == {"min": 0, "exclusiveMax": 10}
    assert (fields["b"].default.value, fields["b"].behavior) == (3, frozenset({Behavior.OUTPUT_ONLY}))
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


@pytest.mark.parametrize(
    ("base", "reference", "codes"),
    [
        ("https://schemas.example.com/order", "https://schemas.example.com/money#/$defs/Amount", []),
        ("https://schemas.example.com/order", "money#/$defs/Amount", []),
        ("", "https://schemas.example.com/money#/$defs/Amount", []),
        ("https://schemas.example.com/order", "parts/money.json#/$defs/Amount", []),
        ("https://schemas.example.com/order", "https://schemas.example.com/tax#/$defs/Amount", ["E-REF"]),
    ],
)
def test_a_reference_through_the_id_of_another_file_leads_to_it(
    base: str, reference: str, codes: list[str]
) -> None:
    order: Json = {"title": "Order", "type": "object", "properties": {"total": {"$ref": reference}}}
    if isinstance(order, dict) and base:
        order["$id"] = base
    money: Json = {
        "$id": "https://schemas.example.com/money",
        "$defs": {"Amount": {"type": "object", "properties": {"units": {"type": "integer"}}}},
    }
    found = read_files(
        {
            "service.yaml": b"service: t.example.com\n"
            b"versions: [{version: v1, sources: [{kind: jsonschema, path: schemas}]}]",
            "schemas/order.json": encode(order),
            "schemas/parts/money.json": encode(money),
        }
    )

    assert [each.code for each in found.findings] == codes
    total = found.schemas["v1"].object("Order").field("total")
    assert total is not None
    assert (total.type == RefType("Amount")) is not bool(codes)


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
    assert time.process_time() - started < 60
