"""How the Structs of the REST API are described in the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import Any

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, OpenApiParameter
from msgspec import inspect

from migrations_app.web.contract import RequestBody


class StructDescription(OpenApiSerializerExtension):
    """Describes a Struct by the JSON Schema that msgspec gives, and registers what it refers to."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Name the component as the class, without `Schema` at its end."""
        return component_name(_class_of(self.target))

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        """Give the schema; the Structs inside become components of their own."""
        described = _class_of(self.target)
        suffix = "Request" if direction == "request" else ""
        _, schemas = msgspec.json.schema_components(
            [described], ref_template="#/components/schemas/{name}" + suffix
        )
        for struct in _structs_in(inspect.type_info(described)):
            if struct is not described:
                auto_schema.resolve_serializer(struct, direction)
        plain: dict[str, Any] = _plain(schemas[described.__name__])
        return plain if direction == "request" else _always_given(plain)


def component_name(described: type) -> str:
    """Name a Struct as clients see it: `ApprovalSchema` is `Approval`."""
    return described.__name__.removesuffix("Schema")


def components_of(structs: Sequence[type]) -> dict[str, Any]:
    """Describe Structs that no operation speaks of, each as a component."""
    _, schemas = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    return {component_name(struct): _plain(schemas[struct.__name__]) for struct in structs}


def parameters_of(question: type[RequestBody]) -> list[OpenApiParameter]:
    """Describe the parameters of a query that a Struct declares."""
    _, schemas = msgspec.json.schema_components([question])
    schema = _plain(schemas[question.__name__])
    return [
        OpenApiParameter(
            name,
            {key: value for key, value in each.items() if key != "description"},
            required=name in schema.get("required", ()),
            description=each.get("description", ""),
        )
        for name, each in schema["properties"].items()
    ]


def _always_given(schema: dict[str, Any]) -> dict[str, Any]:
    """Say of an answer that what has a default in requests is always in it."""
    fields: dict[str, dict[str, Any]] = schema.get("properties", {})
    required = [
        name for name, each in fields.items() if name in schema.get("required", ()) or "default" in each
    ]
    return {
        **schema,
        "properties": {
            name: {key: value for key, value in each.items() if key != "default"}
            for name, each in fields.items()
        },
        **({"required": required} if required else {}),
    }


def _class_of(target: Any) -> type:
    return target if isinstance(target, type) else type(target)


def _structs_in(info: inspect.Type) -> Iterator[type]:
    """List the Structs that a type is made of, down to the first on each way."""
    if isinstance(info, inspect.StructType):
        for each in info.fields:
            yield from _named(each.type)


def _named(info: inspect.Type) -> Iterator[type]:
    if isinstance(info, inspect.StructType):
        yield info.cls
    elif isinstance(info, inspect.Metadata):
        yield from _named(info.type)
    elif isinstance(info, inspect.UnionType):
        for each in info.types:
            yield from _named(each)
    elif isinstance(info, inspect.ListType):
        yield from _named(info.item_type)
    elif isinstance(info, inspect.DictType):
        yield from _named(info.value_type)


def _plain(schema: Any) -> Any:
    """Write a schema as the document does: no titles, no patterns beside listed values, types with null as a list.

    What it refers to is named as `component_name` does.
    """
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        name: {key: _plain(each) for key, each in value.items()} if name == "properties" else _plain(value)
        for name, value in schema.items()
        if name not in ("title", "additionalProperties") or isinstance(value, dict)
    }
    if isinstance(place := found.get("$ref"), str):
        found["$ref"] = re.sub(r"Schema(Request)?$", r"\1", place)
    if isinstance(words := found.get("description"), str):
        found["description"] = cleandoc(words)
    if found.get("type") == "object" and "properties" not in found:
        found.setdefault("additionalProperties", {})
    if found.get("type") == "number":
        found["format"] = "double"
    if "enum" in found:
        found.pop("pattern", None)
        found.pop("minLength", None)
    options = found.get("anyOf")
    if isinstance(options, list) and len(options) == 2 and options[1] == {"type": "null"}:
        del found["anyOf"]
        first = options[0]
        if isinstance(first.get("type"), str) and "enum" not in first:
            return {**found, **first, "type": [first["type"], "null"]}
        return {**found, "oneOf": options}
    return found
