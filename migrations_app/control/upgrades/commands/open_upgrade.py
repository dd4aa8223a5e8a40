"""Open an upgrade of a deployment whose data another system moves; its shards will report here."""

from __future__ import annotations

from migrations_app.control.registry.commands.change_deployment import change_deployment
from migrations_app.control.registry.commands.save_registered import target_of
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import Actor, require
from migrations_app.domain.registry.names import RegistryKind, service_name
from migrations_app.domain.registry.upgrade import begin, check_begin
from migrations_app.domain.registry.values import Deployment, Service


def open_upgrade(actor: Actor, name: str, target: str = "", ring: int = 0) -> Deployment:
    """Begin an upgrade; what is left out comes from the available upgrade.

    Raises: Denied, Missing (`not-found`), and what `check_begin` refuses.
    """
    require(actor, "upgrade.start", target_of(RegistryKind.DEPLOYMENT, name))

    def decide(before: Deployment) -> Deployment:
        service = registry.get(RegistryKind.SERVICE, service_name(before.service_id))
        assert isinstance(service, Service)
        offer = before.available_upgrade
        data_ring = (offer.total_shards_count if offer else 0) or ring or 16
        wanted = target or (offer.api_version if offer else "")
        siblings = registry.deployments_of(before.service_id)
        check_begin(before, siblings, service, wanted, ring or data_ring, data_ring)
        return begin(before, wanted, data_ring)

    return change_deployment(actor, name, "upgrade.begin", decide)
