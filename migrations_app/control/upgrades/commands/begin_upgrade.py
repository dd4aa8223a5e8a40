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
from migrations_app.kernel.messages import message


def begin_upgrade(actor: Actor, deployment: str, target_version: str = "", ring: int = 0) -> str:
    """Begin an upgrade and give its id; what is left out comes from the deployment's available upgrade.

    An offer may also be of a data version or of a location, where its version is the current one or left out.
    Another shard count than that of the data goes together with another version or location, or alone.
    With the deployment's `automaticVersionSwitch` it switches by itself once every guard holds.
    Raises: Missing, Denied, Invalid, Conflict (`upgrade-running`, `upgrade-not-everywhere`, `upgrade-ring-differs`,
    `guard-*`).
    """
    with transaction.atomic():
        value = registry.get(RegistryKind.DEPLOYMENT, deployment)
        service = registry.get(RegistryKind.SERVICE, f"services/{deployment.split('/')[1]}")
        if not isinstance(value, Deployment) or not isinstance(service, Service):
            raise DeploymentMissing(message("There is no deployment {deployment}.", deployment=deployment))
        data_ring = context_of(deployment).ring
        wanted = ring or _offered_ring(value, target_version) or data_ring
        spec = _spec(value, target_version, reshards=wanted != data_ring)
        siblings = registry.deployments_of(service.id)
        moves_version = spec.kind is UpgradeKind.VERSION
        target = spec.target_version if moves_version else value.current_version
        new_version = moves_version and target not in ("", value.current_version)
        is_copied = new_version or spec.kind in (UpgradeKind.LOCATION, UpgradeKind.SHARDS)
        check_shard_count(value, wanted, data_ring, is_copied=is_copied)
        check_begin(value, siblings, service, target, wanted, wanted, moves_version=moves_version)
        planned = plan_upgrade(actor, replace(spec, target_shard_count=wanted if is_copied else 0))
        return start_upgrade(actor, planned.upgrade_id)


def _offered_ring(deployment: Deployment, target_version: str) -> int:
    """Give the offered shard count; who asks for the version that is served does not ask for what is offered."""
    offer = deployment.available_upgrade
    if offer is None or target_version == deployment.current_version:
        return 0
    return offer.total_shards_count


def _spec(deployment: Deployment, target_version: str, *, reshards: bool) -> UpgradeSpec:
    """Say what is begun: the version that is asked for, or what is offered: a version, then data, then a location.

    Where nothing of these changes, and the shard count does, it is the shard count alone.
    """
    offer, comment = deployment.available_upgrade, "begun through the registry"
    target = target_version or (offer.api_version if offer else "")
    if target not in ("", deployment.current_version):
        return UpgradeSpec(deployment.name, target, comment=comment)
    if offer is not None and not target_version:
        if offer.db_data_version not in ("", deployment.db_data_version):
            data_version = offer.db_data_version
            return UpgradeSpec(
                deployment.name, kind=UpgradeKind.DATA, target_data_version=data_version, comment=comment
            )
        if offer.db_location_tag not in ("", deployment.db_location_tag):
            location = offer.db_location_tag
            return UpgradeSpec(
                deployment.name, kind=UpgradeKind.LOCATION, target_location=location, comment=comment
            )
    kind = UpgradeKind.SHARDS if reshards else UpgradeKind.VERSION
    return UpgradeSpec(deployment.name, "" if reshards else target, kind, comment=comment)
