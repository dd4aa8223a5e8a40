"""The doors of watches: one name or a whole collection, as lines of JSON or as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar

from django.core import signing
from django.db import connections
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from migrations_app.domain.access import reach_of
from migrations_app.domain.registry.documents import convert, tidy
from migrations_app.domain.registry.names import Kind
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject, encode
from migrations_app.meta_api.asking import (
    DEFAULT_PAGE,
    LARGEST_PAGE,
    SINGULAR,
    bound,
    number,
    shown,
    unseal,
)
from migrations_app.meta_api.doors import MetaDoor, own_method, page_tokens
from migrations_app.meta_api.shapes import watched, watching
from migrations_app.meta_api.stream import stateful, stateless
from migrations_app.meta_api.watching import Asked, asked_for, redacting
from migrations_app.queries.registry_changes import Head, number_before
from migrations_app.queries.registry_lists import Wanted, everything, one, stretch, test_of
from migrations_app.web.messages import EVENTS, LINES, form_of, written

LARGEST_CHUNK = 5_000
SALT = "switchyard.meta.resume"


class _Plain(BaseRenderer):
    """Takes whoever asks for JSON; it only ever writes errors, the stream writes itself."""

    media_type = "application/json"
    format = "json"

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        """Write an error."""
        return encode(data)


class _Lines(_Plain):
    """Takes whoever asks for lines."""

    media_type = LINES
    format = "ndjson"


class _Events(_Plain):
    """Takes whoever asks for server-sent events."""

    media_type = EVENTS
    format = "sse"


class WatchDoor(MetaDoor):
    """`POST {name}:watch` and `POST {parent}/deployments:watch`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.read"}
    renderer_classes = (_Lines, _Plain, _Events)
    answers_once = False
    forwards = False

    def body(self, request: Request) -> dict[str, Any]:
        """Read the options.

        Raises: Invalid (`message-shape`).
        """
        asked = tidy(request.data) if request.data else {}
        if not isinstance(asked, dict):
            raise Invalid("The body must be a JSON object.", code="message-shape")
        return dict(asked)

    def stream(self, request: Request, messages: AsyncIterator[JsonObject]) -> Any:
        """Answer with a stream in the form that was asked for."""
        form = form_of(request.headers.get("Accept", ""))
        _let_go()
        response = StreamingHttpResponse((written(each, form) async for each in messages), content_type=form)
        response["Cache-Control"] = "no-cache, no-transform"
        response["X-Accel-Buffering"] = "no"
        return response


class WatchManyDoor(WatchDoor):
    """`POST {parent}/deployments:watch`."""

    def post(self, request: Request, **_: str) -> Any:
        """Watch a collection: STATELESS in no order, or STATEFUL a page of it."""
        asked = self.body(request)
        wanted = Wanted(
            self.kind, self.parent(), str(asked.get("filter") or ""), str(asked.get("orderBy") or "")
        )
        # Read once before the stream begins, so that what is wrong is answered as an error.
        stretch(self.actor, wanted, size=1)
        test = test_of(wanted) or _any
        chunk = number(asked, "maxChunkSize", 500, LARGEST_CHUNK)
        service = self.kwargs.get("service", "")
        reach = reach_of(self.actor, "registry.read")
        cut = redacting(reach, shown(self.kind, asked))
        watched = asked_for(self.kind, service, test, cut, chunk=chunk, reach=reach)
        binding = bound(request, self.kind.value, wanted.parent, wanted.filter)
        if str(asked.get("type") or "STATELESS") == "STATEFUL":
            return self.stream(request, self._stateful(request, asked, wanted, watched, binding))
        if asked.get("type") not in (None, "", "STATELESS"):
            raise Invalid("type must be STATEFUL or STATELESS.", code="option")
        since = _since(asked, binding)
        actor = self.actor
        return self.stream(
            request,
            stateless(
                watched,
                lambda: everything(actor, Wanted(wanted.kind, wanted.parent)),
                since,
                lambda head, seq: _seal(head, seq, binding),
            ),
        )

    def _stateful(
        self, request: Request, asked: dict[str, Any], wanted: Wanted, watched: Asked, binding: str
    ) -> AsyncIterator[JsonObject]:
        size = number(asked, "pageSize", DEFAULT_PAGE, LARGEST_PAGE)
        listing = bound(request, self.kind.value, wanted.parent, wanted.filter, wanted.order_by)
        token = unseal(str(asked.get("pageToken") or ""), listing)
        actor = self.actor

        def page() -> tuple[list[JsonObject], JsonObject]:
            found = stretch(
                actor, wanted, size=size, offset=token.offset, after=token.after, before=token.before
            )
            return list(found.items), page_tokens(found, listing)

        return stateful(watched, page, lambda head, seq: _seal(head, seq, binding))


