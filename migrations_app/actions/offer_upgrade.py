"""Note which upgrade a deployment's code could make now."""

from __future__ import annotations

from migrations_app.actions.change_deployment import change_deployment
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.upgrade import set_available_upgrade
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment


def offer_upgrade(actor: Actor, name: str, offer: AvailableUpgrade) -> Deployment:
    """Note an upgrade that is available; what already runs clears the note.

    Raises: Denied, Missing (`not-found`), Invalid (`shard-range`).
    """
    return change_deployment(
        actor, name, "registry.offer", lambda before: set_available_upgrade(before, offer)
    )
