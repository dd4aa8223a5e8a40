"""The ASGI application of the resource API."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from django.conf import settings
from django.db import connections

from migrations_app import wiring
from migrations_app.kernel import json
from migrations_app.kernel.errors import Denied, InvariantBroken
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.request_origin import RequestOrigin, carrying_out
from migrations_app.kernel.tracing import OpenSpan, SpanKind, tracer
from migrations_app.resource_api.activity import note_activity
from migrations_app.resource_api.addresses import PREFIX, address_of
from migrations_app.resource_api.answers.forms import read_form
from migrations_app.resource_api.answers.google_errors import google_error
from migrations_app.resource_api.bodies import MOST_BYTES, check_media_type, too_large
from migrations_app.resource_api.callers import Callers, Calling
from migrations_app.resource_api.exchange import READS, ResourceRequest, Response, Watched
from migrations_app.resource_api.forwarding import Forwarding
from migrations_app.resource_api.hosts import Hosts
from migrations_app.resource_api.latency import note_write
from migrations_app.resource_api.observation import observing
from migrations_app.resource_api.peers import admit_peer
from migrations_app.resource_api.requests import ResourceApi
from migrations_app.web.deprecations import Going
from migrations_app.web.messages import written
from migrations_app.web.problems import CONTENT_TYPE, problem_of, translate
from migrations_app.web.rates import RateLimit
from migrations_app.web.request_ids import HEADER, request_id_from

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Handler: TypeAlias = Callable[[ResourceRequest], Response | Watched]


@dataclass(frozen=True, slots=True)
class AdmittedRequest:
    """What carries a request out, and who makes it; an empty, uncounted actor for an action of a peer."""

    handler: Handler
    account: str = ""
    via: str = ""


Answer = TypeVar("Answer")

# Writes have threads of their own: held back by a freeze, they must not keep reads waiting.
_READERS, _WRITERS, _WATCHERS = 8, 24, 4
_POLL_SECONDS, PULSE_SECONDS, LIFETIME_SECONDS = 0.2, 10.0, 600.0
REGISTRY_AGE = "Switchyard-Registry-Age"
log = logging.getLogger(__name__)


class ResourceApplication:
    """Answers `/apis/…`; each request runs in a thread, because the database drivers wait."""

    def __init__(self) -> None:
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="resource-reads")
        self._writers = ThreadPoolExecutor(_WRITERS, thread_name_prefix="resource-writes")
        self._watchers = ThreadPoolExecutor(_WATCHERS, thread_name_prefix="resource-watches")
        self._callers = Callers()
        self._accounts = RateLimit(settings.SWITCHYARD.resource_rate)
        self._strangers = RateLimit(settings.SWITCHYARD.anonymous_rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; its body is taken only once it is known who sends it."""
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        request_id = request_id_from(headers.get(HEADER.lower(), ""))
        form, query = read_form(headers, scope.get("query_string", b"").decode("latin-1"))
        request = ResourceRequest(
            method=scope["method"],
            path=_path(scope),
            query=query,
            headers={**headers, HEADER.lower(): request_id},
            form=form,
        )
        named = {HEADER: request_id}
        address = str((scope.get("client") or ("", 0))[0])
        loop = asyncio.get_running_loop()
        began, sending = loop.time(), 0.0
        threads = self._readers if request.reads else self._writers
        if request.method in READS:
            found = await loop.run_in_executor(threads, self._answer, request, address)
        else:
            admitted = await loop.run_in_executor(self._readers, self._admit, request, address)
            if isinstance(admitted, Response):
                # The body is not read: the connection must end with the answer.
                await _send(send, admitted, request, {**named, "Connection": "close"})
                return
            admitted_at = loop.time()
            body = await _body(receive)
            if body is None:
                return
            sending = loop.time() - admitted_at
            found = await loop.run_in_executor(threads, _carried_out, admitted, replace(request, body=body))
        if isinstance(found, Watched):
            await self._stream(replace(found, headers={**found.headers, **named}), receive, send)
        else:
            # How long the client took to send is not ours.
            note_write(request, found.status, loop.time() - began - sending)
            await _send(send, found, request, named)

    async def _stream(self, watched: Watched, receive: Receive, send: Send) -> None:
        """Send messages until the client goes away, or for ten minutes: then it comes back with its token."""
        loop = asyncio.get_running_loop()
        gone = asyncio.ensure_future(_disconnected(receive))
        headers = [
            (b"content-type", watched.form.encode()),
            (b"cache-control", b"no-store, no-transform"),
            (b"x-accel-buffering", b"no"),
            *((key.lower().encode(), value.encode("latin-1")) for key, value in watched.headers.items()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        end, told_at = loop.time() + LIFETIME_SECONDS, loop.time()
        last = False
        try:
            while not gone.done() and not last:
                quiet = loop.time() - told_at >= PULSE_SECONDS
                call = watched.watch.beat if quiet else watched.watch.step
                message, last = await loop.run_in_executor(self._watchers, _step, call)
                last = last or loop.time() >= end
                if message is not None:
                    body = written(message, watched.form)
                    await send({"type": "http.response.body", "body": body, "more_body": not last})
                    told_at = loop.time()
                elif last:
                    await send({"type": "http.response.body", "body": b""})
                else:
                    await asyncio.wait([gone], timeout=_POLL_SECONDS)
        finally:
            gone.cancel()
            watched.close()

    def _answer(self, request: ResourceRequest, address: str) -> Response | Watched:
        admitted = self._admit(request, address)
        return admitted if isinstance(admitted, Response) else _carried_out(admitted, request)

    def _admit(self, request: ResourceRequest, address: str) -> AdmittedRequest | Response:
        """Decide by the headers alone who calls; gives what carries the request out, or the refusal."""

        def _admitted() -> AdmittedRequest:
            try:
                admitted = self._handler(request, address)
            except Denied:
                self._strangers.take(address)
                raise
            if admitted.account:
                self._accounts.take(admitted.account)
            length = request.headers.get("content-length", "0")
            if len(length) > 9 or (length.isdigit() and int(length) > MOST_BYTES):
                raise too_large()
            request.form.check()
            return admitted

        return _guarded(request, _admitted)

    def _handler(self, request: ResourceRequest, address: str) -> AdmittedRequest:
        """Find what carries a request out, and the account whose requests are counted; peers' are not."""
        peer = admit_peer(request)
        if peer is not None:
            return AdmittedRequest(peer.answer)
        calling = self._callers.calling(request, address)
        if not calling.actor.name:
            raise Denied(message("Send a token."), code="unauthenticated")
        via = calling.via.deployment if calling.via else ""
        return AdmittedRequest(partial(_serve, calling), calling.actor.name, via)


def _serve(calling: Calling, request: ResourceRequest) -> Response | Watched:
    env = settings.SWITCHYARD
    forwarding = Forwarding(env.serves, wiring.http_peers(), env.peer_seconds)
    servers = wiring.resource_servers()
    shadows, hooks = wiring.shadow_reads(), wiring.hooked_responses()
    parts = shadows, wiring.method_server(), hooks, wiring.brown_outs()
    api = ResourceApi(servers, wiring.usage(), forwarding, *parts)
    origin = RequestOrigin(request.request_id, calling.actor.name)
    with carrying_out(origin), observing(request, origin):
        return api.watcher(request, calling.actor) or _with_registry_age(
            told_of_its_end(request, api.answer(request, calling.actor, calling.via))
        )


def _carried_out(admitted: AdmittedRequest, request: ResourceRequest) -> Response | Watched:
    def _answered() -> Response | Watched:
        if len(request.body) > MOST_BYTES:
            raise too_large()
        check_media_type(request.headers.get("content-type", ""), request.body)
        return admitted.handler(request)

    began = time.perf_counter()
    with tracer().span(f"{request.method} /apis", {}, kind=SpanKind.SERVER, headers=request.headers) as span:
        found = _guarded(request, _answered)
        _describe(span, request, found)
    if admitted.account:
        try:
            with wiring.reading_registry():
                note_activity(request, admitted.account, admitted.via, found, time.perf_counter() - began)
        except Exception:
            log.exception("request %s is not in the activity log", request.request_id)
        finally:
            connections.close_all()
    return found


def _describe(span: OpenSpan, request: ResourceRequest, found: Response | Watched) -> None:
    """Say in the span of a request which version of which service was asked, and what was answered."""
    for name, value in zip(("region", "service", "version"), request.path.split("/")[2:5], strict=False):
        span.set(f"switchyard.{name}", value)
    status = found.status if isinstance(found, Response) else 200
    span.set("http.request.method", request.method)
    span.set("http.response.status_code", status)
    span.set("switchyard.request_id", request.request_id)
    if status >= 500:
        span.fail(str(status))


def _guarded(request: ResourceRequest, question: Callable[[], Answer]) -> Answer | Response:
    """Ask a question in a thread; an error becomes the answer that tells of it."""
    try:
        with wiring.reading_registry():
            return question()
    except Exception as error:
        known = translate(error)
        if isinstance(known, InvariantBroken):
            log.exception("%s: %s", known.code, known.message)
        problem = problem_of(known, instance=request.path, request_id=request.headers.get("x-request-id", ""))
        return Response(problem.status, problem.body, {**problem.headers, "Content-Type": CONTENT_TYPE})
    finally:
        # The control database is asked so rarely here that its connections are not worth keeping.
        connections.close_all()


def told_of_its_end(request: ResourceRequest, found: Response) -> Response:
    """Add to an answer of a version that retires since when that is known, and when it ends."""
    known = wiring.retiring().known()
    if known:
        address = address_of(request.path)
        ends = known.get((address.service, address.version))
        if ends is not None:
            return replace(
                found, headers={**found.headers, **Going(ends.since, ends.sunset, ends.note).headers()}
            )
    return found


def _with_registry_age(found: Response) -> Response:
    """Add to an answer how old the replica of the registry is that it was made by."""
    age = wiring.registry_age_seconds()
    return found if age is None else replace(found, headers={**found.headers, REGISTRY_AGE: f"{age:.0f}"})


def by_prefix(otherwise: Any, hosts: Hosts | None = None) -> Application:
    """Send `/apis/…` and the hosts of deployments to the resource servers, and everything else on."""
    resources, hosts = ResourceApplication(), hosts or Hosts()

    async def _either(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["path"].startswith(PREFIX):
                return await resources(scope, receive, send)
            path = await hosts.path(scope)
            if path is not None:
                meant = {**scope, "path": path, "raw_path": path.encode("latin-1")}
                return await resources(meant, receive, send)
        await otherwise(scope, receive, send)
        return None

    return _either


def _path(scope: Mapping[str, Any]) -> str:
    raw = scope.get("raw_path") or scope["path"].encode()
    return str(raw.decode("latin-1")).partition("?")[0]


def _step(call: Callable[[], JsonObject | None]) -> tuple[JsonObject | None, bool]:
    """Take one step; an error is the watch's last message."""
    try:
        with wiring.reading_registry():
            return call(), False
    except StopIteration:
        return None, True
    except Exception as error:
        return {"error": problem_of(translate(error)).body}, True
    finally:
        connections.close_all()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(receive: Receive) -> bytes | None:
    """Take the body in; None when the sender went away before it ended."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        size += len(message.get("body", b""))
        # What is beyond the limit is taken in but not kept.
        parts.append(message.get("body", b"") if size <= MOST_BYTES else b"x" * (MOST_BYTES + 1))
        if size > MOST_BYTES:
            return parts[-1]
        if not message.get("more_body"):
            return b"".join(parts)


async def _send(
    send: Send, found: Response, request: ResourceRequest, extra: Mapping[str, str] = MappingProxyType({})
) -> None:
    if request.form.google_errors and found.headers.get("Content-Type") == CONTENT_TYPE:
        found = _as_google_error(found)
    body = json.encode(found.document)
    if request.form.is_pretty:
        body = json.indented(body)
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store", **found.headers, **extra}
    headers["Content-Length"] = str(len(body))
    await send(
        {
            "type": "http.response.start",
            "status": found.status,
            "headers": [(key.lower().encode(), value.encode("latin-1")) for key, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else body})


def _as_google_error(found: Response) -> Response:
    problem = found.document if isinstance(found.document, dict) else {}
    headers = {**found.headers, "Content-Type": "application/json"}
    return Response(found.status, google_error(found.status, problem), headers)
