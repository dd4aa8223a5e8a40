"""OpenAPI documents and Kubernetes definitions tell types, resources and operations."""

from __future__ import annotations

from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import Behavior
from migrations_app.domain.schema.types import (
    EnumType,
    ListKind,
    ListType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    UnionType,
)
from migrations_app.kernel.json import Json, decode, encode
from tests.unit.schema.sources import read

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


def test_a_body_of_any_media_type_tells_a_resource() -> None:
    text = encode(OPENAPI).replace(b"application/json", b"*/*")

    assert read("openapi", decode(text)).resource("Book").patterns == ("shelves/{shelf}/books/{book_id}",)


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
    assert [(each.message, each.remedy) for each in crd("v7").findings] == [
        ("There is no version v7.", "The file has v1beta1, v1: name one of them, or add it.")
    ]
