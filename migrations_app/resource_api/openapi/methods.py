"""The paths of custom methods in the OpenAPI document of a service version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from migrations_app.domain.schema.ir import Method, ResourceDefinition, Schema, Streaming
from migrations_app.domain.schema.methods import custom_methods
from migrations_app.domain.schema.types import ObjectType, RefType, Type
from migrations_app.kernel.json import Json, JsonObject

DRY_RUN: JsonObject = {
    "name": "dryRun",
    "in": "query",
    "schema": {"type": "boolean"},
    "description": "Answer what would be, and store nothing.",
}
Ids = Callable[[ResourceDefinition, str], list[Json]]
Written = Callable[[Type], JsonObject]


def method_paths(
    schema: Schema, ids: Ids, written: Written, refusal: JsonObject
) -> Iterator[tuple[str, JsonObject]]:
    """Describe every custom method at every address of its resource type."""
    for method in custom_methods(schema):
        resource = schema.resources.get(method.resource)
        for pattern in resource.patterns if resource else ():
            at = pattern.rpartition("/")[0] if method.is_collection else pattern
            operation = _operation(schema, method, written, refusal)
            assert resource is not None
            yield (
                f"/{at}:{method.verb}",
                {"parameters": ids(resource, at), method.http_method.lower(): operation},
            )


def _operation(schema: Schema, method: Method, written: Written, refusal: JsonObject) -> JsonObject:
    answer = _typed(schema, method.response, written)
    streams = method.streaming in (Streaming.SERVER, Streaming.BOTH)
    form = "application/x-ndjson" if streams else "application/json"
    found: JsonObject = {
        "operationId": f"call{method.name}",
        "parameters": [],
        "responses": {
            "200": {"description": "The response.", "content": {form: {"schema": answer}}},
            "4XX": refusal,
            "5XX": refusal,
        },
        "x-permission": f"resource.method:{method.name}",
    }
    if method.http_method != "GET":
        found["parameters"] = [DRY_RUN]
        body = _request(schema, method, written)
        found["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return found


def _request(schema: Schema, method: Method, written: Written) -> JsonObject:
    """Write the type of a request without the field that the address fills."""
    message = schema.resolve(schema.type(method.request)) if method.request in schema.types else None
    if not isinstance(message, ObjectType):
        return _typed(schema, method.request, written)
    fields = tuple(each for each in message.fields if each.name != method.name_field)
    return written(replace(message, fields=fields))


def _typed(schema: Schema, message: str, written: Written) -> JsonObject:
    """Refer to the type of a message; one that is a resource is the resource with its metadata."""
    for short, resource in schema.resources.items():
        if message and resource.message == message:
            return {"$ref": f"#/components/schemas/{short}"}
    return written(RefType(message)) if message in schema.types else {"type": "object"}
