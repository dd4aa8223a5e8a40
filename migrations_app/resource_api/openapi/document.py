"""The OpenAPI document of one service version, written from its schema when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.basic_actions import has_metadata, opted_out
from migrations_app.domain.schema.ir import Behavior, ResourceDefinition, Schema, UnknownKeys
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    FieldMaskType,
    FilterType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
    UnionType,
)
from migrations_app.domain.schema.words import is_searchable
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.openapi.components import EMPTY, IF_MATCH, METADATA, PREFER, PROBLEM, VIEW
from migrations_app.resource_api.openapi.methods import DRY_RUN, method_paths
from migrations_app.resource_api.openapi.watches import watch_of
from migrations_app.resource_api.paging import LIST_SIZE, strip_paging

_SCALARS: Mapping[ScalarKind, JsonObject] = {
    ScalarKind.BOOL: {"type": "boolean"},
    ScalarKind.I32: {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    ScalarKind.U32: {"type": "integer", "minimum": 0, "maximum": 2**32 - 1},
    ScalarKind.F32: {"type": "number", "format": "float"},
    ScalarKind.F64: {"type": "number", "format": "double"},
    ScalarKind.BYTES: {"type": "string", "format": "byte"},
    ScalarKind.TIMESTAMP: {"type": "string", "format": "date-time"},
    ScalarKind.DATE: {"type": "string", "format": "date"},
    ScalarKind.DURATION: {"type": "string", "format": "duration", "examples": ["90s", "1.5s"]},
    ScalarKind.ANY: {},
}
_WIDE = {
    ScalarKind.I64: {"format": "int64"},
    ScalarKind.U64: {"format": "uint64"},
}
_LIST_PARAMETERS = (
    ("filter", 'Which resources, such as title = "x" AND labels.team = "a".'),
    ("filterDialect", "goten or aip160."),
    ("orderBy", "Such as title desc, name."),
    ("pageToken", "A nextPageToken or prevPageToken of an earlier answer."),
    ("fieldMask", "Only these fields, parted by commas."),
)


def openapi(schema: Schema, region: str) -> JsonObject:
    """Describe a version of a service as a region serves it."""
    base = f"/apis/{region}/{schema.service}/{schema.version}"
    paths: dict[str, JsonObject] = {}
    components: dict[str, Json] = {"Problem": PROBLEM, "Metadata": METADATA}
    for short, resource in schema.resources.items():
        components[short] = _document(schema, resource)
        for text in resource.patterns:
            _add_paths(paths, short, resource, text)
    paths = {path: item for path, item in paths.items() if _operations(item)}
    paths |= method_paths(schema, _ids_of, lambda each: type_schema(schema, each), _REFUSAL)
    for name, each in schema.types.items():
        components.setdefault(f"type.{_plain(name)}", type_schema(schema, each))
    return {
        "openapi": "3.1.0",
        "info": {"title": schema.service, "version": schema.version},
        "servers": [{"url": base}],
        "security": [{"token": []}],
        "paths": dict(paths),
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _add_paths(paths: dict[str, JsonObject], short: str, resource: ResourceDefinition, text: str) -> None:
    pattern = Pattern.parse(text, resource.id_patterns)
    item = paths.setdefault(f"/{text}", {"parameters": _ids(pattern, text)})
    item |= {
        "get": _operation(f"get{short}", _answer(short), [*_query("fieldMask"), VIEW, PREFER]),
        "put": _operation(
            f"put{short}",
            _answer(short),
            [*_query("updateMask", "allowMissing"), DRY_RUN, IF_MATCH, PREFER],
            body=short,
        ),
        "patch": _operation(
            f"patch{short}",
            _answer(short),
            [*_query("updateMask"), DRY_RUN, IF_MATCH, PREFER],
            body=short,
            partial=True,
        ),
        "delete": _operation(f"delete{short}", {"200": EMPTY}, [*_query("allowMissing"), DRY_RUN, IF_MATCH]),
    }
    out = opted_out(resource)
    for action, method in (("get", "get"), ("update", "put"), ("update", "patch"), ("delete", "delete")):
        if action in out:
            del item[method]
    if "watch" not in out:
        paths[f"/{text}:watch"] = watch_of(short, _ids(pattern, text), _REFUSAL, one=True)
    if not pattern.is_singleton:
        _add_collection(paths, short, resource, text)


def _add_collection(
    paths: dict[str, JsonObject], short: str, resource: ResourceDefinition, text: str
) -> None:
    pattern = Pattern.parse(text, resource.id_patterns)
    above = text.rpartition("/")[0]
    plural = resource.plural or pattern.collection
    listed: JsonObject = {
        "type": "object",
        "properties": {
            plural: {"type": "array", "items": _ref(short)},
            "nextPageToken": {"type": "string"},
            "prevPageToken": {"type": "string"},
            "totalSize": {"type": "integer"},
            "currentOffset": {"type": "integer"},
            "totalResultsCount": {"type": "integer"},
        },
    }
    counts: list[Json] = [_flag("showTotal"), _flag("includePagingInfo")]
    collection = paths.setdefault(f"/{above}", {"parameters": _ids(pattern, above)})
    collection |= {
        "get": _operation(
            f"list{short}",
            {"200": _content("A page.", listed)},
            [*_query(*(name for name, _ in _LIST_PARAMETERS)), LIST_SIZE, *counts, VIEW, PREFER],
        ),
        "post": _operation(
            f"create{short}",
            {**_answer(short), **_answer(short, "201")},
            [*_query("id"), DRY_RUN, PREFER],
            body=short,
        ),
    }
    out = opted_out(resource)
    for action, method in (("list", "get"), ("create", "post")):
        if action in out:
            del collection[method]
    if is_searchable(resource) and "search" not in out:
        paths[f"/{above}:search"] = _search_of(short, above, pattern, plural)
    strip_paging(resource, collection, paths.get(f"/{above}:search"))
    if "watch" not in out:
        paths[f"/{above}:watch"] = watch_of(short, _ids(pattern, above), _REFUSAL, one=False)
    if "batchGet" not in out:
        paths[f"/{above}:batchGet"] = _batch_get_of(short, above, pattern, plural)


def _batch_get_of(short: str, above: str, pattern: Pattern, plural: str) -> JsonObject:
    several: JsonObject = {
        "type": "object",
        "properties": {
            plural: {"type": "array", "items": _ref(short)},
            "missing": {"type": "array", "items": {"type": "string"}},
        },
    }
    return {
        "parameters": _ids(pattern, above),
        "get": _operation(
            f"batchGet{short}", {"200": _content("Those that exist.", several)},
            [*_query("names", "fieldMask"), VIEW, PREFER],
        ),
    }  # fmt: skip


def _search_of(short: str, above: str, pattern: Pattern, plural: str) -> JsonObject:
    found: JsonObject = {
        "type": "object",
        "properties": {
            plural: {"type": "array", "items": _ref(short)},
            "nextPageToken": {"type": "string"},
        },
    }
    phrase: JsonObject = {
        "name": "phrase",
        "in": "query",
        "required": True,
        "schema": {"type": "string"},
        "description": "Words that must all occur; ham* stands for all that begin so.",
    }
    size: JsonObject = {"name": "pageSize", "in": "query", "schema": {"type": "integer", "minimum": 1}}
    return {
        "parameters": _ids(pattern, above),
        "get": _operation(
            f"search{short}", {"200": _content("A page.", found)},
            [phrase, size, *_query("pageToken", "fieldMask"), VIEW, PREFER],
        ),
    }  # fmt: skip


def _operations(item: JsonObject) -> set[str]:
    """List the operations of a path."""
    return item.keys() - {"parameters"}


def _operation(
    name: str, answers: JsonObject, parameters: list[Json], *, body: str = "", partial: bool = False
) -> JsonObject:
    found: JsonObject = {
        "operationId": name,
        "parameters": parameters,
        "responses": {**answers, "4XX": _REFUSAL, "503": _REFUSAL},
    }
    if body:
        schema: JsonObject = {"type": "object"} if partial else _ref(body)
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return found


def _document(schema: Schema, resource: ResourceDefinition) -> JsonObject:
    given = schema.object(resource.message)
    shown = type_schema(schema, given)
    properties = shown["properties"]
    assert isinstance(properties, dict)
    name = given.field(resource.name_field)
    properties[name.key if name else resource.name_field] = {"type": "string"}
    if has_metadata(resource):
        properties["$metadata" if given.by_key("metadata") else "metadata"] = _ref("Metadata")
    return shown


def type_schema(schema: Schema, given: Type) -> JsonObject:
    """Write a type as JSON Schema."""
    match given:
        case ScalarType():
            return _scalar(given)
        case EnumType():
            names: list[Json] = [each.name for each in given.values]
            return {"type": "string"} if given.open else {"type": "string", "enum": names}
        case ListType():
            unique = {"uniqueItems": True} if given.kind is ListKind.SET else {}
            return {"type": "array", "items": type_schema(schema, given.item), **unique}
        case MapType():
            return {"type": "object", "additionalProperties": type_schema(schema, given.value)}
        case ObjectType():
            return _object(schema, given)
        case UnionType():
            return {"anyOf": [type_schema(schema, branch) for branch in given.branches]}
        case RefType():
            return _ref(f"type.{_plain(given.name)}")
        case ReferenceType():
            targets = " or ".join(given.resource)
            return {"type": "string", "description": f"The name of a {targets}."}
        case FieldMaskType() | FilterType():
            return {"type": "string"}
        case StructType():
            return {}


def _object(schema: Schema, given: ObjectType) -> JsonObject:
    found: JsonObject = {
        "type": "object",
        "properties": {each.key: _field(schema, each) for each in given.fields},
    }
    required: list[Json] = [
        each.key for each in given.fields if each.required and given.oneof_of(each.name) is None
    ]
    if required:
        found["required"] = required
    if given.unknown is UnknownKeys.STRICT:
        found["additionalProperties"] = False
    if given.description:
        found["description"] = given.description
    return found


def _field(schema: Schema, given: Field) -> JsonObject:
    found = dict(type_schema(schema, given.type))
    if given.nullable:
        found = {"anyOf": [found, {"type": "null"}]}
    if Behavior.OUTPUT_ONLY in given.behavior:
        found["readOnly"] = True
    if Behavior.INPUT_ONLY in given.behavior:
        found["writeOnly"] = True
    if given.deprecated is not None:
        found["deprecated"] = True
    if given.description:
        found["description"] = given.description
    for name in ("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "pattern"):
        if name in given.constraints:
            found[name] = given.constraints[name]
    return found


def _scalar(given: ScalarType) -> JsonObject:
    if given.kind in _WIDE:
        kind = "string" if given.json_encoding == "string" else "integer"
        return {"type": kind, **_WIDE[given.kind]}
    found = dict(_SCALARS.get(given.kind, {"type": "string"}))
    if given.format and "format" not in found and found:
        found["format"] = given.format
    return found


def _ids(pattern: Pattern, text: str) -> list[Json]:
    expressions = dict(pattern.ids)
    found: list[Json] = []
    for name in re.findall(r"\{(\w+)", text):
        schema: JsonObject = {"type": "string", "pattern": f"^{expressions.get(name, '[^/]+')}$"}
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    return found


def _ids_of(resource: ResourceDefinition, text: str) -> list[Json]:
    return _ids(Pattern.parse(text, resource.id_patterns), text) if "{" in text else []


def _query(*names: str) -> list[Json]:
    told = dict(_LIST_PARAMETERS)
    return [
        {"name": name, "in": "query", "schema": {"type": "string"}, "description": told.get(name, "")}
        for name in names
    ]


def _flag(name: str) -> JsonObject:
    return {"name": name, "in": "query", "schema": {"type": "boolean"}}


def _answer(short: str, status: str = "200") -> JsonObject:
    return {status: _content("The resource.", _ref(short))}


def _content(description: str, schema: JsonObject) -> JsonObject:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _ref(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


_REFUSAL: JsonObject = {
    "description": "A refusal.",
    "content": {"application/problem+json": {"schema": _ref("Problem")}},
}
