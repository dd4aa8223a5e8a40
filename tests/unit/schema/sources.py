"""Sources of schemas written in the test itself, read as one version of a service."""

from __future__ import annotations

from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import (
    Type,
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
