"""The views of watches: one name or a whole collection, as lines of JSON or as server-sent events."""

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

from migrations_app.control.registry.queries.changes import HistoryHead, number_before
from migrations_app.control.registry.queries.lists import (
    CollectionQuery,
    collection_page,
    everything,
    one,
    test_of,
)
from migrations_app.domain.access import reach_of
from migrations_app.domain.registry.documents import convert
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import JsonObject, encode
from migrations_app.kernel.messages import message
from migrations_app.meta_api.options import body_of, with_body
from migrations_app.meta_api.published_watch import published
from migrations_app.meta_api.requests import (
    DEFAULT_PAGE,
    LARGEST_PAGE,
    SINGULAR,
    bound,
    number,
    shown,
    unseal,
)
from migrations_app.meta_api.shapes import watched, watching
from migrations_app.meta_api.stream import stateful, stateless
from migrations_app.meta_api.views import OF_READ, MetaView, own_method, page_tokens
from migrations_app.meta_api.watch_query import WatchQuery, asked_for, redacting
from migrations_app.web.messages import EVENTS, LINES, form_of, written

LARGEST_CHUNK = 5_000
OF_STATEFUL = ("pageSize", "pageToken", "orderBy")
OF_STATELESS = ("resumeToken", "startingTime")
SALT = "switchyard.meta.resume"


class _Plain(BaseRenderer):
    """Accepts clients that ask for JSON; it only ever writes errors, the stream writes itself."""

    media_type = "application/json"
    format = "json"

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        """Write an error."""
        return encode(data)


class _Lines(_Plain):
    """Accepts clients that ask for lines."""

    media_type = LINES
    format = "ndjson"


class _Events(_Plain):
    """Accepts clients that ask for server-sent events."""

    media_type = EVENTS
    format = "sse"


class WatchView(MetaView):
    """`POST {name}:watch` and `POST {parent}/deployments:watch`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.read"}
    renderer_classes = (_Lines, _Plain, _Events)
    answers_once = False

    def body(self, request: Request) -> dict[str, Any]:
        """Read the options from the query and the body; a name or parent in it must be the address's.

        Raises: Invalid (`message-shape`, `parameter`, `name-mismatch`).
        """
        body = body_of(request)
        key, own = ("name", self.name()) if "id" in self.kwargs else ("parent", self.parent())
        if body.pop(key, own) != own:
            raise Invalid(
                message("The body has another {key} than the address.", key=key), code="name-mismatch"
            )
        return with_body(self.query, body, self.asks["POST"])

    def stream(self, request: Request, messages: AsyncIterator[JsonObject]) -> Any:
        """Answer with a stream in the form that was asked for."""
        form = form_of(request.headers.get("Accept", ""))
        _let_go()
        response = StreamingHttpResponse((written(each, form) async for each in messages), content_type=form)
        response["Cache-Control"] = "no-cache, no-transform"
        response["X-Accel-Buffering"] = "no"
        return response


class WatchManyView(WatchView):
    """`POST {parent}/deployments:watch`."""

    asks = {"POST": ("type", *OF_STATEFUL, *OF_STATELESS, "filter", "maxChunkSize", *OF_READ)}

    def post(self, request: Request, **_: str) -> Any:
        """Watch a collection: STATEFUL a page of it, or STATELESS all of it in no order."""
        asked = self.body(request)
        is_stateful = _is_stateful(asked)
        wanted = CollectionQuery(
            self.kind, self.parent(), str(asked.get("filter") or ""), str(asked.get("orderBy") or "")
        )
        # Read once before the stream begins, so that what is wrong is answered as an error.
        collection_page(self.actor, wanted, size=1)
        test = test_of(wanted) or _any
        chunk = number(asked, "maxChunkSize", 500, LARGEST_CHUNK)
        service = self.kwargs.get("service", "")
        reach = reach_of(self.actor, "registry.read")
        cut = redacting(reach, shown(self.kind, asked))
        watched = asked_for(self.kind, service, test, cut, chunk=chunk, reach=reach)
        binding = bound(request, self.kind.value, wanted.parent, wanted.filter)
        if is_stateful:
            messages = self._stateful(request, asked, wanted, watched, binding)
            return self.stream(request, published(messages, watched.singular, stateful=True, chunk=chunk))
        since = _since(asked, binding)
        actor = self.actor
        messages = stateless(
            watched,
            lambda: everything(actor, CollectionQuery(wanted.kind, wanted.parent)),
            since,
            lambda head, seq: _seal(head, seq, binding),
        )
        return self.stream(request, published(messages, watched.singular, stateful=False, chunk=chunk))

    def _stateful(
        self,
        request: Request,
        asked: dict[str, Any],
        wanted: CollectionQuery,
        watched: WatchQuery,
        binding: str,
    ) -> AsyncIterator[JsonObject]:
        size = number(asked, "pageSize", DEFAULT_PAGE, LARGEST_PAGE)
        listing = bound(request, self.kind.value, wanted.parent, wanted.filter, wanted.order_by)
        token = unseal(str(asked.get("pageToken") or ""), listing)
        actor = self.actor

        def page() -> tuple[list[JsonObject], JsonObject]:
            found = collection_page(
                actor, wanted, size=size, offset=token.offset, after=token.after, before=token.before
            )
            return list(found.items), page_tokens(found, listing)

        return stateful(watched, page, lambda head, seq: _seal(head, seq, binding))


class WatchOneView(WatchView):
    """`POST {name}:watch`."""

    asks = {"POST": OF_READ}

    def post(self, request: Request, **_: str) -> Any:
        """Watch one name: what it is now, then each change of it."""
        asked, name, actor = self.body(request), self.name(), self.actor
        one(actor, self.kind, name)
        service = name.split("/")[1] if self.kind is not RegistryKind.REGION else ""
        cut = redacting(reach_of(actor, "registry.read"), shown(self.kind, asked))
        watched = asked_for(self.kind, service, _any, cut, name=name)
        binding = bound(request, name)
        messages = stateless(
            watched,
            lambda: [one(actor, self.kind, name)],
            lambda head: None,
            lambda head, seq: _seal(head, seq, binding),
        )
        return self.stream(request, _single(messages))


def _let_go() -> None:
    """Give this thread's connections back: the request only ends with the stream, and would keep them until then."""
    for each in connections.all(initialized_only=True):
        if not each.in_atomic_block:
            each.close()


