"""Peers elsewhere: asked over HTTP, with a service token, at the addresses that settings name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock

from migrations_app.adapters.egress.destinations import named_destinations
from migrations_app.adapters.egress.errors import AnswerTooLarge, EgressError
from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.sockets import Deadline
from migrations_app.adapters.service_tokens import ServiceTokens
from migrations_app.kernel import json
from migrations_app.kernel.errors import (
    Broken,
    Busy,
    Conflict,
    Denied,
    Invalid,
    Missing,
    Refused,
    Stale,
    SwitchyardError,
    Violation,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.peers import Answered, Peer, Question, in_turn

CONNECT_SECONDS, ANSWER_SECONDS = 2.0, 5.0
AT_ONCE = 8
MOST_BYTES = 16 * 1024 * 1024
MIXIN_VERSION = "mixin"
COLLECTION = "resourceShadows"

_BY_STATUS: Mapping[int, type[SwitchyardError]] = {
    400: Invalid,
    401: Denied,
    403: Denied,
    404: Missing,
    409: Conflict,
    412: Stale,
    503: Busy,
}


@dataclass(frozen=True, slots=True)
class Errand:
    """One request to another deployment; `on_behalf` names the account that asked for it.

    Units: `patience_seconds` is how long the answer may take, the sender's usual when left out.
    """

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    on_behalf: JsonObject = field(default_factory=dict)
    patience_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    def told(self) -> JsonObject:
        """Read the answer, be it a document or a problem.

        Raises: Busy (`peer-away`) for an answer that is none of ours.
        """
        try:
            found = json.decode(self.body) if self.body else {}
        except SwitchyardError:
            found = None
        redirected = 300 <= self.status < 400
        if not isinstance(found, dict) or redirected or (self.status >= 400 and "code" not in found):
            raise Busy(f"A peer answered {self.status} without sense.", code="peer-away")
        return found

    def document(self) -> JsonObject:
        """Read the answer, raising the error it is.

        Raises: what the other one refused · Busy (`peer-away`) for an answer that is none of ours.
        """
        found = self.told()
        if self.status >= 400:
            raise error_of(self.status, found)
        return found


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
            sender, target, Errand("POST", path, body=json.encode(body), headers=headers)
        ).document()

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        """Ask several deployments at the same time."""
        if len(questions) < 2:
            return in_turn(self, sender, questions)
        with ThreadPoolExecutor(max_workers=min(len(questions), AT_ONCE)) as pool:
            return [found for (found,) in pool.map(lambda each: in_turn(self, sender, [each]), questions)]

    def send(self, sender: Peer, target: Peer, errand: Errand) -> Reply:
        """Send a request and give the answer, whatever its status.

        Raises: Busy (`peer-away`) when no answer comes in time; its noun `reached` tells whether the other
        one may have got the request.
        """
        address = self._address_of(target.region)
        if not address:
            raise Busy(
                f"No address is known for region {target.region}.",
                code="peer-away",
                remedy="Add it to SWITCHYARD_PEER_URLS.",
                region=target.region,
                reached=False,
            )
        url = address.rstrip("/") + errand.path + (f"?{errand.query}" if errand.query else "")
        token = self._tokens.sign(sender, target, errand.method, errand.path, errand.on_behalf)
        headers = {**errand.headers, "authorization": f"Bearer {token}"}
        seconds = self._seconds if errand.patience_seconds is None else errand.patience_seconds
        try:
            answer = self._client(address).request(
                errand.method,
                url,
                headers=headers,
                body=errand.body,
                deadline=Deadline(seconds),
                most_bytes=MOST_BYTES,
            )
        except EgressError as error:
            raise _away(target.region, error) from error
        return Reply(answer.status, answer.body, answer.headers)

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
    what = "answers more than is taken" if isinstance(error, AnswerTooLarge) else "does not answer"
    return Busy(
        f"Region {region} {what}.",
        code="peer-away",
        remedy="Nothing was deleted; try again once it answers.",
        region=region,
        reached=error.reached,
    )


def error_of(status: int, problem: JsonObject) -> SwitchyardError:
    """Make the error again that a peer's problem document tells of."""
    kind = _BY_STATUS.get(status, Broken if status >= 500 else Refused)
    code, remedy = str(problem.get("code", "")), str(problem.get("remedy", ""))
    message = str(problem.get("detail", "")).removesuffix(remedy).rstrip() or f"A peer answered {status}."
    found = kind(message, code=code, remedy=remedy, violations=tuple(_violations(problem.get("errors"))))
    if isinstance(found, Busy) and isinstance(problem.get("retry_after"), int | float):
        found.retry_after_seconds = float(str(problem["retry_after"]))
    return found


def _violations(given: Json) -> list[Violation]:
    found = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    return [
        Violation(*(str(each.get(key, "")) for key in ("path", "message", "remedy", "code")))
        for each in found
    ]
