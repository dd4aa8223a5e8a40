"""Sends bytes to the application as a server would, and takes what it answers, of a stream the beginning."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from migrations_app.kernel import json
from migrations_app.resource_api.app import Application


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it goes over the wire."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Received:
    """An answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        """Give its media type."""
        return self.headers.get("content-type", "").partition(";")[0]

    @property
    def document(self) -> Any:
        """Read it as JSON; of a stream, its first line."""
        return json.decode(self.body.partition(b"\n")[0] if self.kind.endswith("ndjson") else self.body)


async def exchange(app: Application, sent: Sent) -> Received:
    """Send one request."""
    gone, asked = asyncio.Event(), False
    started: dict[str, Any] = {}
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": sent.body}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            started.update(message)
            return
        parts.append(message.get("body", b""))
        if parts[-1] or not message.get("more_body"):
            # A listener to a stream for one message goes away then.
            gone.set()

    raw = sent.path.encode("latin-1", "replace")
    headers = {"host": "test", "content-length": str(len(sent.body)), **sent.headers}
    scope = {
        "type": "http",
        "method": sent.method,
        "path": sent.path,
        "raw_path": raw,
        "query_string": sent.query.encode("latin-1", "replace"),
        "headers": [
            (key.lower().encode(), value.encode("latin-1", "replace")) for key, value in headers.items()
        ],
        "client": ("127.0.0.1", 1),
    }
    await app(scope, receive, send)
    named = {key.decode("latin-1"): value.decode("latin-1") for key, value in started["headers"]}
    return Received(started["status"], named, b"".join(parts))
