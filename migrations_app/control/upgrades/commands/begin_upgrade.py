"""Begin an upgrade as the registry's clients do: plan and start in one step."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.upgrade_contexts import context_of
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.upgrade import check_begin, check_shard_count
from migrations_app.domain.registry.values import Deployment, Service
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.kernel.errors import DeploymentMissing


def begin_upgrade(actor: Actor, deployment: str, target_version: str = "", ring: int = 0) -> str:
    """Begin an upgrade and give its id; what is left out comes from the deployment's available upgrade.

    An offer may also be of a data version or of a location, where its version is the current one or left out.
    Another shard count than that of the data goes together with another version or location.
    With the deployment's `automaticVersionSwitch` it switches by itself once every guard holds.
    Raises: Missing, Denied, Invalid, Conflict (`upgrade-running`, `upgrade-not-everywhere`, `upgrade-ring-differs`,
    `guard-*`).
    """
    with transaction.atomic():
        value = registry.get(RegistryKind.DEPLOYMENT, deployment)
        service = registry.get(RegistryKind.SERVICE, f"services/{deployment.split('/')[1]}")
        if not isinstance(value, Deployment) or not isinstance(service, Service):
            raise DeploymentMissing(f"There is no deployment {deployment}.")
        data_ring = context_of(deployment).ring
        spec = _spec(value, target_version)
        wanted = (
            ring
            or (value.available_upgrade.total_shards_count if value.available_upgrade else 0)
            or data_ring
        )
        siblings = registry.deployments_of(service.id)
        moves_version = spec.kind is UpgradeKind.VERSION
        target = spec.target_version if moves_version else value.current_version
        new_version = moves_version and target not in ("", value.current_version)
        is_copied = new_version or spec.kind is UpgradeKind.LOCATION
        check_shard_count(value, wanted, data_ring, is_copied=is_copied)
        check_begin(value, siblings, service, target, wanted, wanted, moves_version=moves_version)
        planned = plan_upgrade(actor, replace(spec, target_shard_count=wanted if is_copied else 0))
        return start_upgrade(actor, planned.upgrade_id)


def _spec(deployment: Deployment, target_version: str) -> UpgradeSpec:
    """Say what is begun: the version that is asked for, or what is offered: a version, then data, then a location."""
    offer, comment = deployment.available_upgrade, "begun through the registry"
    offered = offer.api_version if offer else ""
    target = target_version or offered
    if target_version or offer is None or offered not in ("", deployment.current_version):
        return UpgradeSpec(deployment.name, target, comment=comment)
    if offer.db_data_version not in ("", deployment.db_data_version):
        return UpgradeSpec(
            deployment.name, kind=UpgradeKind.DATA, target_data_version=offer.db_data_version, comment=comment
        )
    if offer.db_location_tag not in ("", deployment.db_location_tag):
        return UpgradeSpec(
            deployment.name, kind=UpgradeKind.LOCATION, target_location=offer.db_location_tag, comment=comment
        )
    return UpgradeSpec(deployment.name, target, comment=comment)
