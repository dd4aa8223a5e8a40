"""Handlers behind an address of the service: called by HTTP with a service token, in the backend's own version.

A backend answers its version's API as the service publishes it: `POST {url}/{version}/{name}:{verb}` with the request
as its body.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from urllib.parse import quote, urlencode, urlsplit

from migrations_app.adapters.egress.http import EgressClient, StreamedAnswer
from migrations_app.adapters.egress.sockets import named_destinations
from migrations_app.adapters.service_tokens import ServiceTokens
from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import Handler
from migrations_app.domain.schema.ir import Method, Streaming
from migrations_app.engine.methods.messages import MOST_BYTES
from migrations_app.kernel import json
from migrations_app.kernel.errors import Busy, InvariantBroken, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.tracing import tracer
from migrations_app.ports.processes.outbound import AnswerTooLarge, Deadline, EgressError, HttpResponse
from migrations_app.ports.regions.peer_requests import error_of
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.services.method_handlers import Handlers

CONNECT_SECONDS = 2.0
_GOOD, _PROBLEMS = 200, (*range(400, 500), 503)


@dataclass(slots=True)
class HttpBackends:
    """`ports.method_handlers.Handlers` over HTTP.

    `urls` are by `service/version`, and for one region alone by `service/version@region`. Only these addresses are
    connected to: definitions name none.
    """

    urls: Mapping[str, str]
    tokens: ServiceTokens
    _clients: dict[tuple[int, str], EgressClient] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, service: str, region: str, version: str, method: Method) -> Handler | None:
        """Find the handler of a method of a version; None when no backend is set for it."""
        place = f"{service}/{version}"
        url = self.urls.get(f"{place}@{region}") or self.urls.get(place)
        send = self._stream if method.streaming is Streaming.SERVER else self._send
        return None if url is None else Handler(partial(send, url, service, method))

    def _send(self, url: str, service: str, method: Method, call: Call) -> JsonObject:
        """Call the backend; an error that it answers is the caller's.

        Raises: Busy (`backend-unavailable`) · InvariantBroken (`handler-response`, `handler-failed`) · what it refuses.
        """
        with _unavailable(method), self._open(url, service, method, call) as answer:
            return _read(HttpResponse(answer.status, answer.headers, answer.read(MOST_BYTES)), method)

    def _stream(self, url: str, service: str, method: Method, call: Call) -> Iterator[JsonObject]:
        """Call the backend for lines of JSON, each of them a message.

        Raises: as `_send`.
        """
        with _unavailable(method), self._open(url, service, method, call) as answer:
            if answer.status != _GOOD:
                _read(HttpResponse(answer.status, answer.headers, answer.read(MOST_BYTES)), method)
                return
            for line in answer.lines():
                if line.strip():
                    yield _read(HttpResponse(_GOOD, {}, line), method)

    def _open(
        self, url: str, service: str, method: Method, call: Call
    ) -> AbstractContextManager[StreamedAnswer]:
        path = f"{urlsplit(url).path.rstrip('/')}/{call.version}/{_address(call, method)}:{method.verb}"
        here = Peer(service, call.region)
        # The path is none of this server's own: a backend cannot use the token against it.
        account: JsonObject = {"account": call.caller, "action": f"resource.method:{method.name}"}
        headers = {
            "content-type": "application/json",
            "accept": "application/x-ndjson" if method.streaming is Streaming.SERVER else "application/json",
            "authorization": f"Bearer {self.tokens.sign(here, here, method.http_method, path, account)}",
            "x-request-id": call.request_id,
            "x-server-timeout": f"{call.remaining_seconds():.3f}",
            **tracer().headers(),
        }
        reads = method.http_method == "GET"
        query = f"?{urlencode(_parameters(call))}" if reads else ""
        origin = f"{urlsplit(url).scheme}://{urlsplit(url).netloc}"
        return self._client(url).stream(
            method.http_method,
            f"{origin}{quote(path, safe='/:')}{query}",
            headers=headers,
            body=b"" if reads else json.encode(_body(call)),
            deadline=Deadline(max(call.remaining_seconds(), 0.001)),
        )

    def _client(self, url: str) -> EgressClient:
        # A forked child must not share its parent's sockets.
        key = (os.getpid(), url)
        with self._lock:
            client = self._clients.get(key)
            if client is None:
                client = self._clients[key] = EgressClient(
                    named_destinations([url]), keep=True, connect_seconds=CONNECT_SECONDS
                )
            return client


def _address(call: Call, method: Method) -> str:
    """Give the name that a call is of, with the collection below a parent."""
    return "/".join(filter(None, (call.name, call.collection if method.is_collection else "")))


def _body(call: Call) -> JsonObject:
    return {key: value for key, value in call.request.items() if key != call.name_key}


def _parameters(call: Call) -> list[tuple[str, str]]:
    return [
        (key, str(each).lower() if isinstance(each, bool) else str(each))
        for key, value in _body(call).items()
        for each in (value if isinstance(value, list) else [value])
    ]


def _read(answer: HttpResponse, method: Method) -> JsonObject:
    found = _decoded(answer.body)
    if answer.status in _PROBLEMS and isinstance(found, dict) and "code" in found:
        raise error_of(answer.status, found)
    if not 200 <= answer.status < 300:
        raise InvariantBroken(
            message("The backend of {name} answered {status}.", name=method.name, status=answer.status),
            code="handler-failed",
            remedy=message("Look into the log of the backend."),
        )
    if not isinstance(found, dict):
        raise InvariantBroken(
            message("The backend of {name} answered no JSON object.", name=method.name),
            code="handler-response",
            remedy=message("Fix the backend."),
        )
    return found


def _decoded(body: bytes) -> Json:
    try:
        return json.decode(body) if body else {}
    except SwitchyardError:
        return None


@contextmanager
def _unavailable(method: Method) -> Iterator[None]:
    try:
        yield
    except AnswerTooLarge as error:
        raise InvariantBroken(
            message("The backend of {name} answered more than is taken.", name=method.name),
            code="handler-response",
            remedy=message("Fix the backend."),
        ) from error
    except EgressError as error:
        told = "It may have got the call." if error.reached else "It did not get the call."
        raise Busy(
            message("The backend of {name} does not answer. {sent}", name=method.name, sent=told),
            code="backend-unavailable",
            remedy=message(
                "Try again once it answers; read the resource first when it may have got the call."
            ),
            retry_after_seconds=2.0,
            reached=error.reached,
        ) from error


@dataclass(frozen=True, slots=True)
class HandlersInTurn:
    """`ports.method_handlers.Handlers` that asks several, and takes the first handler."""

    handlers: tuple[Handlers, ...]

    def find(self, service: str, region: str, version: str, method: Method) -> Handler | None:
        """Find the first handler of a method of a version."""
        found = (each.find(service, region, version, method) for each in self.handlers)
        return next((each for each in found if each is not None), None)
