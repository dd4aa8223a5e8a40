"""Carrying single resources to the other version: converted, renamed, or set aside with their error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.sync import check_announced
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import equal_json
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.ports.conversions import Converter
from migrations_app.ports.feed import Change
from migrations_app.ports.stored import Put, Removal, StoredResource
from migrations_app.ports.upgrades import Direction

Carriage = Put | Removal
HUNG = "hook-hung"
HANGS = 2
"""So many conversions of one type may hang in one batch before the rest of it waits."""


@dataclass(frozen=True, slots=True)
class UnappliedResource:
    """One resource that would not go across, by its name at the origin."""

    type: str
    name: str
    revision: int
    error: str
    code: str


@dataclass(slots=True)
class Load:
    """What a batch turned into: writes for the other side, with the origin's key of each, and the poison."""

    carriages: list[Carriage] = field(default_factory=list)
    origins: dict[tuple[str, str], tuple[str, str, int]] = field(default_factory=dict)
    unapplied: list[UnappliedResource] = field(default_factory=list)
    hidden: list[UnappliedResource] = field(default_factory=list)
    # How many resources were looked at, and how many conversions of a type did not end in their time.
    tried: int = 0
    hung: dict[str, int] = field(default_factory=dict)

    def add(self, carriage: Carriage, type_: str, name: str) -> None:
        """Take one write; of two for the same key the put stays."""
        key = (carriage.type, carriage.name)
        if key in self.origins:
            if isinstance(carriage, Removal):
                return
            self.carriages = [one for one in self.carriages if (one.type, one.name) != key]
        self.carriages.append(carriage)
        self.origins[key] = (type_, name, carriage.revision)

    def set_aside(self, carriage: Carriage, error: SwitchyardError) -> None:
        """Set a write aside that the other side refused."""
        type_, name, revision = self.origins[carriage.type, carriage.name]
        self.unapplied.append(UnappliedResource(type_, name, revision, error.message, error.code))


def put_of(converter: Converter, resource: StoredResource) -> Put:
    """Convert one resource; it keeps its uid, revision and times.

    Raises: whatever the conversion raises; see `carry`.
    """
    converted = converter.forward(resource.name, resource.body)
    return Put(
        type=converted.type,
        name=converted.name,
        uid=resource.uid,
        revision=resource.revision,
        origin_shard=resource.shard,
        body=converted.body,
        metadata=resource.metadata,
        owning_region=resource.owning_region,
        create_time=resource.create_time,
        update_time=resource.update_time,
        references=converted.references,
    )


def carry(pipeline: ShardPipeline, resources: Iterable[StoredResource], load: Load | None = None) -> Load:
    """Convert resources; one that fails is kept as unapplied and stops no other.

    After two conversions of a type that hung the rest of that type waits: a slice must end while it has its lease.
    """
    load = load or Load()
    for resource in resources:
        load.tried += 1
        if load.hung.get(resource.type, 0) >= HANGS:
            load.unapplied.append(_waiting(resource))
            continue
        try:
            put = put_of(pipeline.converters[resource.type], resource)
            if not pipeline.in_place or not equal_json(put.body, resource.body):
                load.add(put, resource.type, resource.name)
        except NoImage as error:
            # On the rollback the old version may be unable to name a resource: its conversion says so.
            aside = load.hidden if pipeline.key.direction is Direction.REVERSE else load.unapplied
            aside.append(unapplied_of(resource, error))
        except Exception as error:
            # A hook may raise anything; whatever it is, only this resource is set aside.
            unapplied = unapplied_of(resource, error)
            load.unapplied.append(unapplied)
            if unapplied.code == HUNG:
                load.hung[resource.type] = load.hung.get(resource.type, 0) + 1
    return load


def _waiting(resource: StoredResource) -> UnappliedResource:
    words = "The conversions of others before it did not end; it is tried again soon."
    return UnappliedResource(resource.type, resource.name, resource.revision, words, "hook-waits")


