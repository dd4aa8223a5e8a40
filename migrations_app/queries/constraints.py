"""What deployments have under way with each other, as operators see it; what does not answer is unknown."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice

from migrations_app import wiring
from migrations_app.domain.access import Actor, Target, require
from migrations_app.engine.constraints.auditing import Auditing
from migrations_app.engine.constraints.messages import Described, read
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.models import registry as rows
from migrations_app.ports.peers import Peer

MOST_FINDINGS = 200


def constraints(actor: Actor) -> list[JsonObject]:
    """Tell of every deployment what is owed, blocked and being deleted.

    Raises: Denied.
    """
    require(actor, "resource.read")
    known = rows.Deployment.objects.exclude(current_version="").filter(is_disabled=False)
    every = [Peer(*each) for each in known.order_by("name").values_list("service_id", "region_id")]
    return [_described(each) for each in every]


def constraints_of(actor: Actor, service: str, region: str) -> JsonObject:
    """Tell of one deployment also which resources are being deleted, and who may refer to them.

    Raises: Denied, Missing (`deployment-missing`).
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    return _described(Peer(service, region))


def audit_references(actor: Actor, service: str, region: str) -> JsonObject:
    """Compare what one deployment refers to with what is there, wherever that is.

    Raises: Denied, Missing (`deployment-missing`).
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    auditing = Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts)
    found = list(islice(auditing.audit(Peer(service, region)), MOST_FINDINGS + 1))
    return {"findings": [asdict(each) for each in found[:MOST_FINDINGS]], "more": len(found) > MOST_FINDINGS}


def _described(peer: Peer) -> JsonObject:
    told: JsonObject = {"deployment": peer.deployment, "service": peer.service, "region": peer.region}
    try:
        # In its own name: a deployment may always look at itself.
        found = read(wiring.peers().call(peer, peer, "describeConstraints", {}), Described)
    except SwitchyardError as error:
        return {**told, "state": "unknown", "reason": error.message, "tally": None, "moving": []}
    moving: list[JsonObject] = [
        {
            "type": each.type,
            "name": each.name,
            "state": each.state,
            "age_seconds": each.age_seconds,
            "sources": list(each.sources),
            "root": each.root,
        }
        for each in found.moving
    ]
    return {**told, "state": "known", "reason": "", "tally": dict(found.tally), "moving": [*moving]}
