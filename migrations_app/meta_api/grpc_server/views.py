"""Calls of the views behind the Meta API, in this process, by the interface that every Django server uses."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse, StreamingHttpResponse

from migrations_app.kernel.json import JsonObject
from migrations_app.meta_api.grpc_server.requests import HttpCall

PASSED_ON = ("authorization", "x-request-id", "idempotency-key", "if-match", "user-agent")
"""Metadata of a call that are headers of the HTTP request."""
SHOWN = (
    "x-request-id",
    "etag",
    "retry-after",
    "idempotency-replayed",
    "ratelimit-remaining",
    "ratelimit-reset",
)
"""Headers of the answer that are metadata of the call's answer."""


@dataclass(frozen=True, slots=True)
class ViewResponse:
    """What a view answered: a body, or a stream of them."""

    status: int
    body: JsonObject
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: StreamingHttpResponse | None = None


@cache
def _views() -> WSGIHandler:
    return WSGIHandler()


def call(asked: HttpCall, metadata: Mapping[str, str], peer: str, *, secure: bool) -> ViewResponse:
    """Let the view answer; permissions, limits, audit and errors are those of the HTTP request."""
    response = _views()(_environ(asked, metadata, peer, secure=secure), _ignore)
    headers = {name: response.headers[name] for name in SHOWN if name in response.headers}
    if isinstance(response, StreamingHttpResponse):
        return ViewResponse(response.status_code, {}, headers, response)
    content = response.content if isinstance(response, HttpResponse) else b""
    try:
        body = json.loads(content) if content else {}
    finally:
        response.close()
    return ViewResponse(response.status_code, body, headers)


async def messages_of(response: StreamingHttpResponse) -> AsyncIterator[JsonObject]:
    """Read the messages of a stream; it is closed when the reading ends."""
    try:
        async for line in response:
            for each in bytes(line).splitlines():
                yield json.loads(each)
    finally:
        response.close()


def _environ(asked: HttpCall, metadata: Mapping[str, str], peer: str, *, secure: bool) -> dict[str, Any]:
    body = json.dumps(asked.body).encode() if asked.body is not None else b""
    host = next((each for each in settings.ALLOWED_HOSTS if not each.startswith((".", "*"))), "localhost")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": asked.verb,
        "PATH_INFO": asked.path.encode().decode("latin-1"),
        "SCRIPT_NAME": "",
        "QUERY_STRING": asked.query,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "SERVER_NAME": host,
        "SERVER_PORT": "443" if secure else "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": peer,
        "HTTP_HOST": host,
        "HTTP_ACCEPT": "application/json, application/x-ndjson",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https" if secure else "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name in PASSED_ON:
        if name in metadata:
            environ[f"HTTP_{name.upper().replace('-', '_')}"] = metadata[name]
    return environ


def _ignore(status: str, headers: list[tuple[str, str]], failed: Any = None, /) -> Callable[[bytes], object]:
    """Take no note: status and headers are read from the response itself."""
    return len