class WatchOneDoor(WatchDoor):
    """`POST {name}:watch`."""

    def post(self, request: Request, **_: str) -> Any:
        """Watch one name: what it is now, then each change of it."""
        asked, name, actor = self.body(request), self.name(), self.actor
        one(actor, self.kind, name)
        service = name.split("/")[1] if self.kind is not Kind.REGION else ""
        cut = redacting(reach_of(actor, "registry.read"), shown(self.kind, asked))
        watched = asked_for(self.kind, service, _any, cut, name=name)
        binding = bound(request, name)
        messages = stateless(
            watched,
            lambda: [one(actor, self.kind, name)],
            _since(asked, binding),
            lambda head, seq: _seal(head, seq, binding),
        )
        return self.stream(request, _single(messages, watched))


def _let_go() -> None:
    """Give this thread's connections back: the request only ends with the stream, and would keep them until then."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close()


def described_watch(kind: Kind, door: type[WatchDoor]) -> type[WatchDoor]:
    """Make the watch of one kind, with its part of the OpenAPI schema."""
    many = door is WatchManyDoor
    verb = f"meta_watch_{kind.value}" if many else f"meta_watch_one_of_{kind.value}"
    describe = extend_schema(operation_id=verb, request=watching(), responses=watched(kind, SINGULAR[kind]))
    made: type[WatchDoor] = type(f"{kind.value.capitalize()}{door.__name__}", (door,), {"kind": kind})
    made.post = describe(own_method(door.post))  # type: ignore[attr-defined]
    return made


async def _single(messages: AsyncIterator[JsonObject], watched: Asked) -> AsyncIterator[JsonObject]:
    """Tell the changes of one name one by one."""
    async for message in messages:
        changes = next((value for key, value in message.items() if key.endswith("Changes")), [])
        token: JsonObject = {"resumeToken": message["resumeToken"]} if "resumeToken" in message else {}
        assert isinstance(changes, list)
        for change in changes:
            yield {"change": change, **token}
        if not changes:
            yield token


def _any(_: JsonObject) -> bool:
    return True


def _seal(head: Head, seq: int, binding: str) -> str:
    return _sealed(head.id, seq, binding)


@lru_cache(maxsize=1024)
def _sealed(registry: str, seq: int, binding: str) -> str:
    """Sign a token once for all watchers of the same; hundreds are told of one change."""
    return signing.dumps([registry, seq, binding], salt=SALT, compress=True)


def _since(asked: dict[str, Any], binding: str) -> Callable[[Head], int | None]:
    """Say where a watch starts: at a token, at a time, or with a snapshot.

    Raises: Invalid (`resume-token`, `option`).
    """
    token, at = asked.get("resumeToken"), asked.get("startingTime")
    if token:
        try:
            registry, seq, owner = signing.loads(str(token), salt=SALT)
        except (signing.BadSignature, ValueError, TypeError) as error:
            raise Invalid("The resume token is not one of ours.", code="resume-token") from error
        if owner != binding:
            raise Invalid("The resume token is of another watch.", code="resume-token")
        return lambda head: int(seq) if head.id == registry and head.pruned <= seq <= head.seq else -1
    if at:
        moment = convert(at, datetime)
        if moment.tzinfo is None:
            raise Invalid("startingTime has no zone.", code="message-shape", remedy="Write it with Z.")
        return lambda head: -1 if (found := number_before(moment)) is None else found
    return lambda head: None
