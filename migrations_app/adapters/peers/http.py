"""Deployments of other processes: asked over HTTP, with a service token, at the addresses that settings name."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.sockets import named_destinations
from migrations_app.adapters.service_tokens import ServiceTokens
from migrations_app.kernel import json
from migrations_app.kernel.errors import Busy, PeerUnavailable
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.tracing import SpanKind, tracer
from migrations_app.ports.processes.outbound import AnswerTooLarge, Deadline, EgressError
from migrations_app.ports.regions.peer_requests import PeerRequest, PeerResponse
from migrations_app.ports.regions.peers import Answered, Peer, Question, in_turn

CONNECT_SECONDS, ANSWER_SECONDS = 2.0, 5.0
AT_ONCE = 8
MOST_BYTES = 16 * 1024 * 1024
MIXIN_VERSION = "mixin"
COLLECTION = "resourceShadows"


class HttpPeers:
    """Asks deployments of other regions; `address_of` tells a region's address, or nothing when none is set."""

    def __init__(
        self,
        tokens: ServiceTokens,
        address_of: Callable[[str], str | None],
        *,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._tokens, self._address_of = tokens, address_of
        self._seconds = answer_seconds
        self._clients: dict[tuple[int, str], EgressClient] = {}
        self._lock = Lock()

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out an action of the schema mixin at another deployment."""
        path = f"/apis/{target.region}/{target.service}/{MIXIN_VERSION}/{COLLECTION}:{action}"
        headers = {"content-type": "application/json"}
        return self.send(
            sender, target, PeerRequest("POST", path, body=json.encode(body), headers=headers)
        ).document()

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        """Ask several deployments at the same time."""
        if len(questions) < 2:
            return in_turn(self, sender, questions)
        with ThreadPoolExecutor(max_workers=min(len(questions), AT_ONCE)) as pool:
            return [found for (found,) in pool.map(lambda each: in_turn(self, sender, [each]), questions)]

    def send(self, sender: Peer, target: Peer, request: PeerRequest) -> PeerResponse:
        """Send a request and give the answer, whatever its status.

        Raises: Busy (`peer-unavailable`), as `ports.peer_requests.PeerTransport` says.
        """
        address = self._address_of(target.region)
        if not address:
            raise PeerUnavailable(
                message("No address is known for region {region}.", region=target.region),
                remedy=message("Add it to SWITCHYARD_PEER_URLS."),
                region=target.region,
                reached=False,
            )
        url = address.rstrip("/") + request.path + (f"?{request.query}" if request.query else "")
        token = self._tokens.sign(sender, target, request.method, request.path, request.on_behalf)
        headers = {**request.headers, "authorization": f"Bearer {token}"}
        seconds = self._seconds if request.patience_seconds is None else request.patience_seconds
        attributes = {"http.request.method": request.method, "switchyard.region": target.region}
        with tracer().span(f"{request.method} peer", attributes, kind=SpanKind.CLIENT) as span:
            try:
                answer = self._client(address).request(
                    request.method,
                    url,
                    headers={**headers, **tracer().headers()},
                    body=request.body,
                    deadline=Deadline(seconds),
                    most_bytes=MOST_BYTES,
                )
            except EgressError as error:
                raise _away(target.region, error) from error
            span.set("http.response.status_code", answer.status)
        return PeerResponse(answer.status, answer.body, answer.headers)

    def close(self) -> None:
        """Close the connections of this process."""
        with self._lock:
            for client in self._clients.values():
                client.close()
            self._clients.clear()

    def _client(self, address: str) -> EgressClient:
        # A forked child must not share its parent's sockets. A region may be reached at the address set for it alone.
        key = (os.getpid(), address)
        with self._lock:
            client = self._clients.get(key)
            if client is None:
                client = self._clients[key] = EgressClient(
                    named_destinations([address]), keep=True, connect_seconds=CONNECT_SECONDS
                )
            return client


def _away(region: str, error: EgressError) -> Busy:
    if isinstance(error, AnswerTooLarge):
        words = message("Region {region} answers more than is taken.", region=region)
    else:
        words = message("Region {region} does not answer.", region=region)
    return PeerUnavailable(
        words,
        remedy=message("Nothing was deleted; try again once it answers."),
        region=region,
        reached=error.reached,
    )