def unapplied_of(resource: StoredResource, error: Exception) -> UnappliedResource:
    """Say why a resource would not convert."""
    if isinstance(error, SwitchyardError):
        return UnappliedResource(resource.type, resource.name, resource.revision, error.message, error.code)
    text = f"{type(error).__name__}: {error}"
    return UnappliedResource(resource.type, resource.name, resource.revision, text, "conversion-raised")


def carry_changes(ports: PipelinePorts, pipeline: ShardPipeline, changes: Sequence[Change]) -> Load:
    """Turn followed changes, at most one a key, into writes for the other side.

    A put is read again at its newest revision. A row that is gone has a later entry that deletes it.

    Raises: Busy (`revision-behind`) when a row is older than its entry announced.
    """
    load = Load()
    removals = [change for change in changes if change.operation == "delete"]
    puts = [change for change in changes if change.operation == "put"]
    rows = _rows(ports, pipeline, puts)
    _add_renames(ports, pipeline, rows, load)
    carry(pipeline, rows, load)
    _add_removals(ports, pipeline, removals, load)
    return load


def _rows(ports: PipelinePorts, pipeline: ShardPipeline, puts: Sequence[Change]) -> list[StoredResource]:
    rows: list[StoredResource] = []
    reading = ports.store.read(pipeline.origin)
    for type_ in dict.fromkeys(change.type for change in puts):
        announced = {change.name: change.revision for change in puts if change.type == type_}
        for name, row in reading.batch_get(type_, list(announced)).items():
            check_announced(type_, name, row.revision, announced)
            rows.append(row)
    return rows


def _add_renames(
    ports: PipelinePorts, pipeline: ShardPipeline, rows: Sequence[StoredResource], load: Load
) -> None:
    """Where the body decides the place, the other side may hold the resource at an older one."""
    for type_ in dict.fromkeys(row.type for row in rows):
        converter = pipeline.converters[type_]
        mine = {row.uid: row for row in rows if row.type == type_}
        undecided = [row.uid for row in mine.values() if converter.place(row.name) is None]
        for target, uid, old in _held(ports, pipeline, converter, undecided):
            row = mine[uid]
            if _new_place(converter, row) not in ((target, old), None):
                load.add(Removal(target, old, uid, row.revision, row.shard), type_, row.name)


def _held(
    ports: PipelinePorts, pipeline: ShardPipeline, converter: Converter, uids: Sequence[UUID]
) -> Iterator[tuple[str, UUID, str]]:
    """Find resources of the other side by uid: the type, the uid and the name of each."""
    for target in converter.target_types if uids else ():
        for uid, name in ports.store.names_by_uid(pipeline.passive, target, uids).items():
            yield target, uid, name


def _new_place(converter: Converter, row: StoredResource) -> tuple[str, str] | None:
    """Tell where a resource goes, nowhere if it is hidden; None when it will be quarantined: what stands there stays."""
    try:
        made = converter.forward(row.name, row.body)
    except NoImage:
        return "", ""
    except Exception:
        # The resource is quarantined when it is carried over, with this error.
        UNEXPECTED.note("catch-up of single resources")
        return None
    return made.type, made.name


def _add_removals(
    ports: PipelinePorts, pipeline: ShardPipeline, removals: Sequence[Change], load: Load
) -> None:
    for type_ in dict.fromkeys(change.type for change in removals):
        converter = pipeline.converters[type_]
        mine = [change for change in removals if change.type == type_]
        places = {change.name: converter.place(change.name) for change in mine}
        lost = [change.uid for change in mine if places[change.name] is None and change.uid is not None]
        found = {uid: (target, name) for target, uid, name in _held(ports, pipeline, converter, lost)}
        for change in mine:
            place = places[change.name] or (found.get(change.uid) if change.uid else None)
            # Never brought across: nothing to remove there.
            if place is not None:
                removal = Removal(*place, change.uid, change.revision, change.shard)
                load.add(removal, type_, change.name)
