"""What every REST view needs of the control plane: authentication, answers kept for repeats, notes in the ledger.

The control plane stands above this package and connects its functions when the application starts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rest_framework.authentication import BaseAuthentication

from migrations_app.domain.access import Actor, Target
from migrations_app.domain.operations import AnswerClaim, StoredAnswer
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.json import Json


class ClaimAnswer(Protocol):
    """Claims an Idempotency-Key, and finds the answer that was given under it."""

    def __call__(
        self, account: str, key: str, request_digest: str
    ) -> tuple[AnswerClaim, StoredAnswer | None]: ...


class KeepAnswer(Protocol):
    """Keeps an answer for a repetition of the request."""

    def __call__(self, claim: AnswerClaim, status: int, headers: Mapping[str, str], body: Json) -> None: ...


class NoteRefusal(Protocol):
    """Notes in the ledger that an action was denied."""

    def __call__(self, actor: Actor, refused: Denied, target: Target, *, method: str) -> None: ...


class NoteRehearsal(Protocol):
    """Notes in the ledger that an action was rehearsed."""

    def __call__(self, actor: Actor, action: str, target: Target) -> None: ...


@dataclass(frozen=True, slots=True)
class EndpointPorts:
    """What a view calls without knowing who does it."""

    authenticators: Sequence[type[BaseAuthentication]]
    claim_answer: ClaimAnswer
    keep_answer: KeepAnswer
    note_refusal: NoteRefusal
    note_rehearsal: NoteRehearsal


_connected: list[EndpointPorts] = []


def connect_endpoint_ports(ports: EndpointPorts) -> None:
    """Connect what every view calls; the application does it once, when it starts."""
    _connected[:] = [ports]


def endpoint_ports() -> EndpointPorts:
    """Give what every view calls."""
    (ports,) = _connected
    return ports
