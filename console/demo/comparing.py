"""Compares what clients were told with what both APIs show afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from console.demo.clients import Crowd, Key, Known, Place, plain, revision_of
from console.demo.making import Maker
from migrations_app import wiring
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import Stretch

BATCH = 200
ROUNDS = 50
"""A resource that is written each time it is looked at would have to be so this often."""


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
    examples: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Tell whether nothing was lost, stale, changed or there twice."""
        return not (self.lost or self.differing or self.stale or self.extra)

    def wrong(self, what: str, key: Key) -> None:
        """Note something wrong."""
        setattr(self, what, getattr(self, what) + 1)
        if len(self.examples) < 5:
            self.examples.append(f"{what}: {key[0]} {key[1]}")


class Comparing:
    """Reads everything that clients know of, in the version they wrote it in, and lists what is there at all.

    Clients go on writing: a resource that was written while it was read is looked at again. What was written in
    the new version is read in it only while that is active; else it must be there.
    """

    def __init__(self, place: Place, crowd: Crowd, active: str, moment: str) -> None:
        self._place, self._crowd, self._active = place, crowd, active
        self.found = Comparison(moment)
        self._makers = {version: Maker(place.served, version, 0) for version in (place.old, place.new)}

    def run(self) -> Comparison:
        """Compare, and tell what came out."""
        self._read(list(self._crowd.alive()))
        self._list()
        return self.found

    def _read(self, keys: list[Key]) -> None:
        for _ in range(ROUNDS):
            again: list[Key] = []
            for (version, type_), mine in self._by_version(keys).items():
                for batch in _batches(mine):
                    again += self._batch(version, type_, batch)
            if not again:
                return
            keys = again
        for key in keys:
            self.found.wrong("differing", key)

    def _by_version(self, keys: Iterable[Key]) -> dict[tuple[str, str], list[Key]]:
        known, grouped = self._crowd.alive(), dict[tuple[str, str], list[Key]]()
        for key in keys:
            if key not in known:
                continue
            version = known[key].version
            if version == self._place.old or self._active == self._place.new:
                there = self._there(key, version)
                grouped.setdefault((version, there[0] if there else ""), []).append(key)
        return grouped

    def _there(self, key: Key, version: str) -> Key | None:
        return key if version == self._place.old else self._place.in_new(key)

    def _batch(self, version: str, type_: str, keys: Sequence[Key]) -> list[Key]:
        """Compare some resources; give those that were written meanwhile."""
        maker = self._makers[version]
        face = maker.face(type_)
        names = {key: there[1] for key in keys if (there := self._there(key, version)) is not None}
        busy, before = self._crowd.doing(), self._crowd.alive()
        page = wiring.resource_servers().reading.batch_get(
            self._place.region, self._place.service, version, type_, list(names.values())
        )
        busy |= self._crowd.doing()
        after = self._crowd.alive()
        shown = {str(document[face.name_key]): document for document in page.documents}
        again: list[Key] = []
        for key, name in names.items():
            told = before.get(key)
            if key in busy or told is not after.get(key) or (told and told.version != version):
                again.append(key)
            elif told is not None:
                self._judge(maker, (type_, name), told, shown.get(name), version)
        return again

    def _judge(self, maker: Maker, key: Key, told: Known, document: JsonObject | None, version: str) -> None:
        self.found.compared += 1
        if version == self._place.old:
            self.found.read_old += 1
        else:
            self.found.read_new += 1
        if document is None:
            self.found.wrong("lost", key)
        elif revision_of(maker, key[0], document) < told.revision:
            self.found.wrong("stale", key)
        elif plain(maker, key[0], document) != told.document:
            self.found.wrong("differing", key)

    def _list(self) -> None:
        """List the active version whole: what clients know of is there once, and nothing else is."""
        maker = self._makers[self._active]
        before = self._crowd.alive()
        # A name that only the fields decide cannot be foretold; of such a type all must have a counterpart.
        foretold = {
            type_ for type_ in maker.types if not any(self._place.hidden(key, type_) for key in before)
        }
        for type_ in sorted(foretold if self._active == self._place.new else maker.types):
            self._list_type(maker, type_)

    def _list_type(self, maker: Maker, type_: str) -> None:
        keys = self._named(type_)
        names = list(_names(self._place, self._active, type_))
        seen = set(names)
        self.found.extra += len(names) - len(seen)
        if self._active == self._place.new:
            self.found.read_new += len(seen)
        else:
            self.found.read_old += len(seen)
        # Written meanwhile, or wrong: a look at each tells.
        wrong = sorted(seen ^ keys.keys())
        keys |= self._named(type_)
        for name in wrong:
            self._look(maker, type_, name, keys.get(name))

    def _look(self, maker: Maker, type_: str, name: str, key: Key | None) -> None:
        """See that one resource of the active version is there exactly if a client knows of it."""
        for _ in range(ROUNDS):
            busy, before = self._crowd.doing(), self._crowd.alive()
            page = wiring.resource_servers().reading.batch_get(
                self._place.region, self._place.service, self._active, type_, [name]
            )
            busy |= self._crowd.doing()
            after = self._crowd.alive()
            if key is None and page.documents:
                key = self._named(type_).get(name)
            if key in busy or (key and before.get(key) is not after.get(key)):
                continue
            known = key is not None and key in after
            if known is not bool(page.documents):
                self.found.wrong("lost" if known else "extra", (type_, name))
            return
        self.found.wrong("differing", (type_, name))

    def _named(self, type_: str) -> dict[str, Key]:
        """Tell what should stand in the active version, by the name it has there."""
        named: dict[str, Key] = {}
        for key in self._crowd.alive():
            there = self._there(key, self._active)
            if there is not None and there[0] == type_:
                named[there[1]] = key
        return named


def _names(place: Place, version: str, type_: str) -> Iterator[str]:
    served = wiring.resource_servers().directory.served(place.region, place.service)
    namespace = served.namespaces[version]
    for shard in range(namespace.ring):
        for row in wiring.store().page(namespace, Stretch(type_, shard, limit=10_000_000)):
            yield row.name


def _batches(keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
    for start in range(0, len(keys), BATCH):
        yield keys[start : start + BATCH]
