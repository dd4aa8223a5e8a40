"""Begin an upgrade as the Meta API asks for it: of data kept here or by another system, or of a mirror."""

from __future__ import annotations

from migrations_app.control.registry.commands.forward_change import is_mirror
from migrations_app.control.registry.repository.saving import is_hosted
from migrations_app.control.upgrades.commands.begin_upgrade import begin_upgrade
from migrations_app.control.upgrades.commands.hand_over_upgrade import begin_there
from migrations_app.control.upgrades.commands.open_upgrade import open_upgrade
from migrations_app.domain.access import Actor


def begin_registered(actor: Actor, deployment: str, target: str = "", ring: int = 0) -> None:
    """Begin an upgrade; what is left out comes from the deployment's available upgrade.

    Raises: Missing, Denied, Invalid, Conflict as `begin_upgrade`, `open_upgrade` and `begin_there` say.
    """
    if is_mirror():
        begin_there(actor, deployment, target, ring)
    elif is_hosted(deployment):
        begin_upgrade(actor, deployment, target, ring)
    else:
        open_upgrade(actor, deployment, target, ring)
