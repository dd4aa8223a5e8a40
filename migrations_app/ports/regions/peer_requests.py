"""Requests from one deployment to another as HTTP carries them, and the errors that come back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
from migrations_app.kernel.messages import Phrase, WordedMessage, message, verbatim
from migrations_app.ports.regions.peers import Peer

_PLACE = re.compile(r"\{\w+\}")
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
            raise PeerUnavailable(
                message("A peer answered {status} with a body that is not understood.", status=self.status)
            )
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
    detail = str(problem.get("detail", "")).removesuffix(remedy).rstrip()
    error = error_class(kind, code)(
        _words(detail, problem.get("phrases")) or message("A peer answered {status}.", status=status),
        code=code,
        remedy=_words(remedy, problem.get("remedy_phrases")),
        violations=tuple(_violations(problem.get("errors"))),
    )
    if isinstance(error, Busy) and isinstance(problem.get("retry_after"), int | float):
        error.retry_after_seconds = float(str(problem["retry_after"]))
    return error


def _words(text: str, sent: Json) -> WordedMessage:
    """Take a text of a peer with the phrases it sent, where these say the same."""
    if not isinstance(sent, list):
        return verbatim(text)
    words = WordedMessage(tuple(_phrases(sent)))
    try:
        # Only plain places: a format of a value may ask for a text of any length.
        is_plain = not any({"{", "}"} & {*_PLACE.sub("", each.key)} for each in words.phrases)
        return words if is_plain and str(words) == text else verbatim(text)
    except (LookupError, ValueError):
        return verbatim(text)  # Its places and its values do not fit.


def _phrases(sent: list[Json]) -> Iterator[Phrase]:
    for row in sent:
        if isinstance(row, dict):
            values = row.get("values")
            kept = values.items() if isinstance(values, dict) else ()
            yield Phrase(
                str(row.get("key", "")),
                {name: value for name, value in kept if isinstance(value, str | int)},
            )


def _violations(errors: Json) -> list[Violation]:
    rows = [row for row in errors if isinstance(row, dict)] if isinstance(errors, list) else []
    return [
        Violation(
            str(row.get("path", "")),
            _words(str(row.get("message", "")), row.get("phrases")),
            _words(str(row.get("remedy", "")), row.get("remedy_phrases")),
            str(row.get("code", "")),
        )
        for row in rows
    ]
