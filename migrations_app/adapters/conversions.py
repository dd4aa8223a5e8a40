"""The compiled conversions of the upgrades under way, from the definitions that were applied."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from migrations_app.adapters import definitions
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.conversion.service import Converter as Compiled
from migrations_app.engine.serving.stored_references import StoredReferences
from migrations_app.engine.serving.trails import trails_of
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.conversions import Converted, Converter, Plan
from migrations_app.ports.stored import Layout, Reference, Trail
from migrations_app.ports.upgrades import Direction, UpgradeRecord

KEPT_COMPILED = 32
KEPT_SECONDS = 2.0


class DefinedConversions:
    """`ports.conversions.Conversions` over the service definitions of the registry.

    An upgrade keeps what it was given for a moment: a definition that changes voids its plan anyway.
    """

    def __init__(self) -> None:
        self._given: dict[str, tuple[float, CompiledService]] = {}

    def _compiled(self, record: UpgradeRecord) -> CompiledService:
        at, compiled = self._given.get(record.id, (0.0, None))
        if compiled is None or time.monotonic() - at > KEPT_SECONDS:
            compiled = compiled_service(_service_of(record))
            self._given[record.id] = (time.monotonic(), compiled)
        return compiled

    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        compiled = self._compiled(record)
        source, target = record.source_version, record.target_version
        if direction is Direction.REVERSE:
            source, target = target, source
        return _converters(compiled, source, target, record.deployment.rpartition("/")[2])

    def layouts(self, record: UpgradeRecord, direction: Direction) -> Sequence[Layout]:
        return [
            Layout(type_, by_uid=not converter.identity)
            for type_, converter in self.converters(record, direction).items()
        ]


def compiled_service(service: str) -> CompiledService:
    """Compile the current definition of a service with those it imports; kept until one of them changes.

    Raises: Missing (`definition-missing`) · Invalid when its edges do not compile.
    """
    return _compiled(service, _marks(service))


def types_of(compiled: CompiledService, version: str) -> list[str]:
    """Name the resource types of a version as namespaces keep them."""
    return [each.type.rpartition("/")[2] for each in compiled.resource_types(version)]


def _marks(service: str) -> tuple[tuple[str, str], ...]:
    """Name the definitions that a compiled service depends on, by service and fingerprint."""
    found: dict[str, str] = {}
    waiting = [service]
    while waiting:
        name = waiting.pop()
        mark = definitions.current_fingerprint(name)
        if name in found or (mark is None and name != service):
            continue
        found[name] = mark or ""
        imported = definitions.folder(name).imports.values()
        waiting += [one.service for each in imported for one in each]
    return tuple(sorted(found.items()))


@lru_cache(maxsize=KEPT_COMPILED)
def _compiled(service: str, marks: tuple[tuple[str, str], ...]) -> CompiledService:
    known = dict(marks)
    folder = definitions.folder(service)
    imported = {one.service for each in folder.imports.values() for one in each} & known.keys() - {service}
    # The imported ones without their own imports: their names are converted, not what they refer to.
    return compile_service(folder, {name: compile_service(definitions.folder(name)) for name in imported})


@lru_cache(maxsize=4 * KEPT_COMPILED)
def _converters(compiled: CompiledService, source: str, target: str, region: str) -> Mapping[str, Converter]:
    references = StoredReferences(compiled, target, region)
    return {
        type_: StoredConverter(compiled.converter(type_, source, target), references)
        for type_ in types_of(compiled, source)
    }


@dataclass(frozen=True, slots=True)
class Carried:
    """A resource in the other version with what it refers to there."""

    name: str
    body: JsonObject
    references: tuple[Reference, ...]


class StoredConverter:
    """`ports.conversions.Converter` over a compiled one, with the references of what it makes."""

    def __init__(self, compiled: Compiled, references: StoredReferences) -> None:
        self._compiled = compiled
        self.target_type = compiled.target_type
        self.identity = compiled.identity
        self._references = references
        self._refers = self.target_type is not None and references.possible(self.target_type)
        self.sql: Plan | None = _pushed(compiled, references) if self.target_type else None

    def forward(self, name: str, body: JsonObject) -> Converted:
        made = self._compiled.forward(name, body)
        found = self._references.of(self.target_type or "", made.body) if self._refers else ()
        return Carried(made.name, made.body, found)

    def name(self, name: str) -> str | None:
        return self._compiled.name(name)


@dataclass(frozen=True, slots=True)
class Pushed:
    """A conversion for the database to do, with where its documents refer to something."""

    name_expression: str
    body_expression: str
    references: tuple[Trail, ...]


def _pushed(compiled: Compiled, references: StoredReferences) -> Plan | None:
    plan, trails = compiled.sql, trails_of(references, compiled.target_type or "")
    if plan is None or trails is None:
        return None
    return Pushed(plan.name_expression, plan.body_expression, trails)


def _service_of(record: UpgradeRecord) -> str:
    return record.deployment.split("/")[1]
