"""Small registries that tests of the rules start from."""

from __future__ import annotations

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.names import deployment_name, service_name
from migrations_app.domain.registry.picture import Picture, picture
from migrations_app.domain.registry.values import Deployment, ImportedVersion, Service

REGIONS = ("eu", "us")


def service(
    name: str, *imports: str, versions: tuple[str, ...] = ("v1",), regions: tuple[str, ...] = REGIONS
) -> Service:
    """Make a service whose every version uses v1 of each import."""
    return Service(
        name=service_name(name),
        all_versions=versions,
        imported_services=tuple(service_name(one) for one in imports),
        imported_versions=tuple(
            ImportedVersion(service_name(one), "v1", version) for version in versions for one in imports
        ),
        multi_region_policy=MultiRegionPolicy(tuple(sorted(regions)), sorted(regions)[0]),
    )


def deployment(name: str, region: str, version: str = "v1") -> Deployment:
    """Make a deployment that runs one version."""
    return Deployment(name=deployment_name(name, region), current_version=version)


def fleet() -> Picture:
    """Draw three services in two regions: devices imports iam and secrets, secrets imports iam."""
    services = [service("iam"), service("secrets", "iam"), service("devices", "iam", "secrets")]
    return picture(REGIONS, services, [deployment(one.id, region) for one in services for region in REGIONS])
