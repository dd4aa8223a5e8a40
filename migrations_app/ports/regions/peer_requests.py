"""Requests from one deployment to another as HTTP carries them, and the errors that come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from migrations_app.kernel import json
from migrations_app.kernel.errors import (
    Busy,
    Conflict,
    Denied,
    Invalid,
    InvariantBroken,
    Missing,
    PeerUnavailable,
    Refused,
    Stale,
    SwitchyardError,
    Violation,
    error_class,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.regions.peers import Peer

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
class PeerRequest:
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
class PeerResponse:
    """The answer of another deployment."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    def json(self) -> JsonObject:
        """Read the answer, be it a document or a problem.

        Raises: Busy (`peer-unavailable`) for an answer that is neither.
        """
        try:
            content = json.decode(self.body) if self.body else {}
        except SwitchyardError:
            content = None
        redirected = 300 <= self.status < 400
        if not isinstance(content, dict) or redirected or (self.status >= 400 and "code" not in content):
            raise PeerUnavailable(f"A peer answered {self.status} without sense.")
        return content

    def document(self) -> JsonObject:
        """Read the answer, raising the error that it is.

        Raises: what the other deployment refused · Busy (`peer-unavailable`) for an answer that is neither.
        """
        content = self.json()
        if self.status >= 400:
            raise error_of(self.status, content)
        return content


class PeerTransport(Protocol):
    """Sends requests to deployments of other processes."""

    def send(self, sender: Peer, target: Peer, request: PeerRequest) -> PeerResponse:
        """Send a request and give the answer, whatever its status.

        Raises: Busy (`peer-unavailable`) when no answer comes in time; its noun `reached` tells whether the other
        deployment may have received the request.
        """
        ...


def error_of(status: int, problem: JsonObject) -> SwitchyardError:
    """Make the error again that a peer's problem document describes."""
    kind = _BY_STATUS.get(status, InvariantBroken if status >= 500 else Refused)
    code, remedy = str(problem.get("code", "")), str(problem.get("remedy", ""))
    message = str(problem.get("detail", "")).removesuffix(remedy).rstrip() or f"A peer answered {status}."
    error = error_class(kind, code)(
        message, code=code, remedy=remedy, violations=tuple(_violations(problem.get("errors")))
    )
    if isinstance(error, Busy) and isinstance(problem.get("retry_after"), int | float):
        error.retry_after_seconds = float(str(problem["retry_after"]))
    return error


def _violations(errors: Json) -> list[Violation]:
    rows = [row for row in errors if isinstance(row, dict)] if isinstance(errors, list) else []
    return [
        Violation(
            str(row.get("path", "")),
            str(row.get("message", "")),
            str(row.get("remedy", "")),
            str(row.get("code", "")),
        )
        for row in rows
    ]
