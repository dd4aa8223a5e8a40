"""Comparing single resources: converted again, and held beside what the other side has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from migrations_app.domain.parity import ComparedSide, Mismatch, MismatchKind, compare
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import put_of
from migrations_app.ports.conversions import Converter
from migrations_app.ports.stored import Put, StoredResource


@dataclass(frozen=True, slots=True)
class Pair:
    """A resource of the origin, what it converts to (None when it does not), and what stands there."""

    type: str
    origin: StoredResource
    expected: Put | None
    actual: StoredResource | None

    @property
    def mismatch(self) -> Mismatch | None:
        """How the two differ, if they do."""
        if self.expected is None:
            kind = MismatchKind.UNCONVERTIBLE
            return Mismatch(kind, self.type, self.origin.name, self.origin.name, None, side_of(self.actual))
        wanted = ComparedSide(str(self.expected.uid), self.expected.revision, self.expected.body)
        return compare(self.type, self.expected.name, self.origin.name, wanted, side_of(self.actual))


def side_of(resource: StoredResource | None) -> ComparedSide | None:
    """Take of a resource what is compared."""
    return ComparedSide(str(resource.uid), resource.revision, resource.body) if resource else None


def pairs(
    ports: PipelinePorts, pipeline: ShardPipeline, type_: str, resources: Sequence[StoredResource]
) -> list[Pair]:
    """Convert resources again and read their counterparts."""
    converter = pipeline.converters[type_]
    wanted = [(resource, _converted(converter, resource)) for resource in resources]
    found = held(ports, pipeline, [(put.type, put.name) for _, put in wanted if put is not None])
    first = converter.target_types[0] if converter.target_types else ""
    return [
        Pair(put.type if put else first, resource, put, found.get((put.type, put.name)) if put else None)
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


def _converted(converter: Converter, resource: StoredResource) -> Put | None:
    try:
        return put_of(converter, resource)
    except Exception:
        # A hook may raise anything. Whoever quarantines it tells the error; here it counts as a difference.
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
    changed since is left to the change's own entry in the feed, unless nobody can write (`still`).
    """
    converter = pipeline.converters[type_]
    if not converter.target_types:
        return KeyComparison(0, (), 0)
    places = {name: converter.place(name) for name in expected}
    standing = held(ports, pipeline, [place for place in places.values() if place is not None])
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
            pair = beside.get(name) or Pair(place[0], row, _converted(converter, row), found)
            mismatch = pair.mismatch
            newer = row.revision > revision
        if mismatch is not None and newer and not still:
            moved += 1
        elif mismatch is not None:
            differing.append(mismatch)
    return KeyComparison(len(expected), tuple(differing), moved)


def _extra(type_: str, source_name: str, found: StoredResource | None) -> Mismatch | None:
    return compare(type_, found.name if found else "", source_name, None, side_of(found))
