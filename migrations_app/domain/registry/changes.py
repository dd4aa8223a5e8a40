"""Rules of a single change: who may make it, what it may not overwrite, what it may not take away."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.registry.names import region_name
from migrations_app.domain.registry.picture import Picture
from migrations_app.domain.registry.values import Deployment, Service
from migrations_app.kernel.errors import Conflict, Denied
from migrations_app.kernel.messages import message

CHANGE_RULES: Mapping[str, str] = {
    "region-owner": "Only the registry's own service makes, changes and removes regions.",
    "deployment-id-is-region": "The id of a deployment is the id of its region.",
    "generation-older": "An older program does not overwrite what a newer one registered.",
    "current-version-fenced": "What a deployment hosted here serves, and from where, is moved by upgrades only.",
    "upgrade-running": "A deployment in the middle of an upgrade is not removed, disabled or moved by hand.",
    "region-in-use": "A region with deployments is not removed.",
    "service-in-use": "A service that is deployed, imported or used is not removed.",
    "reference-not-imported": "References point only to imported services.",
}


def check_region_owner(may: bool, region: str) -> None:
    """Let only the registry's own service (and the people who run it) touch regions.

    Raises: Denied (`region-owner`).
    """
    if not may:
        raise Denied(
            message(
                "{region_name} may only be changed by the registry's own service.",
                region_name=region_name(region),
            ),
            code="region-owner",
            who_can=("role admin", "the registry's own service"),
        )


def check_generation(before: int, after: int, name: str) -> None:
    """Refuse a registration by a program older than the last one.

    Raises: Conflict (`generation-older`).
    """
    if after < before:
        raise Conflict(
            message(
                "{name} was registered by generation {before}; generation {after} is older.",
                name=name,
                before=before,
                after=after,
            ),
            code="generation-older",
            remedy=message("Upgrade the program, or do not change its registration."),
        )


def check_deployment_update(before: Deployment, after: Deployment) -> None:
    """Keep hands off a deployment in the middle of an upgrade.

    Raises: Conflict (`upgrade-running`, `generation-older`).
    """
    check_generation(before.env_registry_generation, after.env_registry_generation, before.name)
    if before.upgrade_state is None or after.upgrade_state is None:
        return
    moved = before.current_version != after.current_version
    if moved or (after.is_disabled and not before.is_disabled):
        target = before.upgrade_state.target_version
        raise Conflict(
            message("{name} is being upgraded to {target}.", name=before.name, target=target),
            code="upgrade-running",
            remedy=message("Abort the upgrade first, or wait until it is done."),
        )


def check_fenced(before: Deployment, after: Deployment) -> None:
    """Leave to upgrades what a deployment whose data is kept here serves, and from where.

    Raises: Conflict (`current-version-fenced`).
    """
    name = after.name
    for was, now, words in (
        (
            before.current_version,
            after.current_version,
            message("{name} serves {version}.", name=name, version=before.current_version),
        ),
        (
            before.db_data_version,
            after.db_data_version,
            message("{name} has data of version {version}.", name=name, version=before.db_data_version),
        ),
        (
            before.db_location_tag,
            after.db_location_tag,
            message("{name} keeps its data at {location}.", name=name, location=before.db_location_tag),
        ),
    ):
        if was and was != now:
            raise Conflict(
                words + message("Its fence decides that, not its registration."),
                code="current-version-fenced",
                remedy=message("Plan an upgrade, or roll one back."),
            )


def check_deployment_removal(deployment: Deployment) -> None:
    """Keep a deployment whose upgrade runs.

    Raises: Conflict (`upgrade-running`).
    """
    if deployment.upgrade_state is not None:
        raise Conflict(
            message(
                "{name} is being upgraded to {target_version}.",
                name=deployment.name,
                target_version=deployment.upgrade_state.target_version,
            ),
            code="upgrade-running",
            remedy=message("Abort the upgrade first, or wait until it is done."),
        )


def check_region_removal(region: str, picture: Picture) -> None:
    """Keep a region that something runs in.

    Raises: Conflict (`region-in-use`).
    """
    users = [service for service, where in sorted(picture.deployments) if where == region]
    if users:
        raise Conflict(
            message(
                "{region_name} still has deployments of {users}.",
                region_name=region_name(region),
                users=", ".join(users[:5]),
            ),
            code="region-in-use",
            remedy=message("Remove those deployments first."),
        )


def check_service_removal(service: str, picture: Picture) -> None:
    """Keep a service that runs somewhere or that others stand on.

    Raises: Conflict (`service-in-use`).
    """
    regions = [one.region for one in picture.of(service)]
    others = sorted(picture.graph().dependants(service) - {service})
    if regions:
        reason = f"it is deployed in {', '.join(regions[:5])}"
    elif others:
        reason = f"{', '.join(others[:5])} import or use it"
    else:
        return
    raise Conflict(
        message("services/{service} cannot be removed: {reason}.", service=service, reason=reason),
        code="service-in-use",
        remedy=message("Remove what stands on it first."),
    )


def check_references(service: Service, targets: Mapping[str, frozenset[str]]) -> None:
    """Let references point only to the service itself and to what it imports.

    Shape: `targets` maps a version to the services its references point to.
    Raises: Conflict (`reference-not-imported`).
    """
    allowed = {service.id, *(one.rpartition("/")[2] for one in service.imported_services)}
    for version, services in sorted(targets.items()):
        strangers = sorted(services - allowed)
        if strangers:
            raise Conflict(
                message(
                    "{id} {version} refers to resources of {strangers}, which it does not import.",
                    id=service.id,
                    version=version,
                    strangers=", ".join(strangers),
                ),
                code="reference-not-imported",
                remedy=message("Import the service in service.yaml, or drop the reference."),
            )
