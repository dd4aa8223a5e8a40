"""The owner's side of read copies: what it owns that another region keeps, as it is and as it changes.

Whatever version is asked for is converted from the active namespace, which alone is complete.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

import msgspec

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.typed import Typed, TypedConverter
from migrations_app.engine.constraints.messages import read, write
from migrations_app.engine.regions.messages import (
    MOST_READ,
    CopyEntry,
    ListOwned,
    OwnedChanges,
    OwnedListed,
    OwnedRead,
    OwnedResource,
    ReadOwned,
    RemovedCopy,
    WatchOwned,
)
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import stored_as
from migrations_app.kernel import json
from migrations_app.kernel.errors import Denied, FeedTrimmed, Missing, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.ports.copies import Copies, CopyScope, ResourceIdentity
from migrations_app.ports.feed import Batch, Change, Feed, FeedOperation, Position
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, Store, StoredResource

MOST_BYTES = 4 * 1024 * 1024
_CHUNK = 25

T = TypeVar("T")
Action = Callable[[Peer, Peer, JsonObject], JsonObject]


class OwnedServer:
    """Answers the regions that keep read copies of what is owned here."""

    def __init__(self, router: Router, store: Store, feed: Feed, copies: Copies) -> None:
        self._router, self._store, self._feed, self._copies = router, store, feed, copies
        self.actions: dict[str, Action] = {
            "watchOwned": lambda sender, here, body: write(self.watch(sender, here, read(body, WatchOwned))),
            "listOwned": lambda sender, here, body: write(self.list(sender, here, read(body, ListOwned))),
            "readOwned": lambda sender, here, body: write(self.read(sender, here, read(body, ReadOwned))),
        }

    def watch(self, sender: Peer, here: Peer, asked: WatchOwned) -> OwnedChanges:
        """WatchOwned: tell what changed after a position, at most some megabytes at once.

        What is not for the asker is told as gone, by its name alone: it may have kept it until now.

        The changes are read first, and what changed after them, outside the snapshot that tells who serves: a snapshot
        is older than the feed is by now, and would show what was deleted meanwhile as it was.
        """

        def _answer(route: ServingRoute, _: Reading) -> OwnedChanges:
            view = self._view(route, self._store.read(route.namespace), sender, asked.version)
            batch = self._batch(view, asked)
            if batch is None:
                return OwnedChanges(view.sealed(self._feed.head(route.namespace)), begun=True)
            changes = [each for each in batch.changes if each.operation is not FeedOperation.BEAT]
            newest_states, position = view.newest_states(changes)
            done = position is None
            if position is None:
                position = batch.position
            level = done and batch.level
            waiting = 0 if level else self._feed.backlog(route.namespace, position).entries
            return OwnedChanges(
                view.sealed(position),
                tuple(each for each in newest_states if isinstance(each, OwnedResource)),
                tuple(each for each in newest_states if isinstance(each, RemovedCopy)),
                level=level,
                waiting=waiting,
                failed=len(view.failed),
            )

        return self._router.read_active(here.region, self._mine(sender, here), _answer)[1]

    def list(self, sender: Peer, here: Peer, asked: ListOwned) -> OwnedListed:
        """ListOwned: a page in the order of the owner's own types and names."""

        def _answer(route: ServingRoute, reading: Reading) -> OwnedListed:
            view = self._view(route, reading, sender, asked.version)
            types = sorted(self._store.types(route.namespace))
            kind, _, after = asked.after.partition("/")
            left = [each for each in types if each >= kind]
            if not left:
                return OwnedListed()
            scope = CopyScope(left[0], reader=sender.region)
            page = self._copies.owned(route.namespace, scope, after if left[0] == kind else "", asked.limit)
            following = f"{left[0]}/{page[-1].name}" if len(page) == asked.limit else ""
            return OwnedListed(tuple(view.entries(page)), following or (f"{left[1]}/" if left[1:] else ""))

        return self._router.read_active(here.region, self._mine(sender, here), _answer)[1]

    def read(self, sender: Peer, here: Peer, asked: ReadOwned) -> OwnedRead:
        """ReadOwned: the resources by these names, as far as they fit into one answer; or which there are."""

        def _answer(route: ServingRoute, reading: Reading) -> OwnedRead:
            view = self._view(route, reading, sender, asked.version)
            found: list[OwnedResource] = []
            there: list[int] = []
            size = 0
            for chunk in _chunks(list(enumerate(asked.things))):
                for index, image in view.asked(chunk, self._store):
                    there.append(index)
                    found += [image] if asked.bodies else []
                    size += _size(image) if asked.bodies else 0
                if asked.bodies and (size > MOST_BYTES or len(found) >= MOST_READ):
                    break
            return OwnedRead(tuple(found), tuple(there))

        return self._router.read_active(here.region, self._mine(sender, here), _answer)[1]

    def _mine(self, sender: Peer, here: Peer) -> str:
        if sender.service != here.service:
            raise Denied(
                message(
                    "{deployment} keeps no copies of {service}.",
                    deployment=sender.deployment,
                    service=here.service,
                ),
                code="not-yours",
            )
        return here.service

    def _view(self, route: ServingRoute, reading: Reading, sender: Peer, version: str) -> _View:
        route.served.compiled.schema(version)
        typed = None
        if version != route.stored_version:
            typed = route.served.compiled.stored.typed(route.stored_version, version)
        return _View(route, reading, sender, version, typed)

    def _batch(self, view: _View, asked: WatchOwned) -> Batch | None:
        """Read on; None when the position is of another place or time."""
        position = view.opened(asked.after)
        if position is None:
            return None
        try:
            return self._feed.read(view.route.namespace, position, limit=asked.limit)
        except FeedTrimmed:
            return None


