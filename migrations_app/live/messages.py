"""The messages of the live stream, declared once: as they are sent, and as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from migrations_app.domain.events import Event
from migrations_app.kernel.json import encode
from migrations_app.web.openapi.structs import component_name, components_of


class StreamMessage(Struct, frozen=True, kw_only=True, tag_field="op"):
    """A message of the stream; `op` says which."""


class StreamEventSchema(StreamMessage, frozen=True, kw_only=True, tag="event"):
    """One change of one thing: it is now `full`, `patch` lies over it, or it is gone."""

    seq: int
    ts: str
    topic: str
    kind: str
    id: str
    rev: int
    full: dict[str, Any] | UnsetType = UNSET
    patch: dict[str, Any] | UnsetType = UNSET
    gone: bool | UnsetType = UNSET


class StreamHelloSchema(StreamMessage, frozen=True, kw_only=True, tag="hello"):
    """The first message, with the number from which on events come."""

    server_time: str
    seq: int


class StreamHeartbeatSchema(StreamMessage, frozen=True, kw_only=True, tag="heartbeat"):
    """A sign of life, with the number up to which every event was sent."""

    seq: int
    server_time: str


class StreamResyncSchema(StreamMessage, frozen=True, kw_only=True, tag="resync"):
    """The snapshot of a topic must be read again."""

    topic: str


class StreamDeniedSchema(StreamMessage, frozen=True, kw_only=True, tag="denied"):
    """A topic is not followed, or not any more."""

    topic: str
    reason: str


MESSAGES = (
    StreamEventSchema,
    StreamHelloSchema,
    StreamHeartbeatSchema,
    StreamResyncSchema,
    StreamDeniedSchema,
)


def event_message(event: Event) -> StreamEventSchema:
    """Give an event as it goes over the wire."""
    return StreamEventSchema(
        seq=event.seq,
        ts=event.ts.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        topic=event.topic,
        kind=event.kind,
        id=event.id,
        rev=event.rev,
        full=UNSET if event.full is None else event.full,
        patch=UNSET if event.full is not None or event.patch is None else event.patch,
        gone=True if event.gone else UNSET,
    )


def written(message: StreamMessage) -> str:
    """Write a message."""
    return encode(message).decode()


def add_stream_messages(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Describe the messages in the OpenAPI document: no operation of it speaks of them."""
    described = components_of(MESSAGES)
    described["StreamMessage"] = {
        "oneOf": [{"$ref": f"#/components/schemas/{component_name(message)}"} for message in MESSAGES],
        "description": "A message of the live stream; `op` says which.",
    }
    result["components"]["schemas"].update(described)
    return result
