"""Writes handed on to the region that owns what they touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from migrations_app.domain.access import Actor, Target
from migrations_app.domain.vouching import vouch
from migrations_app.engine.serving.routing import HOLD_SECONDS
from migrations_app.engine.serving.writes.coordination import OwnedElsewhere
from migrations_app.kernel.errors import Busy, PeerUnavailable
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.peer_requests import PeerRequest, PeerTransport
from migrations_app.ports.regions.peers import Peer
from migrations_app.resource_api.addresses import PREFIX
from migrations_app.resource_api.exchange import ResourceRequest, Response

REGION_HEADER = "Switchyard-Region"
_TAKEN_ALONG = ("content-type", "if-match", "user-agent", "x-request-id", "x-server-timeout")
_BROUGHT_BACK = ("etag", "warning", "switchyard-served", "switchyard-handler", "retry-after", "content-type")


@dataclass(frozen=True, slots=True)
class Forwarding:
    """Hands writes on: to the servers of this process, or over HTTP in the name of the caller.

    Units: `patience_seconds` is what any answer may take; the owner may hold a write for longer than that while
    its version changes.
    """

    is_here: Callable[[str], bool]
    peers: PeerTransport
    patience_seconds: float

    def forward(
        self,
        request: ResourceRequest,
        actor: Actor,
        here: Peer,
        owned: OwnedElsewhere,
        locally: Callable[[ResourceRequest], Response],
        action: str = "resource.write",
    ) -> Response:
        """Hand a request on to the owner; `locally` answers it when the owner is served by this process.

        `action` is the permission that the owner is told the actor has.

        Once: a request that did not reach the owner was not carried out; one that did is carried out once,
        also when its answer is lost.
        Raises: Denied · Busy (`peer-unavailable`: nothing was written; `peer-silent`: it may have been).
        """
        moved = replace(request, path=_path_in(request.path, owned.region))
        if self.is_here(owned.region):
            answered = locally(moved)
        else:
            target = Target("deployment", service=here.service, region=owned.region)
            answered = self._sent(moved, vouch(actor, action, target), here, owned)
        return replace(answered, headers={**answered.headers, REGION_HEADER: owned.region})

    def _sent(
        self, request: ResourceRequest, on_behalf: JsonObject, here: Peer, owned: OwnedElsewhere
    ) -> Response:
        headers = {key: value for key, value in request.headers.items() if key in _TAKEN_ALONG}
        patience = self.patience_seconds + HOLD_SECONDS
        forwarded = PeerRequest(
            request.method, request.path, request.query, request.body, headers, on_behalf, patience
        )
        try:
            response = self.peers.send(here, Peer(here.service, owned.region), forwarded)
            document = response.json()
        except Busy as error:
            raise _away(error, owned) from error
        brought = {_titled(key): value for key, value in response.headers.items() if key in _BROUGHT_BACK}
        return Response(response.status, document, brought)


def _path_in(path: str, region: str) -> str:
    return f"{PREFIX}{region}/{path.removeprefix(PREFIX).partition('/')[2]}"


def _titled(key: str) -> str:
    return "ETag" if key == "etag" else key.title()


def _away(error: Busy, owned: OwnedElsewhere) -> Busy:
    if error.nouns.get("reached", True):
        return Busy(
            owned.words
            + message("It got the request and did not answer in time, so that it may have been carried out."),
            code="peer-silent",
            remedy=message("Read it in {region} before you try again.", region=owned.region),
            retry_after_seconds=5.0,
            region=owned.region,
        )
    return PeerUnavailable(
        owned.words + error.words + message("Nothing was written."),
        remedy=message("Try again once that region answers."),
        retry_after_seconds=5.0,
        region=owned.region,
    )
