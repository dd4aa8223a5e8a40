"""The full check: a page of one side held beside the other, in pages shorter than a second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from migrations_app.domain.parity import Mismatch, compare
from migrations_app.domain.resources.shards import shard_of
from migrations_app.engine.parity.pages import page_of_shards
from migrations_app.engine.parity.verify import pairs, side_of, verify_keys
from migrations_app.engine.sync.catch_up import follow
from migrations_app.engine.sync.quarantine import worklist
from migrations_app.engine.sync.shard_pipeline import (
    PipelinePorts,
    ShardPipeline,
    fresh_replication_token,
    pipeline_of,
    position_of,
)
from migrations_app.ports.checkpoints import Scan
from migrations_app.ports.comparing import ComparedPage, CountedPage, CountedRange
from migrations_app.ports.conversions import Converter
from migrations_app.ports.namespaces import Position
from migrations_app.ports.stored import KeyRange, StoredResource
from migrations_app.ports.upgrades import Direction

PAGE = 1000
BOTH_WAYS = 20
"""So many of a page that the database has compared are converted and compared here as well."""
ROUNDS, WAITS = 60, 20


@dataclass(frozen=True, slots=True)
class Scanned:
    """What one page came to; `scan` None when following has not come far enough to tell.

    `counted` is what the page of the origin loses on a rollback, where the same look told it.
    """

    scan: Scan | None
    mismatches: tuple[tuple[str, Mismatch], ...] = ()
    finished: bool = False
    counted: CountedRange | None = None


def scan_page(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    scan: Scan,
    quarantined: set[tuple[str, str]],
    limit: int = PAGE,
) -> Scanned:
    """Compare the next page; first every resource of the origin, then every one of the other side.

    What differs is looked at again once following has passed the moment of reading; only what differs then
    is reported. The caller repeats the page when it has not.
    """
    types = _types(ports, pipeline, scan)
    type_ = scan.type or (types[0] if types else "")
    if not type_:
        return Scanned(scan, finished=True)
    # Of the other side only what is too much is looked for, which names alone tell.
    key_range = KeyRange(type_, pipeline.shard, scan.name, None, limit, bare=scan.backwards)
    page = (_backwards if scan.backwards else _forwards)(ports, pipeline, key_range)
    found = _confirmed(ports, pipeline, scan, type_, page, quarantined)
    if found is None:
        return Scanned(None)
    looked = scan.backwards or page.extras is not None or _opposite_converter(ports, pipeline, type_) is None
    moved = replace(
        scan,
        type=type_,
        name=page.last,
        scanned=scan.scanned + page.read,
        failed=scan.failed + len(found),
        both_ways=scan.both_ways and looked,
    )
    return replace(
        Scanned(moved, found) if page.more else _next_type(moved, types, type_, found),
        counted=_counted(key_range, page),
    )


def _confirmed(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    scan: Scan,
    type_: str,
    page: ComparedPage,
    quarantined: set[tuple[str, str]],
) -> tuple[tuple[str, Mismatch], ...] | None:
    """Look again at what seemed to differ, and at what seemed too much; None when it is too early to tell."""
    settle = _extras if scan.backwards else _differing
    differing = settle(ports, pipeline, type_, page.suspects, quarantined) if page.suspects else ()
    if differing is None or not page.extras:
        return differing
    target = pipeline.converters[type_].target_types[0]
    extras = _extras(ports, pipeline, target, page.extras, quarantined)
    return None if extras is None else (*differing, *extras)


def _counted(key_range: KeyRange, page: ComparedPage) -> CountedRange | None:
    if page.losses is None:
        return None
    counted = CountedPage(page.read, page.last, page.more, page.losses)
    return CountedRange(key_range.type, key_range.after, counted)


def _next_type(scan: Scan, types: list[str], type_: str, found: tuple[tuple[str, Mismatch], ...]) -> Scanned:
    rest = [other for other in types if other > type_]
    if rest:
        return Scanned(replace(scan, type=rest[0], name=""), found)
    if not scan.backwards:
        return Scanned(replace(scan, backwards=True, type="", name=""), found)
    return Scanned(scan, found, finished=True)


def _types(ports: PipelinePorts, pipeline: ShardPipeline, scan: Scan) -> list[str]:
    """List the types of a direction; backwards without those whose pages were all looked at from both sides."""
    if not scan.backwards:
        return pipeline.types
    left = [
        type_
        for type_ in pipeline.types
        if not (scan.both_ways and _opposite_converter(ports, pipeline, type_) is not None)
    ]
    return sorted({target for type_ in left for target in pipeline.converters[type_].target_types})


def _opposite_converter(ports: PipelinePorts, pipeline: ShardPipeline, type_: str) -> Converter | None:
    """Give what converts the resources of a type back, if one look can compare both ways; else None."""
    converter = pipeline.converters[type_]
    if ports.comparing is None or not _is_compared_there(converter) or converter.target_type is None:
        return None
    back = _back(ports, pipeline, converter.target_type)
    # Of a type that several become, none alone tells what is too much.
    if back is None or back.target_types != (type_,):
        return None
    keeps = ports.comparing.keeps_names(pipeline.origin, pipeline.passive, converter, back)
    return back if keeps else None


def _is_compared_there(converter: Converter) -> bool:
    """Tell whether the database may compare: what documents refer to is looked up in both indexes, which it does not."""
    return not (converter.refers or converter.referring)


def _forwards(ports: PipelinePorts, pipeline: ShardPipeline, key_range: KeyRange) -> ComparedPage:
    """Hold a page of the origin beside the other side."""
    converter = pipeline.converters[key_range.type]
    page = None
    if ports.comparing is not None and _is_compared_there(converter):
        back = _opposite_converter(ports, pipeline, key_range.type)
        if back is not None:
            page = ports.comparing.compare_both_ways(
                pipeline.origin, pipeline.passive, key_range, converter, back
            )
        if page is None:
            page = ports.comparing.compare_page(pipeline.origin, pipeline.passive, key_range, converter)
    if page is None:
        resources = ports.store.page(pipeline.origin, key_range)
        return _compared(key_range, resources, _suspects(ports, pipeline, key_range.type, resources))
    if not page.pushed:
        return page
    # The same words of SQL copied and compared: a few of each page are converted by the reference engine too.
    few = ports.store.page(pipeline.origin, replace(key_range, limit=min(key_range.limit, BOTH_WAYS)))
    return replace(page, suspects={**page.suspects, **_suspects(ports, pipeline, key_range.type, few)})


def _suspects(
    ports: PipelinePorts, pipeline: ShardPipeline, type_: str, resources: Sequence[StoredResource]
) -> dict[str, int]:
    found = pairs(ports, pipeline, type_, resources)
    return {pair.origin.name: pair.origin.revision for pair in found if pair.mismatch is not None}


def _compared(
    key_range: KeyRange, page: Sequence[StoredResource], suspects: Mapping[str, int]
) -> ComparedPage:
    last = page[-1].name if page else key_range.after
    return ComparedPage(len(page), last, len(page) == key_range.limit, suspects)


def _differing(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    type_: str,
    seen: Mapping[str, int],
    quarantined: set[tuple[str, str]],
) -> tuple[tuple[str, Mismatch], ...] | None:
    suspects = {name: revision for name, revision in seen.items() if (type_, name) not in quarantined}
    if not suspects:
        return ()
    # A beat, not the head: the head lies before what is in flight, and would not cover what was read here.
    if not follow_to(ports, pipeline, ports.feed.beat(pipeline.origin, "parity")):
        return None
    verdict = verify_keys(ports, pipeline, type_, suspects)
    return tuple((type_, mismatch) for mismatch in verdict.mismatches)


def follow_to(ports: PipelinePorts, pipeline: ShardPipeline, mark: Position) -> bool:
    """Follow a shard up to a place; false when the feed does not give that much yet.

    Waiting for the shard's own controller instead would never end while clients write without pause.
    """
    position = position_of(ports, pipeline)
    if position is None:
        return False
    replication_token, known = fresh_replication_token(ports, pipeline), worklist(ports, pipeline)
    waits = 0
    for _ in range(ROUNDS):
        if ports.feed.reached(position, mark):
            return True
        done = follow(ports, pipeline, position, replication_token, known)
        # Level short of the mark: a write in flight holds the horizon back, as a rule for milliseconds only.
        waits += done.level
        if waits > WAITS and not ports.feed.reached(done.position, mark):
            return False
        position = done.position
    return False


def _backwards(ports: PipelinePorts, pipeline: ShardPipeline, key_range: KeyRange) -> ComparedPage:
    """Look which resources of a page of the other side seem to have no counterpart in the origin."""
    back, shards = _back(ports, pipeline, key_range.type), pipeline.passive_shards
    if back is not None and ports.comparing is not None and len(shards) == 1:
        page = ports.comparing.absent_page(pipeline.passive, pipeline.origin, key_range, back)
        if page is not None:
            return page
    resources = page_of_shards(ports, pipeline.passive, shards, key_range)
    absent = _absent(ports, pipeline, back, resources) if back is not None else []
    return _compared(key_range, resources, {row.name: row.revision for row in absent})


def _back(ports: PipelinePorts, pipeline: ShardPipeline, type_: str) -> Converter | None:
    opposite = Direction.REVERSE if pipeline.key.direction is Direction.FORWARD else Direction.FORWARD
    back = pipeline_of(ports, pipeline.record, opposite, pipeline.shard).converters.get(type_)
    return back if back is not None and back.target_types else None


def _extras(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    type_: str,
    seen: Mapping[str, int],
    quarantined: set[tuple[str, str]],
) -> tuple[tuple[str, Mismatch], ...] | None:
    """Tell which of them are too much, once following has passed the moment of reading."""
    back = _back(ports, pipeline, type_)
    assert back is not None
    held = ports.store.read(pipeline.passive).batch_get(type_, list(seen))
    # One that was written since is newer; its change has its own entry in the feed.
    rows = [row for row in held.values() if row.revision == seen[row.name]]
    suspects = _absent(ports, pipeline, back, rows)
    if not suspects:
        return ()
    mark = ports.feed.beat(pipeline.origin, "parity")
    # They may be of any shard of the origin.
    for shard in sorted({_origin_shard(pipeline, back, row) for row in suspects}):
        if not follow_to(ports, replace(pipeline, key=replace(pipeline.key, shard=shard)), mark):
            return None
    again = ports.store.read(pipeline.passive).batch_get(type_, [row.name for row in suspects])
    found: list[tuple[str, Mismatch]] = []
    for row in suspects:
        # One that came back meanwhile has a newer revision; this very one the origin did not have.
        if row.name not in again or again[row.name].revision != row.revision:
            continue
        source_type, source_name = back.place(row.name) or (back.target_types[0], "")
        mismatch = compare(type_, row.name, source_name, None, side_of(again[row.name]))
        if mismatch is not None and (source_type, source_name) not in quarantined:
            found.append((source_type, mismatch))
    return tuple(found)


def _origin_shard(pipeline: ShardPipeline, back: Converter, row: StoredResource) -> int:
    place = back.place(row.name)
    return row.origin_shard if place is None else shard_of(place[1], pipeline.origin.ring)


def _absent(
    ports: PipelinePorts, pipeline: ShardPipeline, back: Converter, rows: list[StoredResource]
) -> list[StoredResource]:
    """List the resources that the origin does not have, by its name for them, or else by uid."""
    places = {row.name: back.place(row.name) for row in rows}
    decided = [place for place in places.values() if place is not None]
    reading, known, uids = ports.store.read(pipeline.origin), set[tuple[str, str]](), set[UUID]()
    unsure = [row.uid for row in rows if places[row.name] is None]
    for type_ in back.target_types:
        names = [name for target, name in decided if target == type_]
        known |= {(type_, name) for name in reading.present(type_, names)}
        uids |= ports.store.names_by_uid(pipeline.origin, type_, unsure).keys() if unsure else set()
    return [
        row
        for row in rows
        if (row.uid not in uids if (place := places[row.name]) is None else place not in known)
    ]
