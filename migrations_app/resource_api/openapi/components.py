"""The parts of the OpenAPI document that every version has."""

from __future__ import annotations

from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api.deprecated_use.body_details import PREFERENCE

IF_MATCH: JsonObject = {
    "name": "If-Match",
    "in": "header",
    "schema": {"type": "string"},
    "description": "The ETag of the read this write is based on.",
}
PREFER: JsonObject = {
    "name": "Prefer",
    "in": "header",
    "schema": {"type": "string"},
    "description": f"{PREFERENCE}: the metadata of each resource lists the deprecated fields that it holds.",
}
VIEW: JsonObject = {
    "name": "view",
    "in": "query",
    "schema": {"type": "string", "enum": ["NAME", "BASIC", "DETAIL", "FULL"]},
    "description": "How much is shown; a mask adds to it.",
}
EMPTY: JsonObject = {"description": "Done."}
PROBLEM: JsonObject = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string"},
        "remedy": {"type": "string"},
        "errors": {"type": "array", "items": {"type": "object"}},
    },
}
DEPRECATION: JsonObject = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "since": {"type": "string"},
        "sunset": {"type": "string"},
        "replacedBy": {"type": "string"},
        "detail": {"type": "string"},
    },
}
METADATA: JsonObject = {
    "type": "object",
    "properties": {
        "uuid": {"type": "string", "readOnly": True},
        "resourceVersion": {"type": "string", "readOnly": True},
        "generation": {"type": "string", "readOnly": True},
        "createTime": {"type": "string", "format": "date-time", "readOnly": True},
        "updateTime": {"type": "string", "format": "date-time", "readOnly": True},
        "shards": {"type": "object", "readOnly": True},
        "syncing": {"type": "object", "readOnly": True},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "deprecations": {
            "type": "array",
            "items": DEPRECATION,
            "readOnly": True,
            "description": "The deprecated fields that the resource holds, for requests that prefer it.",
        },
    },
}
