"""The registry as one value: what the rules look at before and after a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.names import last_id
from migrations_app.domain.registry.values import Deployment, ImportedVersion, Service

NO_POLICY = MultiRegionPolicy()


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """What the rules need to know of one service."""

    versions: tuple[str, ...] = ()
    imports: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    imported_versions: tuple[ImportedVersion, ...] = ()
    policy: MultiRegionPolicy = NO_POLICY
    leading: str = ""


@dataclass(frozen=True, slots=True)
class DeploymentFacts:
    """What the rules need to know of one deployment."""

    service: str
    region: str
    current_version: str = ""
    disabled: bool = False
    upgrading_to: str = ""
    offers: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """Regions, services and deployments, all by id; deployments by (service, region)."""

    regions: frozenset[str] = frozenset()
    services: Mapping[str, ServiceFacts] = field(default_factory=dict)
    deployments: Mapping[tuple[str, str], DeploymentFacts] = field(default_factory=dict)

    def graph(self) -> ImportGraph:
        """Draw who imports and uses whom."""
        return ImportGraph(
            imports={name: facts.imports for name, facts in self.services.items()},
            uses={name: facts.uses for name, facts in self.services.items()},
        )

    def of(self, service: str) -> tuple[DeploymentFacts, ...]:
        """List the deployments of a service in order of region."""
        return tuple(facts for key, facts in sorted(self.deployments.items()) if key[0] == service)

    def regions_of(self) -> dict[str, set[str]]:
        """List the regions each service serves in: its deployments that are not disabled."""
        found: dict[str, set[str]] = {name: set() for name in self.services}
        for (service, region), facts in self.deployments.items():
            if not facts.disabled:
                found.setdefault(service, set()).add(region)
        return found

    def with_region(self, region: str) -> Picture:
        """Add a region."""
        return replace(self, regions=self.regions | {region})

    def without_region(self, region: str) -> Picture:
        """Take a region away."""
        return replace(self, regions=self.regions - {region})

    def with_service(self, service: Service) -> Picture:
        """Put a service in place of what was there."""
        return replace(self, services={**self.services, service.id: service_facts(service)})

    def without_service(self, service: str) -> Picture:
        """Take a service away."""
        return replace(self, services={k: v for k, v in self.services.items() if k != service})

    def with_deployment(self, deployment: Deployment) -> Picture:
        """Put a deployment in place of what was there."""
        facts = deployment_facts(deployment)
        return replace(self, deployments={**self.deployments, (facts.service, facts.region): facts})

    def without_deployment(self, service: str, region: str) -> Picture:
        """Take a deployment away."""
        kept = {key: facts for key, facts in self.deployments.items() if key != (service, region)}
        return replace(self, deployments=kept)


def service_facts(service: Service) -> ServiceFacts:
    """Take from a service what the rules look at."""
    return ServiceFacts(
        versions=service.all_versions,
        imports=frozenset(map(last_id, service.imported_services)),
        uses=frozenset(map(last_id, service.used_services)),
        imported_versions=service.imported_versions,
        policy=service.multi_region_policy,
        leading=last_id(service.leading_service),
    )


def deployment_facts(deployment: Deployment) -> DeploymentFacts:
    """Take from a deployment what the rules look at."""
    upgrade, offer = deployment.upgrade_state, deployment.available_upgrade
    return DeploymentFacts(
        service=deployment.service_id,
        region=deployment.region_id,
        current_version=deployment.current_version,
        disabled=deployment.is_disabled,
        upgrading_to=upgrade.target_version if upgrade else "",
        offers=offer.api_version if offer else "",
    )


def picture(
    regions: Iterable[str], services: Iterable[Service], deployments: Iterable[Deployment]
) -> Picture:
    """Draw the registry from its values."""
    facts = [deployment_facts(one) for one in deployments]
    return Picture(
        regions=frozenset(regions),
        services={one.id: service_facts(one) for one in services},
        deployments={(one.service, one.region): one for one in facts},
    )
