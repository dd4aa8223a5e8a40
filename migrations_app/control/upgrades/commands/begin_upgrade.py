"""Begin an upgrade as the registry's clients do: plan and start in one step."""

from __future__ import annotations

from django.db import transaction

from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.upgrade_contexts import context_of
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.upgrade import check_begin
from migrations_app.domain.registry.values import Deployment, Service
from migrations_app.kernel.errors import DeploymentMissing


def begin_upgrade(actor: Actor, deployment: str, target_version: str = "", ring: int = 0) -> str:
    """Begin an upgrade and give its id; what is left out comes from the deployment's available upgrade.

    With the deployment's `automaticVersionSwitch` it switches by itself once every guard holds.
    Raises: Missing, Denied, Invalid, Conflict (`upgrade-running`, `upgrade-not-everywhere`, `guard-*`).
    """
    with transaction.atomic():
        value = registry.get(RegistryKind.DEPLOYMENT, deployment)
        service = registry.get(RegistryKind.SERVICE, f"services/{deployment.split('/')[1]}")
        if not isinstance(value, Deployment) or not isinstance(service, Service):
            raise DeploymentMissing(f"There is no deployment {deployment}.")
        offer = value.available_upgrade
        target = target_version or (offer.api_version if offer else "")
        data_ring = context_of(deployment).ring
        wanted = ring or (offer.total_shards_count if offer else 0) or data_ring
        check_begin(value, registry.deployments_of(service.id), service, target, wanted, data_ring)
        planned = plan_upgrade(actor, UpgradeSpec(deployment, target, comment="begun through the registry"))
        return start_upgrade(actor, planned.upgrade_id)
