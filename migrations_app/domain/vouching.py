"""What one deployment tells another about who asks: their account, and the one thing they may do there."""

from __future__ import annotations

from migrations_app.domain.access import ROLES, Actor, ActorKind, Grant, Target, require
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message


def vouch(actor: Actor, action: str, target: Target) -> JsonObject:
    """Write down who asks for this and in which role, for a deployment that takes our word for it.

    Raises: Denied when the actor may not do it there.
    """
    granted = require(actor, action, target).grants
    role = granted[0].role if granted else ""
    return {"account": actor.name, "kind": actor.kind.value, "role": role, "action": action}


def vouched(said: JsonObject, target: Target, address: str = "") -> Actor:
    """Read who a trusted deployment says is asking: an account that may do this one thing to this target.

    Raises: Denied (`service-token`) when it names no account.
    """
    account, kind, role, action = (str(said.get(each, "")) for each in ("account", "kind", "role", "action"))
    if not account or not role or kind not in set(ActorKind) - {ActorKind.SYSTEM}:
        raise Denied(message("The service token does not say who asks."), code="service-token")
    # A role that was made elsewhere is not known here: it carries the one thing that was vouched for.
    own = None if role in ROLES else (action,)
    grant = Grant(role, target.service or "*", target.region or "*", permissions=own)
    return Actor(ActorKind(kind), account, (grant,), (action,), address=address)
