"""Watches: the resources of a collection as they are, and then every change of them, in any version."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from migrations_app.domain.conversion.namemap import NoImage
from migrations_app.domain.filters.bind import bind
from migrations_app.domain.filters.evaluate import compile_filter
from migrations_app.domain.filters.parse import parse
from migrations_app.engine.serving.face import face_of
from migrations_app.engine.serving.reading import ListRequest, Page, ReadingServer, show
from migrations_app.engine.serving.routing import How, Route, Router
from migrations_app.kernel import json
from migrations_app.kernel.errors import Conflict, Invalid, Missing, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.feed import Change, Feed, Operation, Position
from migrations_app.ports.store import Reading, Resource


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a watch: changes, each under `current`, `modified` or `removed`.

    After a hard reset everything the client knows is void, and a snapshot follows; it is complete with the
    first message that is current, which tells how many resources it had.
    """

    changes: tuple[JsonObject, ...] = ()
    is_current: bool = False
    resume: str = ""
    hard_reset: bool = False
    snapshot_size: int | None = None


@dataclass(slots=True)
class Watcher:
    """One watch of a collection, or of the one resource of it that `only` names.

    `step` is called again and again; it never waits. The request's page size bounds what one message holds.
    """

    router: Router
    reading: ReadingServer
    feed: Feed
    place: tuple[str, str, str]
    request: ListRequest
    resume: str = ""
    only: str = ""
    _route: Route | None = None
    _position: Position = field(default=Position(""))
    _page: str | None = ""
    _size: int = 0

    def step(self) -> Message | None:
        """Give the next message, or None when there is nothing new.

        Raises: Missing (`gone`) for a resume token whose changes are no longer kept, Invalid (`resume-token`).
        """
        if self._route is None:
            self._begin()
            if not self.resume:
                return Message(hard_reset=True)
        if self._page is not None:
            return self._snapshot()
        return self._follow()

    def _begin(self) -> None:
        self._route = self._now()
        # Noted before anything is read: what commits from here on comes by the feed.
        self._position, self._page, self._size = self.feed.head(self._route.namespace), "", 0
        if self.resume:
            self._position, self._page = self._opened(self._route, self.resume), None

    def _now(self) -> Route:
        return self.router.read(*self.place, _only_route)[0]

    def _restart(self) -> Message | None:
        self._route, self.resume = None, ""
        return self.step()

    def _snapshot(self) -> Message | None:
        request = replace(self.request, page_token=self._page or "")
        try:
            page = self._named() if self.only else self.reading.list(*self.place, request)
        except Invalid as error:
            if error.code == "page-token":
                return self._restart()
            raise
        if self._moved():
            return self._restart()
        self._page = page.next or None
        changes: tuple[JsonObject, ...] = tuple({"current": document} for document in page.documents)
        self._size += len(changes)
        if self._page is not None:
            return Message(changes)
        return Message(changes, True, self._sealed(), snapshot_size=self._size)

    def _named(self) -> Page:
        return self.reading.batch_get(*self.place, self.request.type, [self.only])

    def _follow(self) -> Message | None:
        route = self._route
        assert route is not None
        try:
            # With echo: read copies, and what fills a version that is not active yet, are changes too.
            batch = self.feed.read(route.namespace, self._position, limit=self.request.page_size, echo=True)
        except Conflict as error:
            if error.code != "feed-trimmed":
                raise
            raise Missing(
                "The changes since then are no longer kept.",
                code="gone",
                remedy="Watch again without a resume token.",
            ) from error
        newest = self._newest(route, batch.changes)
        if not newest:
            self._position = batch.position
            return self._restart() if self._moved() else None
        try:
            now, changes = self.router.read(
                *self.place, lambda found, reading: self._told(found, reading, newest)
            )
        except SwitchyardError:
            return self._restart() if self._moved() else None
        if now.namespace != route.namespace:
            return self._restart()
        self._position = batch.position
        return Message(tuple(changes), is_current=batch.level, resume=self._sealed())

    def _newest(self, route: Route, changes: tuple[Change, ...]) -> Mapping[str, Change]:
        stored = route.stored_type(self.request.type)
        newest: dict[str, Change] = {}
        for change in changes:
            known = newest.get(change.name)
            if change.operation is not Operation.BEAT and change.type == stored:
                newest[change.name] = max(known or change, change, key=lambda each: each.revision)
        return newest

    def _told(self, route: Route, reading: Reading, newest: Mapping[str, Change]) -> list[JsonObject]:
        found = reading.batch_get(route.stored_type(self.request.type), list(newest))
        told = [self._one(route, change, found.get(name)) for name, change in newest.items()]
        return [each for each in told if each is not None]

    def _one(self, route: Route, change: Change, found: Resource | None) -> JsonObject | None:
        face = face_of(route.schema, self.request.type, route.served.unknown)
        if found is None:
            name: str | None = change.name
            if route.how is How.TRANSLATED:
                name = route.converter(self.request.type).old_name(change.name)
            gone: JsonObject = {"uuid": str(change.uid), "resourceVersion": str(change.revision)}
            return None if name is None or not self._inside(name) else _removed(face.name_key, name, gone)
        try:
            document = show(route, face, found)
        except NoImage:
            return None
        name = str(document[face.name_key])
        if not self._inside(name):
            return None
        wanted = bind(parse(self.request.filter, self.request.dialect), route.schema, self.request.type)
        if compile_filter(wanted)(document):
            return {"modified": document}
        metadata = document[face.metadata_key]
        return _removed(face.name_key, name, metadata if isinstance(metadata, dict) else {})

    def _inside(self, name: str) -> bool:
        if self.only:
            return name == self.only
        parent = self.request.parent.split("/") if self.request.parent else []
        return all(asked in ("-", given) for asked, given in zip(parent, name.split("/"), strict=False))

    def _moved(self) -> bool:
        route = self._route
        now = self._now()
        return route is None or (now.namespace, now.how) != (route.namespace, route.how)

    def _sealed(self) -> str:
        assert self._route is not None
        text = json.encode([self._mark(self._route), self._position])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")

    def _opened(self, route: Route, token: str) -> Position:
        try:
            found = json.decode(base64.urlsafe_b64decode((token + "=" * (-len(token) % 4)).encode()))
        except (SwitchyardError, ValueError) as error:
            raise Invalid("This is no resume token.", code="resume-token") from error
        match found:
            case [str(mark), str(position)] if mark == self._mark(route):
                return Position(position)
            case [str(), str()]:
                raise Missing(
                    "This resume token is of another watch, or the version has changed since.",
                    code="gone",
                    remedy="Watch again without a resume token.",
                )
        raise Invalid("This is no resume token.", code="resume-token")

    def _mark(self, route: Route) -> str:
        namespace = route.namespace
        asked = [self.request.type, self.request.parent, self.request.filter, self.request.dialect]
        asked.append(self.only)
        return json.digest([namespace.database, namespace.schema, route.version, *asked])[:16]


def _only_route(route: Route, reading: Reading) -> None:
    return None


def _removed(key: str, name: str, metadata: JsonObject) -> JsonObject:
    shown: JsonObject = {each: metadata[each] for each in ("uuid", "resourceVersion") if each in metadata}
    return {"removed": {key: name, "metadata": shown}}
