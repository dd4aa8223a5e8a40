"""Let one pure decision about a deployment take effect: the shape that offers, reports and data tasks share."""

from __future__ import annotations

from collections.abc import Callable

from migrations_app.control.registry.commands.save_registered import save
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment, Registered
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.messages import message


def change_deployment(
    actor: Actor, name: str, action: str, decide: Callable[[Deployment], Deployment]
) -> Deployment:
    """Decide on the present deployment under the registry's lock, and save what came out.

    Raises: Denied, Missing (`not-found`), and what the decision refuses.
    """

    def known(before: Registered | None) -> Registered:
        if not isinstance(before, Deployment):
            raise NotFound(message("There is no {name}.", name=name), name=name)
        return decide(before)

    value = save(actor, RegistryKind.DEPLOYMENT, name, known, action=action).value
    assert isinstance(value, Deployment)
    return value
