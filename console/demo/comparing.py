"""Compares what was acknowledged to clients with what both APIs show afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from console.demo.clients import Crowd, Key, KnownResource, WriteTarget, plain, revision_of
from console.demo.making import Maker
from migrations_app import wiring
from migrations_app.engine.serving.reading import LARGEST_PAGE, MOST_IN_BATCH, ListRequest, ResourcePage
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import KeyRange

T = TypeVar("T")
STORED = 5000
WRITTEN = "written at every look"
LOOKS = 20
REST_SECONDS = 60.0
"""So often, and for so long after the first look at all, a resource that is being written is looked at again.

On a busy machine one write takes more than a second, and the first look at all takes minutes: by itself it proves nothing.
"""
PAUSE_SECONDS = 0.05


@dataclass
class Comparison:
    """What a comparison came to; `examples` names the first few wrong ones."""

    moment: str
    compared: int = 0
    read_old: int = 0
    read_new: int = 0
    lost: int = 0
    differing: int = 0
    stale: int = 0
    extra: int = 0
    not_compared: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Tell whether everything was compared, and nothing was lost, stale, changed or there twice."""
        return not (self.lost or self.differing or self.stale or self.extra or self.not_compared)

    def wrong(self, what: str, key: Key, how: str = "") -> None:
        """Note something wrong, and `how` it is so where that is more than what."""
        setattr(self, what, getattr(self, what) + 1)
        if len(self.examples) < 5:
            self.examples.append(f"{what.replace('_', ' ')}: {key[0]} {key[1]}{f' ({how})' if how else ''}")


