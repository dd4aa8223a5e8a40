"""The endpoint of the schema mixin: custom actions of other deployments, who prove themselves by a service token."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.conf import settings

from migrations_app import wiring
from migrations_app.kernel.errors import Denied, DeploymentMissing, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.request_origin import RequestOrigin, carrying_out
from migrations_app.ports.regions.peers import Peer
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.exchange import ResourceRequest, Response

_ACTION = re.compile(r"/apis/([^/:]+)/([^/:]+)/mixin/resourceShadows:([A-Za-z]+)")


@dataclass(frozen=True, slots=True)
class PeerCall:
    """A call of a peer that has proved itself."""

    sender: Peer
    target: Peer
    action: str

    def answer(self, request: ResourceRequest) -> Response:
        """Carry out the action with the body of the request.

        Raises: what the action refuses.
        """
        body = read_body(request.body)
        if not isinstance(body, dict):
            raise Invalid(message("Send a JSON object."), code="mixin-body")
        origin = RequestOrigin(request.request_id, f"peer:{self.sender.deployment}")
        with carrying_out(origin):
            answered: JsonObject = wiring.mixin().answer(self.sender, self.target, self.action, body)
        return Response(200, answered)


def admit_peer(request: ResourceRequest) -> PeerCall | None:
    """Let a peer in by the headers of its request; None when the request is none of the mixin's.

    Raises: Denied (`service-token`) · Missing (`deployment-missing`).
    """
    found = _ACTION.fullmatch(request.path)
    if found is None:
        return None
    if request.method != "POST":
        raise Invalid(message("Actions are asked for by POST."), code="method-not-allowed")
    target = Peer(found[2], found[1])
    if not settings.SWITCHYARD.serves(target.region):
        raise DeploymentMissing(message("{deployment} is not served here.", deployment=target.deployment))
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Denied(message("Send a service token."), code="unauthenticated")
    caller = wiring.service_tokens().check(token.strip(), target, request.method, request.path)
    return PeerCall(caller.peer, target, found[3])
