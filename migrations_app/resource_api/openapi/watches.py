"""The watches of a collection and of a resource in the OpenAPI document of a version."""

from __future__ import annotations

from migrations_app.kernel.json import Json, JsonObject
from migrations_app.resource_api.openapi.components import PREFER
from migrations_app.web.messages import EVENTS, LINES

_EITHER = (
    ("filter", "Which resources are told of."),
    ("filterDialect", "goten or aip160."),
    ("fieldMask", "Only these fields, parted by commas."),
    ("type", "STATELESS: all, in no order. STATEFUL: one page of the ordered list, by index."),
    ("resumeToken", "STATELESS: go on after the message that had this token."),
    ("startingTime", "STATELESS: go on after a time."),
    ("orderBy", "STATEFUL: the order of the list."),
    ("pageToken", "STATEFUL: a nextPageToken or prevPageToken of a list or watch."),
)
_ONE = ("fieldMask", "resumeToken", "startingTime")


def watch_of(short: str, parameters: list[Json], problem: JsonObject, *, one: bool) -> JsonObject:
    """Describe the watch of a collection, or of one resource of it."""
    given = [(name, told) for name, told in _EITHER if not one or name in _ONE]
    options: list[Json] = [
        {"name": name, "in": "query", "schema": {"type": "string"}, "description": told}
        for name, told in given
    ]
    for name in ("maxChunkSize",) if one else ("maxChunkSize", "pageSize"):
        size: JsonObject = {"type": "integer", "minimum": 1, "maximum": 1000}
        options.append({"name": name, "in": "query", "schema": size})
    options.append(PREFER)
    singular = f"{short[0].lower()}{short[1:]}"
    message = _message(short, singular)
    line: JsonObject = {"schema": message}
    answers: JsonObject = {
        "200": {"description": "A stream of messages.", "content": {LINES: line, EVENTS: line}},
        "4XX": problem,
        "503": problem,
    }
    verb = f"watch{'One' if one else ''}{short}"
    return {
        "parameters": parameters,
        "get": {"operationId": verb, "parameters": options, "responses": answers},
    }


def _message(short: str, singular: str) -> JsonObject:
    index: JsonObject = {"type": "integer"}
    whole: JsonObject = {"$ref": f"#/components/schemas/{short}"}
    text: JsonObject = {"type": "string"}
    about: JsonObject = {singular: whole, "viewIndex": index}
    change: JsonObject = {
        "type": "object",
        "properties": {
            "added": {"type": "object", "properties": about},
            "current": {"type": "object", "properties": about},
            "modified": {
                "type": "object",
                "properties": {"name": text, **about, "previousViewIndex": index},
            },
            "removed": {
                "type": "object",
                "properties": {"name": text, "metadata": {"type": "object"}, "viewIndex": index},
            },
        },
    }
    flag: JsonObject = {"type": "boolean"}
    return {
        "type": "object",
        "properties": {
            f"{singular}Changes": {"type": "array", "items": change},
            "isCurrent": flag,
            "resumeToken": text,
            "snapshotSize": {"type": "integer"},
            "isSoftReset": flag,
            "isHardReset": flag,
            "pageTokenChange": {
                "type": "object",
                "properties": {"nextPageToken": text, "prevPageToken": text},
            },
        },
    }
