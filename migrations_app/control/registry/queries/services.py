"""Services and regions as the console lists them."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.control.registry.queries.type_changes import type_changes
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.retirements import retirements_of
from migrations_app.control.registry.repository.rows import region_of, resource_of, service_of
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, Target, reach_of, require, require_reach
from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import RegistryKind, last_id, service_name
from migrations_app.domain.registry.redaction import redact
from migrations_app.domain.registry.values import Region, Service
from migrations_app.kernel.json import JsonObject
from migrations_app.models import registry as rows


def services(actor: Actor, *, after: str | None = None, limit: int = 51) -> list[JsonObject]:
    """List services by id."""
    reach = require_reach(actor, "registry.read")
    seen = within(reach, "id", "")
    found = rows.Service.objects.filter(seen).order_by("id").prefetch_related("imports")
    if after is not None:
        found = found.filter(id__gt=after)
    return [_service(service_of(row), reach) for row in found[:limit]]


def service(actor: Actor, name: str) -> JsonObject:
    """Show one service with its versions, resource types and deployments.

    Raises: Denied, Missing (`not-found`).
    """
    require(actor, "registry.read", Target("service", service=name))
    reach = reach_of(actor, "registry.read")
    value = registry.get(RegistryKind.SERVICE, service_name(name))
    assert isinstance(value, Service)
    types = [resource_of(row) for row in rows.ResourceType.objects.filter(service_id=name)]
    definition = rows.ServiceDefinition.objects.filter(current_of=name).first()
    return {
        **_service(value, reach),
        "resource_types": [
            {
                "type": one.name.rpartition("/")[2],
                "fqn": one.fqn,
                "plural": one.plural_name,
                "versions": list(one.versions),
            }
            for one in types
        ],
        "type_changes": [*type_changes(name, definition.fingerprint)] if definition else [],
        "deployments": [
            {"region": region, "current_version": version}
            for region, version in rows.Deployment.objects.filter(service_id=name)
            .order_by("name")
            .values_list("region_id", "current_version")
            if reach.covers(name, region)
        ],
        "importers": [each for each in registry.read_graph().importers(name) if reach.covers(each)],
        "imported_by": [each for each in _importers(name) if reach.covers(str(each["service"]))],
        "retirements": retirements_of(name),
        "fingerprint": definition.fingerprint if definition else None,
        "raw": redact(document(value), reach),
    }


def _importers(name: str) -> Iterator[JsonObject]:
    """Tell which version of which service imports which version of this one."""
    target = service_name(name)
    for row in rows.Service.objects.order_by("id").prefetch_related("imports"):
        for one in service_of(row).imported_versions:
            if one.target_service == target:
                yield {
                    "service": row.id,
                    "for_version": one.current_service_version,
                    "version": one.target_service_version,
                }


def regions(actor: Actor) -> list[JsonObject]:
    """List all regions."""
    seen = within(require_reach(actor, "registry.read"), "", "id")
    return [_region(region_of(row)) for row in rows.Region.objects.filter(seen)]


def _service(value: Service, reach: Reach) -> JsonObject:
    control = value.multi_region_policy.default_control_region
    return {
        "name": value.id,
        "display_name": value.display_name or value.id,
        "versions": list(value.all_versions),
        "imports": [
            {
                "service": one.target_service.rpartition("/")[2],
                "version": one.target_service_version,
                "for_version": one.current_service_version,
            }
            for one in value.imported_versions
            if reach.covers(last_id(one.target_service))
        ],
        "uses": [last_id(one) for one in value.used_services if reach.covers(last_id(one))],
        "regions": [
            region for region in value.multi_region_policy.enabled_regions if reach.covers(value.id, region)
        ],
        "control_region": control if reach.covers(value.id, control) else "",
        "automatic": value.automatic_version_switch,
        "rev": int(value.metadata.resource_version),
    }


def _region(value: Region) -> JsonObject:
    return {
        "name": value.name.rpartition("/")[2],
        "title": value.title,
        "rev": int(value.metadata.resource_version),
    }
