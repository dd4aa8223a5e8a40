"""The Meta API's messages for the OpenAPI schema, taken from the very classes that read and write them."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiParameter

from migrations_app.domain.registry.documents import TYPES
from migrations_app.domain.registry.names import RegistryKind

_OPTIONS: dict[str, tuple[type, str]] = {
    "fieldMask": (str, "Paths parted by commas: only these fields are answered."),
    "view": (str, "NAME, BASIC, DETAIL or FULL."),
    "pageSize": (int, "How many, at most 1000; 100 when left out."),
    "pageToken": (str, "A nextPageToken or prevPageToken of an earlier answer."),
    "orderBy": (str, "`a.b asc, c desc`; ties are ordered by name."),
    "filter": (str, "A filter in the grammar of docs/reference/meta-api.md."),
    "includePagingInfo": (bool, "Answer currentOffset and totalResultsCount too."),
    "updateMask": (str, "Paths parted by commas: only these fields are written."),
    "allowMissing": (bool, "What does not exist is created (update) or fine (delete)."),
    "names": (str, "Full names; repeat the option."),
    "responseMask": (str, "With a field after a dot: skipEntireResponseBody, updatedFieldsOnly or bodyMask."),
    "cas": (str, "With a field after a dot: conditionalState.<path> for each field, and fieldMask."),
    "dryRun": (
        bool,
        "Check everything and store nothing; dry_run, validateOnly and validate_only are the same.",
    ),
    "If-Match": (str, "The ETag of what was read: 412 when it changed since."),
}


def listing(*names: str) -> list[OpenApiParameter]:
    """Describe query options."""
    return [
        OpenApiParameter(
            name,
            _OPTIONS[name][0],
            OpenApiParameter.HEADER if name == "If-Match" else OpenApiParameter.QUERY,
            description=_OPTIONS[name][1],
            many=name == "names",
        )
        for name in names
    ]


LISTING = listing("filter", "orderBy", "pageSize", "pageToken", "includePagingInfo", "fieldMask", "view")


@cache
def message(kind: RegistryKind) -> dict[str, Any]:
    """Describe the message of a kind, everything it holds written out in place."""
    schema, components = msgspec.json.schema_components([TYPES[kind]], ref_template="{name}")
    return _described(_whole(schema[0], components))


def listed(kind: RegistryKind) -> dict[str, Any]:
    """Describe a page of a kind."""
    return {
        "type": "object",
        "properties": {
            kind.value: {"type": "array", "items": message(kind)},
            "nextPageToken": {"type": "string"},
            "prevPageToken": {"type": "string"},
            "currentOffset": {"type": "integer"},
            "totalResultsCount": {"type": "integer"},
            "missing": {"type": "array", "items": {"type": "string"}},
        },
    }


def changing(kind: RegistryKind) -> dict[str, Any]:
    """Describe the body of a change: the message, or an envelope with a condition around it."""
    condition = {
        "type": "object",
        "properties": {"conditionalState": {"type": "object"}, "fieldMask": {"type": "string"}},
    }
    answer = {
        "type": "object",
        "properties": {
            "skipEntireResponseBody": {"type": "boolean"},
            "updatedFieldsOnly": {"type": "boolean"},
            "bodyMask": {"type": "string"},
        },
    }
    envelope = {
        "type": "object",
        "required": ["resource"],
        "properties": {
            "resource": message(kind),
            "cas": condition,
            "updateMask": {"type": "string"},
            "allowMissing": {"type": "boolean"},
            "responseMask": answer,
        },
    }
    return {"application/json": {"oneOf": [message(kind), envelope]}}


def watching(*, many: bool) -> dict[str, Any]:
    """Describe the body that opens a watch."""
    text, count = {"type": "string"}, {"type": "integer", "minimum": 0}
    if not many:
        return {"application/json": {"type": "object", "properties": {"fieldMask": text, "view": text}}}
    return {
        "application/json": {
            "type": "object",
            "properties": {
                "type": {"enum": ["STATEFUL", "STATELESS"]},
                "filter": text,
                "fieldMask": text,
                "view": text,
                "orderBy": text,
                "pageSize": count,
                "pageToken": text,
                "resumeToken": text,
                "startingTime": {"type": "string", "format": "date-time"},
                "maxChunkSize": count,
            },
        }
    }


def watched(kind: RegistryKind, singular: str) -> dict[tuple[int, str], dict[str, Any]]:
    """Describe one line of a watch of many."""
    text, flag, count = {"type": "string"}, {"type": "boolean"}, {"type": "integer"}
    about = {"type": "object", "properties": {"name": text, singular: message(kind), "viewIndex": count}}
    change = {
        "type": "object",
        "properties": dict.fromkeys(("added", "modified", "current", "removed"), about),
    }
    line = {
        "type": "object",
        "properties": {
            f"{singular}Changes": {"type": "array", "items": change},
            "isCurrent": flag,
            "resumeToken": text,
            "snapshotSize": text,
            "isSoftReset": flag,
            "isHardReset": flag,
            "pageTokenChange": {"type": "object"},
        },
    }
    return {(200, "application/x-ndjson"): line, (200, "text/event-stream"): line}


def _whole(schema: Any, components: dict[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _whole(components[schema["$ref"]], components)
        return {key: _whole(value, components) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_whole(each, components) for each in schema]
    return schema


def _described(schema: dict[str, Any]) -> dict[str, Any]:
    """A mask may cut any field."""
    schema.pop("required", None)
    return schema
