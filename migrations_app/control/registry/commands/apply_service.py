"""Apply a service folder: validate it, register what it declares, keep its files, offer its newest version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from msgspec.structs import replace

from migrations_app.adapters import definitions
from migrations_app.adapters.conversions import compiled_service
from migrations_app.adapters.extensions import installed_extensions
from migrations_app.control.audit.ledger import record
from migrations_app.control.definition_changes.commands.rule_on_change import ruling_on
from migrations_app.control.registry.commands.save_registered import check_not_mirrored, target_of
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.declarations import declared_by
from migrations_app.control.registry.repository.registry import RegistryWriter, writing
from migrations_app.control.registry.repository.saving import store
from migrations_app.domain.access import Actor, require
from migrations_app.domain.constraints import in_place, stuck
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.registry.declared import Declared, declare, declared_resources
from migrations_app.domain.registry.names import RegistryKind, service_name, version_order
from migrations_app.domain.registry.upgrade import set_available_upgrade
from migrations_app.domain.registry.values import AvailableUpgrade, Registered, Service
from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.folder import ServiceFolder, read_files, read_service_name
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models import registry as rows
from migrations_app.models.evidence.definition_reviews import DefinitionReview


@dataclass(frozen=True, slots=True)
class ApplyServiceResult:
    """What applying came to."""

    service: Service
    fingerprint: str
    changed: bool
    resource_types: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    decisions: tuple[JsonObject, ...] = ()
    may_apply: bool = True
    advice: JsonObject | None = None


def apply_service(actor: Actor, files: Mapping[str, bytes], *, dry_run: bool = False) -> ApplyServiceResult:
    """Register what a service folder says, if that may take the place of what is served.

    A dry run tells the decisions on it, whatever they are.

    Once: applying the same folder again changes nothing.
    Raises: Denied before anything but the service's name is read; Invalid with a violation for each finding;
    Conflict with the rule that forbids the change, or `change-in-place` with each decision against it;
    Stale (`definition-moved`) when another definition was applied meanwhile; Busy.
    """
    name = service_name(read_service_name(files))
    target = target_of(RegistryKind.SERVICE, name)
    # Before any source is opened: reading one runs a compiler on what was uploaded.
    require(actor, "registry.write", target)
    check_not_mirrored()
    given = read_files(files).refuse_errors()
    compiled = compile_service(given, _imported(given), installed_extensions().hooks)
    findings = [str(finding) for finding in compiled.findings]
    _refuse_stuck(given)
    declared, mark = declared_by(given).refuse_other_order(), definitions.fingerprint(files)
    ruling = ruling_on(given)
    # Before waivers are used up by applying.
    decisions, may_apply = ruling.shown(), ruling.may_apply
    if not dry_run:
        ruling.enforce(actor, mark)
    with transaction.atomic():
        ruling.check_current()
        if not dry_run:
            ruling.use_waivers(actor, mark)
        current = definitions.current_fingerprint(given.service)
        changed = mark != current
        service = _register(declared)
        _refuse_in_place(given)
        definitions.keep(given.service, files)
        definitions.keep_default(given, current)
        if changed:
            record(
                actor,
                "registry.apply",
                target,
                "dry_run" if dry_run else "done",
                None,
                {"fingerprint": mark, "versions": [*service.all_versions]},
            )
            ruling.keep(actor, mark, DefinitionReview.APPLIED, decisions)
        if dry_run:
            transaction.set_rollback(True)
    warnings = (*(one.message for one in given.findings), *findings)
    types = tuple(one.name.rpartition("/")[2] for one in declared_resources(declared))
    return ApplyServiceResult(service, mark, changed, types, warnings, decisions, may_apply, ruling.advice())


def _refuse_stuck(given: ServiceFolder) -> None:
    """Refuse a definition whose cascades could get stuck, alone or with what it imports and who imports it.

    Raises: Invalid (`stuck-cascade`).
    """
    found = dict.fromkeys(
        each
        for version, schema in given.schemas.items()
        for each in stuck.findings(schema, _around(given, version))
    )
    if found:
        raise _refused(message("A deletion could get stuck."), tuple(found))


def _refuse_in_place(given: ServiceFolder) -> None:
    """Refuse to let fields of a version with stored resources begin, or cease, to refer.

    Raises: Invalid (`references-in-place`).
    """
    kept = rows.Namespace.objects.filter(deployment__service_id=given.service)
    stored = set(kept.values_list("version", flat=True))
    if not stored or not definitions.current_fingerprint(given.service):
        return
    before = definitions.folder(given.service).schemas
    found = [
        each
        for version in sorted(stored & before.keys() & given.schemas.keys())
        for each in in_place.findings(before[version], given.schemas[version])
    ]
    if found:
        raise _refused(message("Stored resources would refer to what is not indexed."), found)


def _refused(words: WordedMessage, found: Sequence[DefinitionFinding]) -> Invalid:
    violations = tuple(Violation(each.path, each.words, each.remedy_words, each.code) for each in found)
    return Invalid(words, code=found[0].code, violations=violations)


def _around(given: ServiceFolder, version: str) -> list[Schema]:
    """Gather the schemas that a version refers to, and those of importers that refer to it."""
    imported = given.imports.get(version, ())
    found = [
        definitions.folder(each.service).schemas.get(each.version)
        for each in imported
        if definitions.current_fingerprint(each.service)
    ]
    importers = rows.Import.objects.filter(target_id=given.service, kind=rows.Import.IMPORTS)
    for service in importers.values_list("service_id", flat=True):
        if definitions.current_fingerprint(service):
            other = definitions.folder(service)
            found += [
                other.schemas[theirs]
                for theirs, named in other.imports.items()
                if any((each.service, each.version) == (given.service, version) for each in named)
            ]
    return [each for each in found if each is not None]


def _imported(given: ServiceFolder) -> dict[str, CompiledService]:
    """Compile what the folder imports, as far as it is defined here: its references are converted too."""
    names = {one.service for imported in given.imports.values() for one in imported}
    return {name: compiled_service(name) for name in names if definitions.current_fingerprint(name)}


def _register(declared: Declared) -> Service:
    def decide(before: Registered | None) -> Registered:
        return declare(before if isinstance(before, Service) else None, declared)

    with writing() as writer:
        name = service_name(declared.service)
        service = store(writer, RegistryKind.SERVICE, name, decide, refers_to=declared.refers_to).value
        assert isinstance(service, Service)
        _save_resources(writer, declared)
        _offer(writer, service)
    return service


def _save_resources(writer: RegistryWriter, declared: Declared) -> None:
    wanted = {one.name: one for one in declared_resources(declared)}
    for name in rows.ResourceType.objects.filter(service_id=declared.service).values_list("name", flat=True):
        if name not in wanted:
            writer.remove(RegistryKind.RESOURCE, name)
    for name, resource in wanted.items():
        before = registry.find(RegistryKind.RESOURCE, name)
        writer.save(replace(resource, metadata=before.metadata) if before else resource)


def _offer(writer: RegistryWriter, service: Service) -> None:
    """Deployments whose data is kept here run the code that compiles this definition: they can all move."""
    if not service.all_versions:
        return
    newest = service.all_versions[0]
    hosted = set(
        rows.Deployment.objects.filter(service_id=service.id).exclude(database="").values_list("name", "ring")
    )
    for deployment in registry.deployments_of(service.id):
        ring = dict(hosted).get(deployment.name)
        if ring is None or version_order(newest) <= version_order(deployment.current_version):
            continue
        offer = AvailableUpgrade(api_version=newest, total_shards_count=ring)
        writer.save(set_available_upgrade(deployment, offer))
