"""What the registry says about a deployment that is, or might be, upgraded, and about those that depend on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256

from django.conf import settings
from django.utils import timezone

from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.names import version_order
from migrations_app.domain.switch.plan import UpgradeKind, UpgradePlan
from migrations_app.kernel.errors import DeploymentMissing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.one_reading import read_once
from migrations_app.models.registry import Deployment, Import, Namespace
from migrations_app.ports.namespaces import Namespace as Place


@dataclass(frozen=True, slots=True)
class UpgradeContext:
    """One deployment with what its upgrade depends on."""

    deployment: str
    service: str
    region: str
    current_version: str
    disabled: bool
    automatic: bool
    ring: int
    database: str
    location_tag: str
    data_version: str
    versions: tuple[str, ...]
    fingerprint: str
    supported: Mapping[str, str]

    def why_unreachable(self, target: str) -> WordedMessage:
        """Say why the data cannot be brought to `target`; nothing where they can."""
        if target not in self.versions:
            return message(
                "{service} has no version {version}; it has {known}.",
                service=self.service,
                version=target,
                known=", ".join(self.versions) or "none",
            )
        if not self.fingerprint and not settings.SWITCHYARD.meta_url:
            return message("There is no definition of {service}.", service=self.service)
        return NOTHING

    def why_not_to(self, target: str) -> WordedMessage:
        """Say why no upgrade may go to `target` from what is served; nothing where one may."""
        if target == self.current_version:
            return message("It runs this version already.")
        missing = self.missing_regions(target)
        if missing and not self.why_unreachable(target):
            return message(
                "The code in {regions} does not support {version} yet.",
                regions=", ".join(missing),
                version=target,
            )
        return self.why_unreachable(target)

    def missing_regions(self, target: str) -> tuple[str, ...]:
        """Name the regions whose deployment could not serve `target` yet."""
        return tuple(
            sorted(
                region
                for region, newest in self.supported.items()
                if not newest or version_order(newest) < version_order(target)
            )
        )


@read_once
def context_of(deployment: str) -> UpgradeContext:
    """Read the scene of a deployment.

    Raises: Missing (`deployment-missing`).
    """
    row = Deployment.objects.select_related("service__definition").filter(pk=deployment).first()
    if row is None:
        raise DeploymentMissing(
            message("There is no deployment {deployment}.", deployment=deployment), remedy=_remedy(deployment)
        )
    siblings = Deployment.objects.filter(service=row.service, is_disabled=False)
    definition = row.service.definition
    return UpgradeContext(
        deployment=row.name,
        service=row.service_id,
        region=row.region_id,
        current_version=row.current_version,
        disabled=row.is_disabled,
        automatic=row.automatic_version_switch,
        ring=row.ring,
        database=row.database or _database_of(row.region_id),
        location_tag=row.db_location_tag,
        data_version=row.db_data_version,
        versions=tuple(row.service.versions),
        fingerprint=definition.fingerprint if definition else "",
        supported={
            each.region_id: newest_of(each.current_version, each.available_upgrade) for each in siblings
        },
    )


@dataclass(frozen=True, slots=True)
class Dependant:
    """One deployment of the same region that imports or uses a service, with the version it is built on."""

    service: str
    region: str
    version: str
    """What it serves itself."""
    builds_on: str
    """Which version of the other service that is written against; empty for a mere use."""
    needs: dict[str, str]
    """The same for each of its versions."""

    def as_json(self) -> JsonObject:
        """Give it as the API shows it."""
        return {
            "service": self.service,
            "region": self.region,
            "version": self.version,
            "builds_on": self.builds_on,
        }


@read_once
def dependants_of(service: str, region: str) -> list[Dependant]:
    """List what stands on a deployment in its region, by name; one query whatever there is."""
    there = "service__deployments__"
    edges = Import.objects.filter(
        target_id=service, **{f"{there}region_id": region, f"{there}is_disabled": False}
    ).values_list("service_id", f"{there}current_version", "versions")
    needs: dict[tuple[str, str], dict[str, str]] = {}
    for importer, version, versions in edges.order_by("service_id", "kind"):
        needs.setdefault((importer, version), {}).update(versions)
    return [
        Dependant(importer, region, version, needed.get(version, ""), needed)
        for (importer, version), needed in needs.items()
    ]


def dependants_within(reach: Reach, service: str, region: str) -> list[Json]:
    """Show what stands on a deployment, as far as a reach goes."""
    found = dependants_of(service, region)
    return [each.as_json() for each in found if reach.covers(each.service, each.region)]


def _remedy(deployment: str) -> WordedMessage:
    near = get_close_matches(deployment, Deployment.objects.values_list("name", flat=True), 1)
    return message("Did you mean {name}?", name=near[0]) if near else message("Register it first.")


def _database_of(region: str) -> str:
    """Name the data database of a region: its own, or the one that serves the rest."""
    return region if region in settings.SWITCHYARD.data_urls else "default"


def newest_of(current_version: str, available_upgrade: Mapping[str, object] | None) -> str:
    """Tell the newest version that the code of a deployment serves: what it runs, or what it offers."""
    offered = str((available_upgrade or {}).get("apiVersion", ""))
    known = [version for version in (current_version, offered) if version]
    return max(known, key=version_order) if known else ""


def place_of(deployment: str, version: str, database: str, ring: int) -> Place:
    """Find where a deployment keeps a version's data, naming a new schema when it has none yet."""
    row = Namespace.objects.filter(deployment_id=deployment, version=version, database=database).first()
    schema = row.schema if row else _schema(deployment, version)
    return Place(deployment, version, database, schema, ring, row.numbering if row else "")


def fresh_place(plan: UpgradePlan, source: Place, database: str, upgrade_id: str) -> Place:
    """Name a place that no earlier upgrade has used: nothing that is left of one, nor a late worker of one,
    can touch its data.

    One fence switches between versions. Two places of one version in one database have a fence each.
    """
    suffix = upgrade_id[-6:]
    schema = f"{_schema(plan.deployment, plan.to_version)}_{suffix}"
    numbering = source.numbering if database == source.database else ""
    if plan.kind is UpgradeKind.SHARDS:
        numbering = suffix
    return Place(plan.deployment, plan.to_version, database, schema, plan.ring, numbering)


def keep_place(place: Place, *, shard_count: int | None = None) -> None:
    """Note in the registry where a version's data are kept from now on; null follows the deployment's shard count."""
    shards = {} if shard_count is None else {"shard_count": shard_count}
    kept = {"schema": place.schema, "numbering": place.numbering, **shards}
    Namespace.objects.update_or_create(
        deployment_id=place.deployment,
        version=place.version,
        database=place.database,
        defaults=kept,
        create_defaults={**kept, "created_at": timezone.now()},
    )


def _schema(deployment: str, version: str) -> str:
    _, service, _, region = deployment.split("/")
    plain = re.sub(r"[^a-z0-9]+", "_", f"{service.split('.')[0]}_{region}_{version}".lower())
    return f"sy_{plain[:38]}_{sha256(f'{deployment}/{version}'.encode()).hexdigest()[:8]}"
