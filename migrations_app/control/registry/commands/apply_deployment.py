"""Apply a deployment: let its region join the service, give its data a place, register it."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Exists
from msgspec.structs import replace

from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.commands.return_deployment import check_return, note_return
from migrations_app.control.registry.commands.save_registered import check_not_mirrored, target_of
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.registry import RegistryWriter, writing
from migrations_app.control.registry.repository.saving import Saved, store
from migrations_app.control.registry.repository.upgrade_contexts import keep_place, place_of
from migrations_app.domain.access import Actor, require
from migrations_app.domain.registry.documents import document, read
from migrations_app.domain.registry.masks import changed_paths, merge
from migrations_app.domain.registry.names import RegistryKind, ids, service_name, version_order
from migrations_app.domain.registry.upgrade import set_available_upgrade
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment, Registered, Service
from migrations_app.kernel.errors import Conflict, Missing, ServiceUnknown
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.wiring import fence

ELSEWHERE = "elsewhere"


def apply_deployment(actor: Actor, name: str, body: JsonObject, *, database: str = "") -> Saved:
    """Register a deployment, or change what `body` names of it.

    Shape: `database` is the alias of the data database, the region's own when empty; `elsewhere` for a
    deployment whose data and code another system runs.
    Once: applying the same again changes nothing.
    Raises: what the rules refuse; Conflict (`current-version-fenced`, `database-fixed`).
    """
    service, region = ids(RegistryKind.DEPLOYMENT, name)
    target = target_of(RegistryKind.DEPLOYMENT, name)
    require(actor, "registry.write", target)
    check_not_mirrored()
    kept = _kept_data(name, database or _alias(region))
    returns: list[bool] = []

    def decide(before: Registered | None) -> Registered:
        current = document(before) if before else {}
        given: JsonObject = {**{key: value for key, value in body.items() if key != "name"}}
        paths = changed_paths({}, given)
        after = read(RegistryKind.DEPLOYMENT, merge(current, given, paths) if paths else current, name)
        assert isinstance(after, Deployment)
        returns.append(check_return(actor, target, before, after))
        return after if before else _with_version(after, service, kept)

    with writing() as writer:
        _join(writer, service, region)
        saved = store(writer, RegistryKind.DEPLOYMENT, name, decide)
        if any(returns):
            note_return(actor, target, saved.value)
        placed = _place(saved.value, database or _alias(region))
        value = _offer(writer, saved.value)
        if saved.created or placed or document(saved.before or value) != document(value):
            before = document(saved.before) if saved.before else None
            record(actor, "registry.write", target, "done", before, document(value))
    return Saved(value, saved.before)


def _alias(region: str) -> str:
    return region if region in settings.SWITCHYARD.data_urls else "default"


def _kept_data(name: str, database: str) -> str:
    """Tell which version the data serve that are left of an earlier registration; empty when there are none.

    Raises: Conflict (`database-fixed`).
    """
    registered = rows.Deployment.objects.filter(pk=name)
    places = rows.Namespace.objects.filter(~Exists(registered), deployment_id=name)
    if database == ELSEWHERE or not (known := set(places.values_list("database", flat=True))):
        return ""
    if database not in known:
        raise Conflict(
            message(
                "The data of {name} are in {known} since it was registered before, not in {database}.",
                name=name,
                known=", ".join(sorted(known)),
                database=database,
            ),
            code="database-fixed",
            remedy=message("Register it with that database. Moving data is an upgrade of kind location."),
        )
    numberings = places.filter(database=database).values_list("numbering", flat=True).distinct()
    try:
        states = [fence().state(FenceLocation(name, database, numbering)) for numbering in numberings]
    except Missing:
        # These data were never asked for, so they were never set up.
        return ""
    serving = [state for state in states if state.mode is not Mode.CLOSED]
    return (serving or states)[0].active_version


def _with_version(after: Deployment, service: str, kept: str) -> Deployment:
    if kept and after.current_version not in ("", kept):
        raise Conflict(
            message(
                "The data of {name} serve {kept} since it was registered before, not {current_version}.",
                name=after.name,
                kept=kept,
                current_version=after.current_version,
            ),
            code="current-version-fenced",
            remedy=message("Register it with currentVersion {kept}, then plan an upgrade.", kept=kept),
        )
    if kept or after.current_version:
        return replace(after, current_version=kept or after.current_version)
    owner = registry.find(RegistryKind.SERVICE, service_name(service))
    versions = owner.all_versions if isinstance(owner, Service) else ()
    return replace(after, current_version=versions[0] if versions else "")


def _join(writer: RegistryWriter, service: str, region: str) -> None:
    owner = registry.find(RegistryKind.SERVICE, service_name(service))
    if not isinstance(owner, Service):
        raise ServiceUnknown(
            message("There is no {service_name}.", service_name=service_name(service)),
            remedy=message("Apply the service first."),
        )
    joined = owner.multi_region_policy.joined_by(region)
    if joined is not owner.multi_region_policy:
        store(
            writer,
            RegistryKind.SERVICE,
            owner.name,
            lambda before: replace(owner, multi_region_policy=joined),
        )


def _place(value: Registered, database: str) -> bool:
    """Give the data of a new deployment its database, and its current version a namespace."""
    if database == ELSEWHERE or not isinstance(value, Deployment):
        return False
    row = rows.Deployment.objects.get(pk=value.name)
    if row.database and row.database != database:
        raise Conflict(
            message(
                "The data of {name} is in {database}, not in {database_2}.",
                name=value.name,
                database=row.database,
                database_2=database,
            ),
            code="database-fixed",
            remedy=message("Moving data to another database is an upgrade of kind location."),
        )
    rows.Deployment.objects.filter(pk=value.name).update(database=database)
    known = rows.Namespace.objects.filter(deployment_id=value.name).count()
    if value.current_version:
        keep_place(place_of(value.name, value.current_version, database, row.ring))
        _keep_shards(value.name, value.current_version, database)
    return rows.Namespace.objects.filter(deployment_id=value.name).count() != known


def _keep_shards(name: str, version: str, database: str) -> None:
    """Let a deployment that is registered anew have as many shards as its data."""
    served = rows.Namespace.objects.filter(deployment_id=name, version=version, database=database)
    known = served.values_list("shard_count", flat=True).first()
    if known:
        rows.Deployment.objects.filter(pk=name).exclude(ring=known).update(ring=known)


def _offer(writer: RegistryWriter, value: Registered) -> Registered:
    """What is hosted here runs code that serves every version of the definition."""
    row = rows.Deployment.objects.filter(pk=value.name).exclude(database="").first()
    owner = registry.find(RegistryKind.SERVICE, service_name(value.name.split("/")[1]))
    if row is None or not isinstance(owner, Service) or not isinstance(value, Deployment):
        return value
    newest = owner.all_versions[0] if owner.all_versions else ""
    if not newest or version_order(newest) <= version_order(value.current_version):
        return value
    offer = AvailableUpgrade(api_version=newest, total_shards_count=row.ring)
    return writer.save(set_available_upgrade(value, offer))
