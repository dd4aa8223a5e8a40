"""Note which upgrade a deployment's code could make now."""

from __future__ import annotations

from migrations_app.control.registry.commands.change_deployment import change_deployment
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.saving import is_hosted
from migrations_app.control.registry.repository.upgrade_contexts import context_of
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.names import RegistryKind, service_name
from migrations_app.domain.registry.upgrade import check_offer, set_available_upgrade
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment, Service


def offer_upgrade(actor: Actor, name: str, offer: AvailableUpgrade) -> Deployment:
    """Note an upgrade that is available; what already runs clears the note.

    Raises: Denied, Missing (`not-found`), Invalid (`shard-range`, `upgrade-target-unknown`), Conflict
    (`upgrade-ring-differs`).
    """

    def decide(before: Deployment) -> Deployment:
        service = registry.get(RegistryKind.SERVICE, service_name(before.service_id))
        assert isinstance(service, Service)
        data_ring = context_of(name).ring if is_hosted(name) else 0
        check_offer(before, service, offer, data_ring)
        return set_available_upgrade(before, offer, data_ring)

    return change_deployment(actor, name, "registry.offer", decide)
