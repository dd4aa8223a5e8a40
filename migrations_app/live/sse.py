"""Server-sent events `/api/v1/events`: the same stream over plain HTTP."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from migrations_app.control.live_stream import queries as live
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import Busy, Denied, Invalid, SwitchyardError
from migrations_app.kernel.json import decode, encode
from migrations_app.kernel.messages import message
from migrations_app.live.hub import (
    LOOK_AGAIN_SECONDS,
    MOST_TOPICS,
    Watcher,
    hub,
    now,
    too_many,
)
from migrations_app.live.messages import StreamHeartbeatSchema, StreamHelloSchema, written
from migrations_app.web.operation_contracts import unknown_parameters
from migrations_app.web.problems import CONTENT_TYPE, problem_of

PARAMETERS = ("topics", "since")


async def events(request: HttpRequest) -> HttpResponseBase:
    """Stream the topics of `?topics=a,b`, after what came since `Last-Event-ID` or `?since=`."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    address = str(request.META.get("REMOTE_ADDR") or "")
    try:
        if request.method != "GET":
            raise Invalid(message("Events are only read."), code="method-not-allowed")
        if unknown := [name for name in request.GET if name not in PARAMETERS]:
            raise unknown_parameters(request.method, unknown, PARAMETERS)
        actor = await hub().actor(headers, address)
        topics = await _topics(request, actor)
        if not hub().has_room(actor.name):
            raise Busy(message("This account has too many live streams open."), code="too-many-requests")
        since = _since(request)
    except SwitchyardError as error:
        return _problem(error, request)
    stream = StreamingHttpResponse(
        _stream(headers, address, actor, topics, since), content_type="text/event-stream; charset=utf-8"
    )
    stream["Cache-Control"] = "no-store"
    stream["X-Accel-Buffering"] = "no"
    return stream


async def _stream(
    headers: dict[str, str], address: str, actor: Actor, topics: frozenset[str], since: int | None
) -> AsyncIterator[bytes]:
    watcher, here = Watcher(actor), hub()
    seq = await here.join(watcher)
    try:
        # Before the greeting: what is committed while that is sent must be heard.
        await here.subscribe(watcher, topics, since)
        yield _line(written(StreamHelloSchema(server_time=now(), seq=seq)))
        if since is None:
            yield _line(written(StreamHeartbeatSchema(seq=seq, server_time=now())))
        due = time.monotonic() + LOOK_AGAIN_SECONDS
        while True:
            messages = await watcher.messages(due - time.monotonic())
            if watcher.rights_changed or time.monotonic() >= due:
                watcher.rights_changed = False
                actor = await here.actor(headers, address)
                refused = await here.ask(live.refusals, actor, topics)
                if not actor.name or refused:
                    return
                here.look_again(watcher, actor)
                due = time.monotonic() + LOOK_AGAIN_SECONDS
            for text in messages:
                yield _line(text)
    finally:
        here.stop_watching(watcher)


def _line(text: str) -> bytes:
    """Write a message as an event; its id is the number up to which a client that has it has heard everything.

    The greeting has none: what is replayed after it is older than the number that it tells.
    """
    message = decode(text)
    seq = message.get("seq") if isinstance(message, dict) and message.get("op") != "hello" else None
    return (f"id: {seq}\n" if seq else "").encode() + f"data: {text}\n\n".encode()


async def _topics(request: HttpRequest, actor: Actor) -> frozenset[str]:
    if not actor.name:
        raise Denied(message("Sign in, or send a token."), code="unauthenticated")
    topics = [topic for topic in request.GET.get("topics", "").split(",") if topic]
    if not topics or (reason := too_many(topics)):
        raise Invalid(
            reason if topics else message("Name 1 to {most_topics} topics.", most_topics=MOST_TOPICS),
            code="topics",
            remedy=message("Ask with ?topics=fleet,health."),
        )
    refused = await hub().ask(live.refusals, actor, topics)
    for topic, reason in (refused or await hub().ask(live.absent, topics)).items():
        raise Denied(reason, action="events", topic=topic)
    return frozenset(topics)


def _since(request: HttpRequest) -> int | None:
    text = request.headers.get("Last-Event-ID") or request.GET.get("since")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Invalid(
            message("The last event's id is no number."),
            code="since",
            remedy=message("Leave it out to start now."),
        )
    return int(text)


def _problem(error: SwitchyardError, request: HttpRequest) -> HttpResponse:
    problem = problem_of(
        error, instance=request.get_full_path(), request_id=str(getattr(request, "request_id", ""))
    )
    return HttpResponse(
        encode(problem.body), status=problem.status, headers=dict(problem.headers), content_type=CONTENT_TYPE
    )
