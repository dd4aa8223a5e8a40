"""The two forms of a stream of messages: lines of JSON, or server-sent events."""

from __future__ import annotations

from migrations_app.kernel.json import JsonObject, encode

LINES, EVENTS = "application/x-ndjson", "text/event-stream"


def form_of(accept: str) -> str:
    """Choose the form of a stream by the header Accept: lines, unless events are asked for."""
    return EVENTS if EVENTS in accept else LINES


def written(message: JsonObject, form: str) -> bytes:
    """Write one message; an event has its resume token as its id."""
    if form == LINES:
        return encode(message) + b"\n"
    token = str(message.get("resumeToken") or "")
    return (f"id: {token}\n".encode() if token else b"") + b"data: " + encode(message) + b"\n\n"
