"""The changes of a watched collection, read from the feed of whatever namespace serves its version."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.filters.bind import bind
from migrations_app.domain.filters.evaluate import compile_filter
from migrations_app.domain.filters.masks import project
from migrations_app.domain.filters.parse import parse
from migrations_app.domain.watches import WatchStep, Wording
from migrations_app.engine.serving.presentation import ResourcePresenter, mask_of, presenter_of, show
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.routing import Router, ServingMode, ServingRoute
from migrations_app.engine.serving.stored_names import within
from migrations_app.kernel import json
from migrations_app.kernel.errors import FeedTrimmed, Invalid, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.feed import Change, Feed, FeedOperation, Position
from migrations_app.ports.store import Reading, StoredResource

Newest: TypeAlias = "Mapping[tuple[str, str], Change]"


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """What is watched: a collection in the words of a version, or the one resource of it that `only` names.

    `listed` has the filter, the mask and the view, and of a page its order, size and token. `chunk` bounds what
    one message holds.
    """

    listed: ListRequest
    only: str = ""
    paged: bool = False
    chunk: int = 500
    resume: str = ""
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes, the newest of each resource; `level` when nothing more could be read now."""

    steps: tuple[WatchStep, ...]
    level: bool


@dataclass(slots=True)
class WatchedChanges:
    """Where a watch is in the feed, and what it reads there. A version switch ends it: `begin` again."""

    router: Router
    feed: Feed
    place: tuple[str, str, str]
    asked: WatchRequest
    position: Position = field(default=Position(""))
    _route: ServingRoute | None = None
    # By uid the names that were told, where a field decides them: of what is gone nothing else says it.
    _names: dict[str, str] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin at the end of the feed: what commits from here on is read, what committed before is seen."""
        self._route = self._now()
        self._names.clear()
        self.position = self.feed.head(self._route.namespace)

    def resume(self) -> bool:
        """Go to where the request wants to go on; False when the changes since then cannot be told any more.

        Raises: Invalid (`resume-token`).
        """
        route = self._served
        if self._asks:
            return False
        if not self.asked.resume:
            assert self.asked.since is not None
            found = self.feed.since(route.namespace, self.asked.since)
        else:
            found = self._opened(route, self.asked.resume)
        # A token from after the end is of data that were restored from an older copy.
        if found is None or not self.feed.reached(self.position, found):
            return False
        self.position = found
        return True

    def moved(self) -> bool:
        """Tell whether something else serves the version by now."""
        now = self._now()
        return (now.namespace, now.how) != (self._served.namespace, self._served.how)

    def read(self) -> ChangePage | None:
        """Read on; None when that is no longer possible: the version has moved, or the feed was trimmed."""
        route = self._served
        try:
            # With echo: read copies, and what fills a version that is not active yet, are changes too.
            batch = self.feed.read(route.namespace, self.position, limit=self.asked.chunk, echo=True)
        except FeedTrimmed:
            return None
        newest = self._newest(route, batch.changes)
        steps: tuple[WatchStep, ...] = ()
        if newest:
            try:
                now, steps = self.router.read(
                    *self.place, lambda at, reading: self._steps(at, reading, newest)
                )
            except SwitchyardError:
                if self.moved():
                    return None
                raise
            if now.namespace != route.namespace:
                return None
        elif self.moved():
            return None
        self.position = batch.position
        return ChangePage(steps, batch.level)

    def wording(self) -> Wording:
        """Give the words of the watch.

        Raises: Invalid with the place in the filter or mask.
        """
        route, listed = self._served, self.asked.listed
        route.check_converted(listed.type, "watch")
        presenter = presenter_of(route.schema, listed.type, route.served.unknown)
        mask = mask_of(route, presenter, listed.mask, listed.view)
        test = compile_filter(bind(parse(listed.filter, listed.dialect), route.schema, listed.type))
        return Wording(
            singular=f"{listed.type[0].lower()}{listed.type[1:]}",
            test=test,
            cut=lambda document: project(document, mask),
            chunk=self.asked.chunk,
            name_key=presenter.name_key,
        )

    def note(self, documents: Sequence[JsonObject]) -> None:
        """Take note of documents that were told."""
        if self._asks:
            for each in documents:
                metadata = each.get(self._presenter.metadata_key)
                if isinstance(metadata, dict):
                    self._names[str(metadata["uuid"])] = str(each[self._presenter.name_key])

    def token(self, position: Position) -> str:
        """Write a resume token."""
        text = json.encode([self._mark(), self._home(self._served), position])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")

    def check_token(self) -> None:
        """See that a resume token that was sent is one of this watch.

        Raises: Invalid (`resume-token`).
        """
        if self.asked.resume:
            self._opened(None, self.asked.resume)

    @property
    def _asks(self) -> bool:
        return self._served.names_ask_documents(self.asked.listed.type)

    @property
    def _presenter(self) -> ResourcePresenter:
        route = self._served
        return presenter_of(route.schema, self.asked.listed.type, route.served.unknown)

    @property
    def _served(self) -> ServingRoute:
        assert self._route is not None
        return self._route

    def _now(self) -> ServingRoute:
        return self.router.read(*self.place, _only_route)[0]

    def _newest(self, route: ServingRoute, changes: tuple[Change, ...]) -> Newest:
        stored = route.stored_types(self.asked.listed.type)
        newest: dict[tuple[str, str], Change] = {}
        for change in changes:
            known = newest.get((change.type, change.name))
            if change.operation is not FeedOperation.BEAT and change.type in stored:
                latest = max(known or change, change, key=lambda each: each.revision)
                newest[change.type, change.name] = latest
        return newest

    def _steps(self, route: ServingRoute, reading: Reading, newest: Newest) -> tuple[WatchStep, ...]:
        found: dict[tuple[str, str], StoredResource] = {}
        for type_ in dict.fromkeys(type_ for type_, _ in newest):
            held = reading.batch_get(type_, [name for stored, name in newest if stored == type_])
            found |= {(type_, name): each for name, each in held.items()}
        told: list[WatchStep] = []
        for (type_, name), change in newest.items():
            step = self._one(route, change, found.get((type_, name)))
            before = self._names.pop(str(change.uid), None)
            if before is not None and (step is None or step.name != before):
                told.append(WatchStep(before, None, {"metadata": {"uuid": str(change.uid)}}))
            if step is None and before is None and self._asks and self.asked.paged:
                # A page is read again in any case.
                step = WatchStep(name, None)
            if step is None:
                continue
            told.append(step)
            if step.document is not None:
                self.note([step.document])
        return tuple(told)

    def _one(self, route: ServingRoute, change: Change, found: StoredResource | None) -> WatchStep | None:
        type_ = self.asked.listed.type
        presenter = presenter_of(route.schema, type_, route.served.unknown)
        if found is None:
            name: str | None = change.name
            if route.how is ServingMode.TRANSLATED:
                name = route.reader(type_, change.type).old_name(change.name)
            gone: JsonObject = {"uuid": str(change.uid), "resourceVersion": str(change.revision)}
            return (
                None if name is None or not self._inside(name) else WatchStep(name, None, {"metadata": gone})
            )
        try:
            document = show(route, presenter, found)
        except NoImage:
            return None
        name = str(document[presenter.name_key])
        about: JsonObject = {"uuid": str(found.uid), "resourceVersion": str(found.revision)}
        return WatchStep(name, document, {"metadata": about}) if self._inside(name) else None

    def _inside(self, name: str) -> bool:
        return name == self.asked.only if self.asked.only else within(self.asked.listed.parent)(name)

    def _opened(self, route: ServingRoute | None, token: str) -> Position | None:
        try:
            found = json.decode(base64.urlsafe_b64decode((token + "=" * (-len(token) % 4)).encode()))
        except (SwitchyardError, ValueError) as error:
            raise _no_token() from error
        match found:
            case [str(mark), str(home), str(position)] if mark == self._mark():
                try:
                    self.feed.reached(Position(position), Position(position))
                except SwitchyardError as error:
                    raise _no_token() from error
                return Position(position) if route is not None and home == self._home(route) else None
            case [str(), str(), str()]:
                raise Invalid(
                    message("This resume token is of another watch."),
                    code="resume-token",
                    remedy=message(
                        "Watch with the filter and parent that the resume token was made for, or without it."
                    ),
                )
        raise _no_token()

    def _mark(self) -> str:
        listed = self.asked.listed
        said = [*self.place, listed.type, listed.parent, listed.filter, listed.dialect, self.asked.only]
        return json.digest(said)[:16]

    def _home(self, route: ServingRoute) -> str:
        where = [route.namespace.database, route.namespace.schema, route.stored_version]
        return json.digest(where)[:16]


def _no_token() -> Invalid:
    return Invalid(
        message("This is no resume token."),
        code="resume-token",
        remedy=message("Send one that a watch gave, or none."),
    )


def _only_route(route: ServingRoute, reading: Reading) -> None:
    return None
