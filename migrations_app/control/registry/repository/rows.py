"""The registry's rows as values and back: columns for what is asked about, `details` for the rest."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeAlias
from uuid import UUID

import msgspec

from migrations_app.domain.registry.documents import convert, document, kind_of
from migrations_app.domain.registry.metadata import Lifecycle, Metadata, SyncingMeta
from migrations_app.domain.registry.names import RegistryKind, last_id, service_name
from migrations_app.domain.registry.values import (
    Deployment,
    Region,
    Registered,
    Resource,
    Service,
    Stage,
    UpgradeState,
)
from migrations_app.domain.resources.shards import shards_of
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models import registry as rows

Row: TypeAlias = "rows.Region | rows.Service | rows.Deployment | rows.ResourceType"

MODELS: dict[
    RegistryKind, type[rows.Region] | type[rows.Service] | type[rows.Deployment] | type[rows.ResourceType]
] = {
    RegistryKind.REGION: rows.Region,
    RegistryKind.SERVICE: rows.Service,
    RegistryKind.DEPLOYMENT: rows.Deployment,
    RegistryKind.RESOURCE: rows.ResourceType,
}
# What each kind keeps in `details`; everything else has a column or follows from others.
_DETAILS: dict[RegistryKind, tuple[str, ...]] = {
    RegistryKind.REGION: (),
    RegistryKind.SERVICE: ("globalDomain", "labelledDomains"),
    RegistryKind.DEPLOYMENT: (
        "publicDomain",
        "privateDomain",
        "labelledDomains",
        "localNetworkId",
        "location",
    ),
    RegistryKind.RESOURCE: ("pluralName", "fqn", "versions", "versionedInfos"),
}
_METADATA = ("tags", "labels", "annotations", "generation", "ownerReferences", "services", "syncing")


def row_key(kind: RegistryKind, name: str) -> str:
    """Give the primary key of the row with this name."""
    return last_id(name) if kind in (RegistryKind.REGION, RegistryKind.SERVICE) else name


def details_of(value: Registered) -> JsonObject:
    """Write what goes into the `details` column."""
    written = document(value)
    kept: JsonObject = {key: written[key] for key in _DETAILS[kind_of(value)] if key in written}
    metadata = written.get("metadata")
    if isinstance(metadata, dict):
        part: JsonObject = {key: metadata[key] for key in _METADATA if key in metadata}
        if part:
            kept["metadata"] = part
    return kept


def _metadata(row: Row, name: str, details: JsonObject) -> Metadata:
    kept = details.get("metadata")
    stored = convert(kept, Metadata) if kept else Metadata()
    return msgspec.structs.replace(
        stored,
        create_time=row.created_at,
        update_time=row.updated_at,
        uuid=str(row.uid),
        resource_version=row.origin_version or str(row.revision),
        shards=shards_of(name),
        lifecycle=Lifecycle(state="ACTIVE"),
    )


def region_of(row: rows.Region) -> Region:
    """Read a region."""
    name = f"regions/{row.id}"
    return Region(name=name, metadata=_metadata(row, name, row.details), title=row.title)


def service_of(row: rows.Service) -> Service:
    """Read a service; its imports must be at hand (`prefetch_related("imports")`)."""
    name, edges = service_name(row.id), list(row.imports.all())
    imports = [edge for edge in edges if edge.kind == rows.Import.IMPORTS]
    body: JsonObject = {
        **_without_metadata(row.details),
        "name": name,
        "displayName": row.display_name,
        "multiRegionPolicy": row.policy,
        "allVersions": row.versions,
        "leadingService": service_name(row.leading_id) if row.leading_id else "",
        "importedServices": _names(imports),
        "usedServices": _names([edge for edge in edges if edge.kind == rows.Import.USES]),
        "importedVersions": _imported_versions(imports),
        "envRegistryGeneration": row.generation,
        "automaticVersionSwitch": row.automatic_version_switch,
    }
    return msgspec.structs.replace(convert(body, Service), metadata=_metadata(row, name, row.details))


def _names(edges: list[rows.Import]) -> list[Json]:
    return [*sorted(service_name(edge.target_id) for edge in edges)]


def _imported_versions(imports: list[rows.Import]) -> list[Json]:
    found: list[Json] = []
    for edge in sorted(imports, key=lambda one: one.target_id):
        for version, target in sorted(edge.versions.items()):
            found.append(
                {
                    "targetService": service_name(edge.target_id),
                    "targetServiceVersion": target,
                    "currentServiceVersion": version,
                }
            )
    return found


def deployment_of(row: rows.Deployment) -> Deployment:
    """Read a deployment."""
    body: JsonObject = {
        **_without_metadata(row.details),
        "name": row.name,
        "serviceName": service_name(row.service_id),
        "region": f"regions/{row.region_id}",
        "isDisabled": row.is_disabled,
        "envRegistryGeneration": row.generation,
        "currentVersion": row.current_version,
        "dbDataVersion": row.db_data_version,
        "dbLocationTag": row.db_location_tag,
        "automaticVersionSwitch": row.automatic_version_switch,
        "dataUpdateStatuses": row.data_updates,
    }
    if row.available_upgrade is not None:
        body["availableUpgrade"] = row.available_upgrade
    return msgspec.structs.replace(
        convert(body, Deployment),
        metadata=_metadata(row, row.name, row.details),
        upgrade_state=_upgrade_state(row),
    )


def _upgrade_state(row: rows.Deployment) -> UpgradeState | None:
    if not row.upgrade_stage:
        return None
    ready = set(row.upgrade_ready)
    return UpgradeState(
        target_version=row.upgrade_target,
        ready_shards=tuple(sorted(ready)),
        pending_shards=tuple(shard for shard in range(row.upgrade_ring) if shard not in ready),
        stage=Stage(row.upgrade_stage),
        db_data_target_version=row.upgrade_data_version,
        db_target_location_tag=row.upgrade_location_tag,
    )


def resource_of(row: rows.ResourceType) -> Resource:
    """Read a resource type."""
    body: JsonObject = {**_without_metadata(row.details), "name": row.name}
    return msgspec.structs.replace(convert(body, Resource), metadata=_metadata(row, row.name, row.details))


def value_of(row: Row) -> Registered:
    """Read a value from any row of the registry."""
    if isinstance(row, rows.Region):
        return region_of(row)
    if isinstance(row, rows.Service):
        return service_of(row)
    if isinstance(row, rows.Deployment):
        return deployment_of(row)
    return resource_of(row)


def columns_of(value: Registered) -> dict[str, object]:
    """Write the columns of a value, beside its key, its revision and its times."""
    details = details_of(value)
    if isinstance(value, Region):
        return {"title": value.title, "details": details}
    if isinstance(value, Service):
        return {
            "display_name": value.display_name,
            "versions": list(value.all_versions),
            "leading_id": last_id(value.leading_service) or None,
            "automatic_version_switch": value.automatic_version_switch,
            "generation": value.env_registry_generation,
            "policy": msgspec.to_builtins(value.multi_region_policy),
            "details": details,
        }
    if isinstance(value, Deployment):
        return {"details": details, **_deployment_columns(value)}
    return {
        "service_id": value.name.split("/")[1],
        "type": last_id(value.name),
        "details": details,
    }


def _deployment_columns(value: Deployment) -> dict[str, object]:
    state, offer = value.upgrade_state, value.available_upgrade
    return {
        "service_id": value.service_id,
        "region_id": value.region_id,
        "current_version": value.current_version,
        "is_disabled": value.is_disabled,
        "automatic_version_switch": value.automatic_version_switch,
        "generation": value.env_registry_generation,
        "db_data_version": value.db_data_version,
        "db_location_tag": value.db_location_tag,
        "available_upgrade": msgspec.to_builtins(offer) if offer else None,
        "upgrade_target": state.target_version if state else "",
        "upgrade_stage": state.stage.value if state else "",
        "upgrade_ring": state.total if state else 0,
        "upgrade_ready": list(state.ready_shards) if state else [],
        "upgrade_data_version": state.db_data_target_version if state else "",
        "upgrade_location_tag": state.db_target_location_tag if state else "",
        "data_updates": [msgspec.to_builtins(one) for one in value.data_update_statuses],
    }


def placed(value: Registered, owning_region: str, regions: tuple[str, ...]) -> Registered:
    """Note in a value's metadata where it lives."""
    syncing = SyncingMeta(owning_region, regions) if owning_region else None
    return msgspec.structs.replace(value, metadata=msgspec.structs.replace(value.metadata, syncing=syncing))


def stamped(value: Registered, row: Row) -> Registered:
    """Note in a value's metadata what saving gave it."""
    return msgspec.structs.replace(
        value,
        metadata=msgspec.structs.replace(
            value.metadata,
            create_time=row.created_at,
            update_time=row.updated_at,
            uuid=str(row.uid),
            resource_version=row.origin_version or str(row.revision),
            shards=shards_of(value.name),
            lifecycle=Lifecycle(state="ACTIVE"),
        ),
    )


def given_by(row: Row, origin: Metadata) -> dict[str, object]:
    """Give the columns in which a row is not yet what the registry that it mirrors gave it."""
    given: dict[str, object] = {"origin_version": origin.resource_version}
    if origin.create_time is not None:
        given["created_at"] = origin.create_time
    if origin.update_time is not None:
        given["updated_at"] = origin.update_time
    with suppress(ValueError):
        given["uid"] = UUID(origin.uuid)
    return {column: content for column, content in given.items() if getattr(row, column) != content}


def _without_metadata(details: JsonObject) -> JsonObject:
    return {key: value for key, value in details.items() if key != "metadata"}
