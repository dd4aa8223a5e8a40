"""Comparing single resources: converted again, and held beside what the other side has, with what both refer to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace

from migrations_app.domain.parity import ComparedSide, Mismatch, MismatchKind, compare
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import put_of
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.ports.conversions import Converter
from migrations_app.ports.stored import Put, Reference, StoredResource


@dataclass(frozen=True, slots=True)
class Pair:
    """A resource of the origin, what it converts to (None when it does not), and what stands there.

    `is_indexed` says that the reference indexes of both sides hold what the documents say.
    """

    type: str
    origin: StoredResource
    expected: Put | None
    actual: StoredResource | None
    is_indexed: bool = True

    @property
    def mismatch(self) -> Mismatch | None:
        """How the two differ, if they do."""
        if self.expected is None:
            kind = MismatchKind.UNCONVERTIBLE
            return Mismatch(kind, self.type, self.origin.name, self.origin.name, None, side_of(self.actual))
        wanted = ComparedSide(str(self.expected.uid), self.expected.revision, self.expected.body)
        found = side_of(self.actual)
        differing = compare(self.type, self.expected.name, self.origin.name, wanted, found)
        if differing is None and not self.is_indexed:
            kind = MismatchKind.REFERENCES
            return Mismatch(kind, self.type, self.expected.name, self.origin.name, wanted, found)
        return differing


def side_of(resource: StoredResource | None) -> ComparedSide | None:
    """Take of a resource what is compared."""
    return ComparedSide(str(resource.uid), resource.revision, resource.body) if resource else None


def pairs(
    ports: PipelinePorts, pipeline: ShardPipeline, type_: str, resources: Sequence[StoredResource]
) -> list[Pair]:
    """Convert resources again and read their counterparts."""
    converter = pipeline.converters[type_]
    wanted = [(resource, _converted(converter, resource)) for resource in resources]
    places = [(put.type, put.name) for _, put in wanted if put is not None]
    indexes = IndexedReferences.read(ports, pipeline, type_, [each.name for each in resources], places)
    found = held(ports, pipeline, places)
    first = converter.target_types[0] if converter.target_types else ""
    return [
        indexes.pair(
            put.type if put else first, resource, put, found.get((put.type, put.name)) if put else None
        )
        for resource, put in wanted
    ]


def held(
    ports: PipelinePorts, pipeline: ShardPipeline, places: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], StoredResource]:
    """Read what the other side holds at these places."""
    reading, names = ports.store.read(pipeline.passive), dict[str, list[str]]()
    for type_, name in places:
        names.setdefault(type_, []).append(name)
    return {
        (type_, name): row
        for type_, listed in names.items()
        for name, row in reading.batch_get(type_, listed).items()
    }


@dataclass(frozen=True, slots=True)
class IndexedReferences:
    """What the reference indexes of both sides say of some resources.

    They are read before the resources: where one changes meanwhile, its newer revision says so.
    """

    converter: Converter
    here: Mapping[str, tuple[Reference, ...]]
    there: Mapping[tuple[str, str], tuple[Reference, ...]]

    @classmethod
    def read(
        cls,
        ports: PipelinePorts,
        pipeline: ShardPipeline,
        type_: str,
        names: Sequence[str],
        places: Iterable[tuple[str, str]],
    ) -> IndexedReferences:
        """Read the rows of resources, by their names here and their places there; only of types that may refer."""
        converter = pipeline.converters[type_]
        here = ports.store.read(pipeline.origin).references_of(type_, names) if converter.refers else {}
        there: dict[tuple[str, str], tuple[Reference, ...]] = {}
        listed = list(places) if converter.referring else []
        for target in converter.referring:
            known = [name for type_, name in listed if type_ == target]
            found = ports.store.read(pipeline.passive).references_of(target, known) if known else {}
            there |= {(target, name): rows for name, rows in found.items()}
        return cls(converter, here, there)

    def pair(
        self, type_: str, origin: StoredResource, wanted: Put | None, found: StoredResource | None
    ) -> Pair:
        """Put a resource beside its counterpart, and hold what both indexes say against what the documents say."""
        return Pair(type_, origin, wanted, found, self._is_kept(origin, wanted))

    def _is_kept(self, origin: StoredResource, wanted: Put | None) -> bool:
        if self.converter.refers:
            said = self.converter.references(origin.body)
            if _comparable(said) != _comparable(self.here.get(origin.name, ())):
                return False
        if wanted is None or wanted.references is None or wanted.type not in self.converter.referring:
            return True
        return _comparable(wanted.references) == _comparable(self.there.get((wanted.type, wanted.name), ()))


def _comparable(references: Iterable[Reference]) -> list[Reference]:
    """Give references as they are compared: the region of an owner is what it said when it was asked."""
    return sorted((replace(each, target_region="") for each in references), key=astuple)


def _converted(converter: Converter, resource: StoredResource) -> Put | None:
    try:
        return put_of(converter, resource)
    except Exception:
        # A hook may raise anything. The quarantine shows the error; here it counts as a difference.
        UNEXPECTED.note("verification")
        return None


@dataclass(frozen=True, slots=True)
class KeyComparison:
    """What looking at some keys came to: stable differences, and keys that a newer change will bring up again."""

    checked: int
    mismatches: tuple[Mismatch, ...]
    moved: int


def verify_keys(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    type_: str,
    expected: dict[str, int],
    *,
    still: bool = False,
) -> KeyComparison:
    """Compare the resources of these names, whose changes up to the given revisions have been followed.

    The other side is read first: whatever it holds, the origin held before. A resource that the origin has
    changed since is left to the change's own entry in the feed, unless no client can write (`still`).
    """
    converter = pipeline.converters[type_]
    if not converter.target_types:
        return KeyComparison(0, (), 0)
    places = {name: converter.place(name) for name in expected}
    known = [place for place in places.values() if place is not None]
    indexes = IndexedReferences.read(ports, pipeline, type_, list(expected), known)
    standing = held(ports, pipeline, known)
    rows = ports.store.read(pipeline.origin).batch_get(type_, list(expected))
    undecided = [row for row in rows.values() if places[row.name] is None]
    beside = {pair.origin.name: pair for pair in pairs(ports, pipeline, type_, undecided)}
    differing: list[Mismatch] = []
    moved = 0
    for name, revision in expected.items():
        place = places[name] or (converter.target_types[0], "")
        row, found = rows.get(name), standing.get(place)
        if row is None:
            mismatch = _extra(place[0], name, found)
            # Held at the followed revision or later, it was deleted since: that deletion has its own entry.
            newer = found is not None and found.revision >= revision
        else:
            pair = beside.get(name) or indexes.pair(place[0], row, _converted(converter, row), found)
            mismatch = pair.mismatch
            newer = row.revision > revision
        if mismatch is not None and newer and not still:
            moved += 1
        elif mismatch is not None:
            differing.append(mismatch)
    return KeyComparison(len(expected), tuple(differing), moved)


def _extra(type_: str, source_name: str, found: StoredResource | None) -> Mismatch | None:
    return compare(type_, found.name if found else "", source_name, None, side_of(found))
