"""Compares what clients were told with what both APIs show afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from console.demo.clients import Key, Known, Place, plain, revision_of
from console.demo.making import Maker
from migrations_app import wiring
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import Stretch

BATCH = 200


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


def compare(place: Place, known: Mapping[Key, Known], active: str, moment: str) -> Comparison:
    """Read everything that clients know of, in the version they wrote it in, and list what is there at all.

    What was written in the new version is read in it only while that is active; else it must be there.
    """
    found = Comparison(moment)
    for version in (place.old, place.new):
        maker = Maker(place.served, version, 0)
        mine = {key: told for key, told in known.items() if told.version == version}
        if version == place.new:
            mine = {there: told for key, told in mine.items() if (there := place.in_new(key)) is not None}
        if version == place.old or active == place.new:
            _read(place, version, maker, mine, found)
    _list(place, active, known, found)
    return found


def _read(place: Place, version: str, maker: Maker, mine: Mapping[Key, Known], found: Comparison) -> None:
    reading = wiring.resource_servers().reading
    for type_, names in _by_type(mine).items():
        face = maker.face(type_)
        for batch in _batches(names):
            page = reading.batch_get(place.region, place.service, version, type_, batch)
            shown = {str(document[face.name_key]): document for document in page.documents}
            for name in batch:
                key = (type_, name)
                found.compared += 1
                if name not in shown:
                    found.wrong("lost", key)
                    continue
                _judge(maker, key, mine[key], shown[name], found)
            if version == place.old:
                found.read_old += len(batch)
            else:
                found.read_new += len(batch)


def _judge(maker: Maker, key: Key, told: Known, document: JsonObject, found: Comparison) -> None:
    if revision_of(maker, key[0], document) < told.revision:
        found.wrong("stale", key)
    elif plain(maker, key[0], document) != told.document:
        found.wrong("differing", key)


def _list(place: Place, active: str, known: Mapping[Key, Known], found: Comparison) -> None:
    """List the active version whole: what clients know of is there once, and nothing else is."""
    maker = Maker(place.served, active, 0)
    there = known if active == place.old else [place.in_new(key) for key in known]
    wanted = _by_type([key for key in there if key is not None])
    # A name that only the fields decide cannot be foretold; of such a type everything must have a counterpart.
    foretold = {type_ for type_ in maker.types if not any(place.hidden(key, type_) for key in known)}
    for type_ in sorted(foretold if active == place.new else maker.types):
        seen = sorted(_names(place, active, type_))
        for name in sorted(set(wanted.get(type_, ())) - set(seen)):
            found.wrong("lost", (type_, name))
        for name in sorted(set(seen) - set(wanted.get(type_, ()))):
            found.wrong("extra", (type_, name))
        found.extra += len(seen) - len(set(seen))
        if active == place.new:
            found.read_new += len(seen)
        else:
            found.read_old += len(seen)


def _names(place: Place, version: str, type_: str) -> Iterator[str]:
    served = wiring.resource_servers().directory.served(place.region, place.service)
    namespace = served.namespaces[version]
    for shard in range(namespace.ring):
        for row in wiring.store().page(namespace, Stretch(type_, shard, limit=10_000_000)):
            yield row.name


def _by_type(known: Iterable[Key]) -> dict[str, list[str]]:
    sorted_out: dict[str, list[str]] = {}
    for type_, name in known:
        sorted_out.setdefault(type_, []).append(name)
    return sorted_out


def _batches(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), BATCH):
        yield names[start : start + BATCH]