class VersionComparison:
    """Lists the active version whole, and reads in the old one what was written in it.

    Clients go on writing: a resource that was written while it was read is looked at again. What was written in
    the new version is compared only while that is active; else it must be there.
    """

    def __init__(self, place: WriteTarget, crowd: Crowd, active: str, moment: str) -> None:
        self._place, self._crowd, self._active = place, crowd, active
        self.found = Comparison(moment)
        self._makers = {version: Maker(place.served, version, 0) for version in (place.old, place.new)}

    def run(self) -> Comparison:
        """Compare, and tell what came out."""
        known = self._crowd.alive()
        judged: set[Key] = set()
        for type_ in sorted(self._foretold(known)):
            self._list(type_, judged)
        self._read([key for key in known if key not in judged])
        return self.found

    def _foretold(self, known: Iterable[Key]) -> set[str]:
        """Tell the types of the active version whose names follow from the old ones.

        A name that only the fields decide cannot be foretold; of such a type all must have a counterpart.
        """
        types = set(self._makers[self._active].types)
        if self._active == self._place.old:
            return types
        return {type_ for type_ in types if not any(self._place.hidden(key, type_) for key in known)}

    def _list(self, type_: str, judged: set[Key]) -> None:
        """List a type: what clients know of is there once, and nothing else is; what was acknowledged is judged, if it may."""
        maker, named = self._makers[self._active], self._named(type_)
        if self._active == self._place.new:
            # Most were written in the old version and are compared there; here their names are enough.
            names = self._stored_names(type_)
        else:
            names = self._listed(maker, type_, named, judged)
        seen = set(names)
        self.found.extra += len(names) - len(seen)
        # Written meanwhile, or wrong: a look at each tells.
        self._look(maker, type_, sorted(seen ^ named.keys()))

    def _listed(self, maker: Maker, type_: str, named: dict[str, Key], judged: set[Key]) -> list[str]:
        """List a type through the API of the active version, and judge what was written in it."""
        name_key, names = maker.presenter(type_).name_key, list[str]()
        for page, began in self._pages(type_):
            busy = self._crowd.doing()
            for document in page.documents:
                names.append(str(document[name_key]))
                key = named.get(names[-1])
                known = None if key is None else self._settled(key, busy, began)
                if key is not None and known is not None and known.version == self._active:
                    self._judge(maker, (type_, names[-1]), known, document)
                    judged.add(key)
        return names

    def _stored_names(self, type_: str) -> list[str]:
        """List the names of a type as the active namespace holds them."""
        served = wiring.resource_servers().directory.served(self._place.region, self._place.service)
        namespace, names = served.namespaces[self._active], list[str]()
        for shard in range(namespace.ring):
            after = ""
            while page := wiring.store().page(namespace, KeyRange(type_, shard, after, limit=STORED)):
                names += [row.name for row in page]
                after = page[-1].name
        return names

    def _pages(self, type_: str) -> Iterator[tuple[ResourcePage, float]]:
        """List a type page by page, each with the moment before it was asked for."""
        reading, token = wiring.resource_servers().reading, ""
        while True:
            began = time.monotonic()
            asked = ListRequest(type_, page_size=LARGEST_PAGE, page_token=token)
            page = reading.list(self._place.region, self._place.service, self._active, asked)
            yield page, began
            token = page.next
            if not token:
                return

    def _settled(self, key: Key, busy: set[Key], began: float) -> KnownResource | None:
        """Give what was acknowledged of a resource, if its client has not written it since a look at it began.

        `busy` is what was being written after the look: a write that had ended by then has its time.
        """
        known = self._crowd.known(key)
        return None if known is None or key in busy or known.at >= began else known

    def _look(self, maker: Maker, type_: str, names: Sequence[str]) -> None:
        """See that resources of the active version are there exactly if a client knows of them."""
        strangers, waiting = set[str](), list(names)
        for _ in rounds(SystemClock()):
            began = time.monotonic()
            shown = {name for batch in _batches(waiting) for name in self._shown(maker, type_, batch)}
            busy = self._crowd.doing()
            named, again = self._named(type_), list[str]()
            writing = {there for key in busy if (there := self._there(key, self._active)) is not None}
            for name in waiting:
                key = named.get(name)
                moving = key is not None and self._settled(key, busy, began) is None
                # Not shown to any client: it may have been deleted after the look, but only once.
                fresh = key is None and name in shown and name not in strangers
                if moving or fresh or (type_, name) in writing:
                    strangers |= {name} if fresh else set()
                    again.append(name)
                elif (key is not None) is not (name in shown):
                    self.found.wrong("extra" if key is None else "lost", (type_, name))
            if not again:
                return
            waiting = again
        for name in waiting:
            self.found.wrong("not_compared", (type_, name), WRITTEN)

    def _shown(
        self, maker: Maker, type_: str, names: Sequence[str], version: str = ""
    ) -> dict[str, JsonObject]:
        """Read resources by name through the API of a version, the active one if none is given."""
        page = wiring.resource_servers().reading.batch_get(
            self._place.region, self._place.service, version or self._active, type_, names
        )
        name_key = maker.presenter(type_).name_key
        return {str(document[name_key]): document for document in page.documents}

    def _read(self, keys: list[Key]) -> None:
        """Compare resources by name, in the version each was written in."""
        for _ in rounds(SystemClock()):
            again: list[Key] = []
            for (version, type_), mine in self._by_version(keys).items():
                for batch in _batches(mine):
                    again += self._batch(version, type_, batch)
            if not again:
                return
            keys = again
        for key in keys:
            self.found.wrong("not_compared", key, WRITTEN)

    def _by_version(self, keys: Iterable[Key]) -> dict[tuple[str, str], list[Key]]:
        grouped = dict[tuple[str, str], list[Key]]()
        for key in keys:
            known = self._crowd.known(key)
            if known is None or (known.version == self._place.new and self._active == self._place.old):
                continue
            there = self._there(key, known.version)
            if there is not None:
                grouped.setdefault((known.version, there[0]), []).append(key)
        return grouped

    def _there(self, key: Key, version: str) -> Key | None:
        return key if version == self._place.old else self._place.in_new(key)

    def _batch(self, version: str, type_: str, keys: Sequence[Key]) -> list[Key]:
        """Compare some resources; give those that were written meanwhile."""
        maker = self._makers[version]
        names = {key: there[1] for key in keys if (there := self._there(key, version)) is not None}
        began = time.monotonic()
        shown = self._shown(maker, type_, list(names.values()), version)
        busy, again = self._crowd.doing(), list[Key]()
        for key, name in names.items():
            known = self._settled(key, busy, began)
            if known is None or known.version != version:
                again.append(key)
            else:
                self._judge(maker, (type_, name), known, shown.get(name))
        return again

    def _judge(self, maker: Maker, key: Key, known: KnownResource, document: JsonObject | None) -> None:
        self.found.compared += 1
        if known.version == self._place.old:
            self.found.read_old += 1
        else:
            self.found.read_new += 1
        if document is None:
            self.found.wrong("lost", key)
        elif revision_of(maker, key[0], document) < known.revision:
            self.found.wrong("stale", key)
        elif (shown := plain(maker, key[0], document)) != known.document:
            fields = sorted(
                name for name in {*shown, *known.document} if shown.get(name) != known.document.get(name)
            )
            revision = revision_of(maker, key[0], document)
            how = (
                f"{', '.join(fields)}; revision {revision}, acknowledged {known.revision} in {known.version}"
            )
            self.found.wrong("differing", key, how)

    def _named(self, type_: str) -> dict[str, Key]:
        """Tell what should stand in the active version, by the name it has there."""
        named: dict[str, Key] = {}
        for key in self._crowd.alive():
            there = self._there(key, self._active)
            if there is not None and there[0] == type_:
                named[there[1]] = key
        return named


def rounds(clock: Clock, pause: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Yield for the first look at all, and then for further looks, with a pause before each.

    Shape: at least `LOOKS`, and for `REST_SECONDS` after the first look has ended, however long that took.
    """
    yield
    looks, until = 1, clock.monotonic() + REST_SECONDS
    while looks < LOOKS or clock.monotonic() < until:
        pause(PAUSE_SECONDS)
        yield
        looks += 1


def _batches(keys: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(keys), MOST_IN_BATCH):
        yield keys[start : start + MOST_IN_BATCH]