@dataclass(slots=True)
class _View:
    """What one asker sees of a namespace in its version."""

    route: ServingRoute
    reading: Reading
    sender: Peer
    version: str
    typed: TypedConverter | None
    failed: list[str] = field(default_factory=list)

    def newest_states(
        self, changes: Sequence[Change]
    ) -> tuple[list[OwnedResource | RemovedCopy], Position | None]:
        """Tell changes by the newest state of what changed; with where it stopped, if it did not tell all."""
        found: dict[tuple[str, str], OwnedResource | RemovedCopy] = {}
        size = 0
        for chunk in _chunks(changes):
            if size > MOST_BYTES:
                return list(found.values()), _before(changes, chunk[0])
            newest = {(each.type, each.name): each for each in chunk}
            rows = self._rows(newest)
            for key, change in newest.items():
                for each in self._one(change, rows.get(key)):
                    known = found.get((each.type, each.name or str(each.uid)))
                    if known is None or known.revision <= each.revision:
                        found[each.type, each.name or str(each.uid)] = each
                        size += _size(each) if isinstance(each, OwnedResource) else 0
        return list(found.values()), None

    def entries(self, page: Sequence[ResourceIdentity]) -> Iterator[CopyEntry]:
        """Name resources as the asker's version does."""
        if self.typed is None:
            yield from (CopyEntry(each.type, each.name, each.uid, each.revision) for each in page)
            return
        for chunk in _chunks(page):
            for row in self._rows((each.type, each.name) for each in chunk).values():
                image = self.image(row)
                if image is not None:
                    yield CopyEntry(image.type, image.name, row.uid, row.revision)

    def asked(
        self, things: Sequence[tuple[int, CopyEntry]], store: Store
    ) -> Iterator[tuple[int, OwnedResource]]:
        """Find what is asked for by the names of the asker's version, or else by uid."""
        stored = {index: self._stored(each, store) for index, each in things}
        rows = self._rows(each for each in stored.values() if each is not None)
        for index, each in things:
            row = rows.get(stored[index] or ("", ""))
            image = self.image(row) if row is not None else None
            if image is not None and (image.type, image.name) == (each.type, each.name):
                yield index, image

    def image(self, row: StoredResource) -> OwnedResource | None:
        """Show a resource to the asker; None when it is not for it, or has no image in its version."""
        if row.owning_region not in self.route.namespace.own or not self._is_kept(row):
            return None
        try:
            made = self._converted(row)
        except NoImage:
            return None
        except Exception:
            # A conversion may raise anything; it concerns this resource only.
            UNEXPECTED.note("read copies")
            self.failed.append(row.name)
            return None
        owner = self.route.served.region
        created, updated = row.create_time, row.update_time
        body, metadata = dict[str, object](made.body), dict[str, object](row.metadata)
        return OwnedResource(
            made.type, made.name, row.uid, row.revision, owner, body, metadata, created, updated
        )

    def sealed(self, position: Position) -> str:
        """Write a position so that it is known again only where it is of."""
        text = json.encode([self._mark, position])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")

    def opened(self, text: str) -> Position | None:
        """Read a position; None when it is of another namespace or version, or none at all."""
        try:
            found = json.decode(base64.urlsafe_b64decode((text + "=" * (-len(text) % 4)).encode()))
        except (SwitchyardError, ValueError):
            return None
        match found:
            case [str(mark), str(position)] if mark == self._mark:
                return Position(position)
        return None

    @property
    def _mark(self) -> str:
        namespace = self.route.namespace
        return json.digest([namespace.database, namespace.schema, self.version])[:16]

    def _is_kept(self, row: StoredResource) -> bool:
        syncing = row.metadata.get("syncing")
        regions = syncing.get("regions") if isinstance(syncing, dict) else None
        return isinstance(regions, list) and self.sender.region in regions

    def _converted(self, row: StoredResource) -> Typed:
        if self.typed is None:
            return Typed(row.type, row.name, row.body)
        return self.typed.forward(row.type, row.name, row.body)

    def _one(self, change: Change, row: StoredResource | None) -> Iterator[OwnedResource | RemovedCopy]:
        if row is None and change.operation is not FeedOperation.DELETE:
            return  # an entry that comes later deletes it
        image = self.image(row) if row is not None else None
        if image is not None:
            yield image
            return
        revision = row.revision if row is not None else change.revision
        if row is not None and row.name in self.failed:
            return
        if self.typed is None:
            yield RemovedCopy(revision, change.uid, change.type, change.name)
            return
        for type_, name in self.typed.names(change.type, change.name):
            yield RemovedCopy(revision, change.uid, type_, name)
        yield RemovedCopy(revision, change.uid)

    def _stored(self, asked: CopyEntry, store: Store) -> tuple[str, str] | None:
        found = stored_as(self.route, self.version, asked.type, asked.name)
        if found is not None or self.typed is None:
            return found
        for type_ in store.types(self.route.namespace):
            names = store.names_by_uid(self.route.namespace, type_, [asked.uid])
            if names:
                return type_, names[asked.uid]
        return None

    def _rows(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], StoredResource]:
        found: dict[tuple[str, str], StoredResource] = {}
        for type_, group in groupby(sorted(keys), key=lambda key: key[0]):
            try:
                rows = self.reading.batch_get(type_, [name for _, name in group])
            except Missing:
                continue  # a type that this version does not keep
            found |= {(type_, name): row for name, row in rows.items()}
        return found


def _chunks(things: Sequence[T]) -> Iterator[Sequence[T]]:
    return (things[start : start + _CHUNK] for start in range(0, len(things), _CHUNK))


def _before(changes: Sequence[Change], end: Change) -> Position:
    return changes[changes.index(end) - 1].position


def _size(image: OwnedResource) -> int:
    return len(msgspec.json.encode(image))
