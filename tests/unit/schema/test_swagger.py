"""Swagger 2.0 tells what the OpenAPI document of the same API tells."""

from __future__ import annotations

from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.ir import LoaderLoss
from migrations_app.kernel.json import Json
from tests.unit.schema.sources import folder, read

BOOK: Json = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "x-nullable": True},
        "discriminator": {"type": "string", "enum": ["A", "B"]},
        "shelf": {"$ref": "#/definitions/Shelf"},
        "pages": {"type": "object", "additionalProperties": {"$ref": "#/definitions/Page"}},
        "cover": {"type": "file"},
    },
}
SWAGGER: Json = {
    "swagger": "2.0",
    "info": {"title": "Books", "version": "1"},
    "basePath": "/api",
    "consumes": ["application/json"],
    "produces": ["application/json"],
    "parameters": {"Book": {"name": "book", "in": "body", "schema": {"$ref": "#/definitions/Book"}}},
    "responses": {"Book": {"description": "One book.", "schema": {"$ref": "#/definitions/Book"}}},
    "paths": {
        "/v1/shelves/{shelf}/books/{book}": {
            "parameters": [{"name": "shelf", "in": "path", "type": "string", "required": True}],
            "get": {"operationId": "getBook", "responses": {"200": {"$ref": "#/responses/Book"}}},
            "put": {
                "operationId": "putBook",
                "parameters": [{"$ref": "#/parameters/Book"}],
                "responses": {"204": {"description": "Done."}},
            },
            "post": {
                "operationId": "stampBook",
                "consumes": ["multipart/form-data"],
                "parameters": [{"name": "stamp", "in": "formData", "type": "file"}],
                "responses": {"200": {"schema": {"$ref": "#/definitions/Shelf"}}},
            },
        }
    },
    "definitions": {
        "Book": BOOK,
        "Novel": {"allOf": [{"$ref": "#/definitions/Book"}, {"properties": {"plot": {"type": "string"}}}]},
        "Page": {"type": "object", "discriminator": "kind", "properties": {"kind": {"type": "string"}}},
        "Shelf": {"type": "object", "properties": {"room": {"type": "integer", "format": "int32"}}},
    },
}
JSON_BOOK: Json = {"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}}
OPENAPI: Json = {
    "openapi": "3.0.3",
    "paths": {
        "/v1/shelves/{shelf}/books/{book}": {
            "get": {"operationId": "getBook", "responses": {"200": {"content": JSON_BOOK}}},
            "put": {
                "operationId": "putBook",
                "requestBody": {"content": JSON_BOOK},
                "responses": {"204": {}},
            },
            "post": {
                "operationId": "stampBook",
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Shelf"}}}
                    }
                },
            },
        }
    },
    "components": {
        "schemas": {
            "Book": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "nullable": True},
                    "discriminator": {"type": "string", "enum": ["A", "B"]},
                    "shelf": {"$ref": "#/components/schemas/Shelf"},
                    "pages": {
                        "type": "object",
                        "additionalProperties": {"$ref": "#/components/schemas/Page"},
                    },
                    "cover": {"type": "string", "format": "binary"},
                },
            },
            "Novel": {
                "allOf": [
                    {"$ref": "#/components/schemas/Book"},
                    {"properties": {"plot": {"type": "string"}}},
                ]
            },
            "Page": {
                "type": "object",
                "discriminator": {"propertyName": "kind"},
                "properties": {"kind": {"type": "string"}},
            },
            "Shelf": {"type": "object", "properties": {"room": {"type": "integer", "format": "int32"}}},
        }
    },
}


def test_swagger_tells_what_openapi_tells() -> None:
    swagger, openapi = read("openapi", SWAGGER), read("openapi", OPENAPI)

    assert swagger.types == openapi.types
    assert swagger.resources == openapi.resources
    assert swagger.methods == openapi.methods
    assert swagger.resource("Book").patterns == ("shelves/{shelf}/books/{book}",)
    assert (swagger.methods["putBook"].request, swagger.methods["getBook"].response) == ("Book", "Book")


def test_what_swagger_keeps_outside_of_json_is_named_as_a_loss() -> None:
    losses = read("openapi", SWAGGER).losses

    assert LoaderLoss("post /v1/shelves/{shelf}/books/{book}", "form-body") in losses


def test_a_mistake_in_swagger_is_told_as_it_is_written() -> None:
    service = b"service: t.example.com\nversions: [{version: v1, sources: [{kind: openapi, path: api.yaml}]}]"
    broken = b"""swagger: 2.0
paths: {}
definitions:
  Book:
    type: object
    properties:
      shelf: {$ref: '#/definitions/Gone'}
"""
    found = read_files({"service.yaml": service, "api.yaml": broken})
    (finding,) = [each for each in found.findings if each.severity == "error"]

    assert "#/definitions/Gone" in finding.message
    assert (finding.file, finding.path) == ("api.yaml", "Book.shelf")


def test_older_swagger_is_refused() -> None:
    (finding,) = folder("openapi", {"swagger": "1.2", "apis": []}).findings

    assert (finding.code, finding.file) == ("E-SHAPE", "d.json")
    assert finding.message == "This is neither an OpenAPI 3.0 or 3.1 nor a Swagger 2.0 document."
