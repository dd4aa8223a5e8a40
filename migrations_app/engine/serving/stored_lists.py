"""The stored resources behind a list, in the order of names; of a split type those of all its parts together."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.filters.ast import And, Filter, all_of, paths_of
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.engine.serving.stored_names import stored_parent
from migrations_app.kernel import json
from migrations_app.kernel.errors import PageTokenInvalid
from migrations_app.kernel.messages import message
from migrations_app.ports.store import Query, Reading, StoredResource


@dataclass(frozen=True, slots=True)
class ListedResource:
    """A stored resource of a list: the cursor that goes on after it, and whether it is known to be the last."""

    resource: StoredResource
    cursor: str
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class StoredList:
    """The resources of a type under a parent that a filter does not rule out, as one reading sees them."""

    route: ServingRoute
    reading: Reading
    presenter: ResourcePresenter
    parent: str
    filter: Filter

    @property
    def types(self) -> tuple[str, ...]:
        """The types that they are stored as."""
        return self.route.stored_types(self.presenter.type)

    def walk(self, after: str, chunk: int, before: str = "") -> Iterator[ListedResource]:
        """Walk them from a cursor on; from `before`, which a split type does not have, backwards."""
        types = self.types
        if len(types) == 1:
            return self._walk(types[0], after, chunk, before)
        return self._merged(types, after, chunk)

    def _merged(self, types: tuple[str, ...], after: str, chunk: int) -> Iterator[ListedResource]:
        cursors = opened_cursors(after)
        streams = (
            ((self._asked_name(each.resource), type_, each.resource) for each in found)
            for type_ in types
            for found in (self._walk(type_, cursors.get(type_, ""), chunk, ""),)
        )
        for _, type_, resource in heapq.merge(*streams, key=lambda each: each[:2]):
            cursors[type_] = resource.name
            yield ListedResource(resource, sealed_cursors(cursors))

    def _asked_name(self, stored: StoredResource) -> str:
        try:
            return self.route.reader(self.presenter.type, stored.type).get(stored.name, stored.body)[0]
        except NoImage:
            return stored.name

    def _walk(self, type_: str, after: str, chunk: int, before: str) -> Iterator[ListedResource]:
        parent = stored_parent(self.route, self.presenter, self.parent, type_)
        if parent is None:
            return
        narrowing = self._narrowing(type_)
        while True:
            query = Query(type_, parent, narrowing, beyond=after, before=before, limit=chunk)
            listing = self.reading.list(query)
            for index, resource in enumerate(listing.resources, 1):
                is_last = not listing.next and index == len(listing.resources)
                yield ListedResource(resource, resource.name, is_last)
                after, before = ("", resource.name) if before else (resource.name, "")
            if not listing.next:
                return

    def _narrowing(self, type_: str) -> Filter | None:
        """Say of the filter what can be asked of stored bodies, which hold neither names nor metadata."""
        own, given = {self.presenter.name_key, self.presenter.metadata_key}, self.filter
        if self.route.how is ServingMode.TRANSLATED:
            given = self.route.reader(self.presenter.type, type_).filter(given).pushed
            own |= {presenter_of(self.route.stored_schema, type_).name_key}
        parts = given.parts if isinstance(given, And) else (given,)
        kept = [part for part in parts if all(path.segments[0] not in own for path in paths_of(part))]
        return all_of(kept) if kept else None


def sealed_cursors(cursors: dict[str, str]) -> str:
    """Write how far a list has come in each stored type."""
    return json.encode({**cursors}).decode()


def opened_cursors(text: str) -> dict[str, str]:
    """Read how far a list had come in each stored type.

    Raises: Invalid (`page-token`).
    """
    found = json.decode(text.encode()) if text else {}
    if not isinstance(found, dict):
        raise PageTokenInvalid(message("This page token is of another list."))
    return {type_: str(name) for type_, name in found.items()}