def described_watch(kind: RegistryKind, view: type[WatchView]) -> type[WatchView]:
    """Make the watch of one kind, with its part of the OpenAPI schema."""
    many = view is WatchManyView
    verb = f"meta_watch_{kind.value}" if many else f"meta_watch_one_of_{kind.value}"
    describe = extend_schema(
        operation_id=verb, request=watching(many=many), responses=watched(kind, SINGULAR[kind])
    )
    made: type[WatchView] = type(f"{kind.value.capitalize()}{view.__name__}", (view,), {"kind": kind})
    made.post = describe(own_method(view.post))  # type: ignore[attr-defined]
    return made


def _is_stateful(asked: dict[str, Any]) -> bool:
    """Read the type of a watch; the options of the other type are refused.

    Raises: Invalid (`option`).
    """
    kind = asked.get("type") or "STATEFUL"
    if kind not in ("STATEFUL", "STATELESS"):
        raise Invalid(message("type must be STATEFUL or STATELESS."), code="option")
    wrong = [key for key in (OF_STATELESS if kind == "STATEFUL" else OF_STATEFUL) if asked.get(key)]
    if wrong:
        other = "STATELESS" if kind == "STATEFUL" else "STATEFUL"
        raise Invalid(
            message("{wrong} is no option of a {kind} watch.", wrong=wrong[0], kind=kind),
            code="option",
            remedy=message(
                "Leave it out, or send type {other}; a watch without a type is STATEFUL.", other=other
            ),
            violations=(
                Violation(wrong[0], message("Only of {other} watches.", other=other), code="option"),
            ),
        )
    return str(kind) == "STATEFUL"


async def _single(messages: AsyncIterator[JsonObject]) -> AsyncIterator[JsonObject]:
    """Tell the changes of one name one by one; an empty message says that the stream lives."""
    async for each in messages:
        changes = next((value for key, value in each.items() if key.endswith("Changes")), [])
        assert isinstance(changes, list)
        for change in changes:
            yield {"change": change}
        if not changes:
            yield {}


def _any(_: JsonObject) -> bool:
    return True


def _seal(head: HistoryHead, seq: int, binding: str) -> str:
    return _sealed(head.id, seq, binding)


@lru_cache(maxsize=1024)
def _sealed(registry: str, seq: int, binding: str) -> str:
    """Sign a token once for all watchers of the same; hundreds are told of one change."""
    return signing.dumps([registry, seq, binding], salt=SALT, compress=True)


def _since(asked: dict[str, Any], binding: str) -> Callable[[HistoryHead], int | None]:
    """Say where a watch starts: at a token, at a time, or with a snapshot.

    Raises: Invalid (`resume-token`, `option`).
    """
    token, at = asked.get("resumeToken"), asked.get("startingTime")
    if token:
        try:
            registry, seq, owner = signing.loads(str(token), salt=SALT)
        except (signing.BadSignature, ValueError, TypeError) as error:
            raise Invalid(message("The resume token is not one of ours."), code="resume-token") from error
        if owner != binding:
            raise Invalid(message("The resume token is of another watch."), code="resume-token")
        return lambda head: int(seq) if head.id == registry and head.pruned <= seq <= head.seq else -1
    if at:
        moment = convert(at, datetime)
        if moment.tzinfo is None:
            raise Invalid(
                message("startingTime has no zone."), code="message-shape", remedy=message("Write it with Z.")
            )
        return lambda head: -1 if (found := number_before(moment)) is None else found
    return lambda head: None
