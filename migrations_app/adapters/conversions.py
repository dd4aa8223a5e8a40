"""The compiled conversions of the upgrades under way, from the definitions that were applied."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from migrations_app.adapters import definitions
from migrations_app.adapters.extensions import installed_extensions
from migrations_app.domain.conversion.bag import BAG, strip_object
from migrations_app.domain.conversion.compile.sql import ALWAYS, SqlPlan
from migrations_app.domain.conversion.compile.sql_witness import NEVER
from migrations_app.domain.conversion.hooks import NO_HOOKS
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.conversion.service import TypeConverter as Compiled
from migrations_app.domain.conversion.typed import TypedConverter
from migrations_app.domain.schema.sensitive import sensitive_paths
from migrations_app.domain.sync import Change, tasks_for
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of
from migrations_app.engine.serving.references.paths import places_of, trails_of
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.recent_map import RecentMap
from migrations_app.kernel.time_limits import GUARD
from migrations_app.ports.conversions import Converted, Converter, ConvertText, SqlConversion, SqlPart
from migrations_app.ports.stored import Layout, Reference, ReferencePath
from migrations_app.ports.upgrades import Direction, UpgradeKind, UpgradeRecord

KEPT_COMPILED = 32
KEPT_SECONDS = 2.0
_DEPENDED_ON = RecentMap[str, Sequence[str]](KEPT_COMPILED)
"""A hint only: the services whose definitions a service depended on last, itself too."""


class DefinedConversions:
    """`ports.conversions.Conversions` over the service definitions of the registry.

    An upgrade keeps what it was given for a moment: a definition that changes voids its plan anyway.
    """

    def __init__(self) -> None:
        self._compiled_of = RecentMap[str, tuple[float, CompiledService]](KEPT_COMPILED)

    def _compiled(self, record: UpgradeRecord) -> CompiledService:
        kept = self._compiled_of.find(record.id)
        if kept is not None and time.monotonic() - kept[0] <= KEPT_SECONDS:
            return kept[1]
        compiled = compiled_service(_service_of(record))
        self._compiled_of[record.id] = (time.monotonic(), compiled)
        return compiled

    def converters(self, record: UpgradeRecord, direction: Direction) -> Mapping[str, Converter]:
        compiled = self._compiled(record)
        if record.kind is UpgradeKind.DATA:
            return _renewals(compiled, record)
        source, target = record.source_version, record.target_version
        if direction is Direction.REVERSE:
            source, target = target, source
        return _converters(compiled, source, target, record.deployment.rpartition("/")[2])

    def layouts(self, record: UpgradeRecord, direction: Direction) -> Sequence[Layout]:
        version = record.source_version if direction is Direction.FORWARD else record.target_version
        schema = self._compiled(record).stored.schema(version)
        return [
            Layout(
                type_,
                by_uid=not converter.identity,
                sensitive=sensitive_paths(schema, type_) if type_ in schema.resources else None,
            )
            for type_, converter in self.converters(record, direction).items()
        ]


def compiled_service(service: str) -> CompiledService:
    """Compile the current definition of a service with those it imports; kept until one of them changes.

    Raises: Missing (`definition-missing`) · Invalid when its edges do not compile.
    """
    return _compiled(service, _marks(service), installed_extensions().names)


def types_of(compiled: CompiledService, version: str) -> list[str]:
    """Name the types that a namespace of a version stores: its own, and those it keeps of other versions."""
    return list(compiled.stored.of(version))


def _marks(service: str) -> tuple[tuple[str, str], ...]:
    """Name the definitions that a compiled service depends on, by service and fingerprint."""
    # Those of the last time first, in one question: imports change seldom.
    current = definitions.current_fingerprints(_DEPENDED_ON.find(service) or [service])
    found: dict[str, str] = {}
    waiting = [service]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if name not in current:
            current |= definitions.current_fingerprints([name])
        mark = current[name]
        if mark is None and name != service:
            continue
        found[name] = mark or ""
        imported = definitions.folder(name, mark).imports.values()
        waiting += [one.service for each in imported for one in each]
    _DEPENDED_ON[service] = [*found]
    return tuple(sorted(found.items()))


@lru_cache(maxsize=KEPT_COMPILED)
def _compiled(
    service: str, marks: tuple[tuple[str, str], ...], extensions: tuple[str, ...]
) -> CompiledService:
    known = dict(marks)
    folder = definitions.folder(service)
    hooks = installed_extensions().hooks
    imported = {one.service for each in folder.imports.values() for one in each} & known.keys() - {service}
    # The imported ones without their own imports: their names are converted, not what they refer to.
    others = {name: compile_service(definitions.folder(name), hooks=hooks) for name in imported}
    return compile_service(folder, others, hooks)


@lru_cache(maxsize=4 * KEPT_COMPILED)
def _converters(compiled: CompiledService, source: str, target: str, region: str) -> Mapping[str, Converter]:
    references = StoredReferences(compiled, target, region), StoredReferences(compiled, source, region)
    return {
        type_: StoredConverter(
            compiled.stored.typed(source, target), type_, *references, may_call_code=compiled.may_call_code
        )
        for type_ in types_of(compiled, source)
    }


def _renewals(compiled: CompiledService, record: UpgradeRecord) -> Mapping[str, Converter]:
    service, region = _service_of(record), record.deployment.rpartition("/")[2]
    tasks = tasks_for(installed_extensions().data_tasks, service, record.source_version, record.data_version)
    references = StoredReferences(compiled, record.source_version, region)
    schema = compiled.schema(record.source_version)
    return {
        type_: Renewal(type_, changes, references, presenter_of(schema, type_, None))
        for type_ in schema.resources
        if (changes := tuple(task.changes[type_] for task in tasks if type_ in task.changes))
    }


@dataclass(frozen=True, slots=True)
class Carried:
    """A resource in the other version with what it refers to there."""

    type: str
    name: str
    body: JsonObject
    references: tuple[Reference, ...]


class StoredConverter:
    """`ports.conversions.Converter` over the compiled ways of a type, with the references of what they make."""

    def __init__(
        self,
        typed: TypedConverter,
        type_: str,
        references: StoredReferences,
        before: StoredReferences | None = None,
        *,
        may_call_code: bool = True,
    ) -> None:
        self._typed, self._type, self._before = typed, type_, before
        self.refers = before is not None and before.possible(type_)
        self.reference_paths = places_of(before, type_) if before is not None else None
        self._routes = typed.routes(type_)
        self.target_types = typed.types(type_)
        self.target_type: str | None = self.target_types[0] if len(self._routes) == 1 else None
        self.identity = all(each.identity for each in self._routes) and self.target_type is not None
        self._references = references
        self.referring = frozenset(each for each in self.target_types if references.possible(each))
        only = self._routes[0] if self.target_type else None
        self.sql: SqlConversion | None = _pushed(only, references) if only else None
        self.parts = () if only else _parts(self._routes, references)
        # Only what the database cannot do may run code of others.
        pushed = (only.sql is not None) if only else bool(self.parts)
        self._guarded = not pushed and may_call_code and installed_extensions().hooks != NO_HOOKS
        plain = only is not None and not self._guarded and only.target_type not in self.referring
        self.text: ConvertText | None = only.forward_text if only and plain else None

    def forward(self, name: str, body: JsonObject) -> Converted:
        convert = partial(self._typed.forward, self._type, name, body)
        made = GUARD.call(name, convert) if self._guarded else convert()
        found = self._references.of(made.type, made.body) if made.type in self.referring else ()
        return Carried(made.type, made.name, made.body, found)

    def references(self, body: JsonObject) -> tuple[Reference, ...]:
        return self._before.of(self._type, body) if self._before is not None and self.refers else ()

    def place(self, name: str) -> tuple[str, str] | None:
        places = self._typed.names(self._type, name)
        return places[0] if len(places) == 1 else None


class Renewal:
    """`ports.conversions.Converter` from a version to itself, by the changes of data tasks."""

    identity, sql, text, refers = False, None, None, False
    parts: tuple[SqlPart, ...] = ()
    reference_paths: tuple[ReferencePath, ...] | None = None

    def __init__(
        self,
        type_: str,
        changes: tuple[Change, ...],
        references: StoredReferences,
        presenter: ResourcePresenter,
    ) -> None:
        self.target_type: str | None = type_
        self.target_types = (type_,)
        self._type = type_
        self._changes, self._presenter = changes, presenter
        self._references = references
        self.referring = frozenset([type_] if references.possible(type_) else [])

    def references(self, body: JsonObject) -> tuple[Reference, ...]:
        return ()

    def forward(self, name: str, body: JsonObject) -> Converted:
        """Change a document; its bag stays as it is.

        Raises: Invalid when its version does not take what a task made of it.
        """
        view = strip_object(body)
        for change in self._changes:
            view = GUARD.call(name, partial(change, name, view))
        made: JsonObject = self._presenter.check(name, view)
        if BAG in body:
            made[BAG] = body[BAG]
        found = self._references.of(self._type, made) if self.referring else ()
        return Carried(self._type, name, made, found)

    def place(self, name: str) -> tuple[str, str] | None:
        return self._type, name


@dataclass(frozen=True, slots=True)
class Pushed:
    """A conversion for the database to do, with where its documents refer to something."""

    name_expression: str
    body_expression: str
    references: tuple[ReferencePath, ...] | None
    unsure_expression: str = NEVER


@dataclass(frozen=True, slots=True)
class PushedPart:
    """One way of a type that splits, for the database to go."""

    target_type: str
    condition_expression: str
    plan: SqlConversion


def _pushed(compiled: Compiled, references: StoredReferences) -> SqlConversion | None:
    plan = compiled.partial_sql
    if plan is None or plan.condition_expression != ALWAYS:
        return None
    return _with_trails(plan, references, compiled.target_type or "")


def _with_trails(plan: SqlPlan, references: StoredReferences, type_: str) -> SqlConversion:
    trails = trails_of(references, type_)
    return Pushed(plan.name_expression, plan.body_expression, trails, plan.unsure_expression)


def _parts(routes: Sequence[Compiled], references: StoredReferences) -> tuple[SqlPart, ...]:
    """Give every way of a type that splits; nothing unless the database can go all of them."""
    found: list[SqlPart] = []
    for route in routes:
        plan, type_ = route.sql, route.target_type
        pushed = _with_trails(plan, references, type_) if plan is not None and type_ else None
        if plan is None or type_ is None or pushed is None or pushed.references is None:
            return ()
        found.append(PushedPart(type_, plan.condition_expression, pushed))
    return tuple(found)


def _service_of(record: UpgradeRecord) -> str:
    return record.deployment.split("/")[1]
