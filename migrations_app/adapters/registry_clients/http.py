"""A registry over its Meta API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.sockets import named_destinations
from migrations_app.engine.registry.meta_client import MetaClient, unavailable
from migrations_app.ports.processes.outbound import Deadline, EgressError

# Longer than the stream's heartbeat, so that a silent connection is known to be dead.
SILENCE_SECONDS = 25.0
ENDLESS_SECONDS = 10 * 366 * 86_400.0
MOST_BYTES = 64 * 1024 * 1024
ROOT = "/meta/v1"
SignCall: TypeAlias = Callable[[str, str], str]
"""Writes the token for one call from its HTTP method and path, without the query."""


class EgressTransport:
    """`ports.registry_transport.RegistryTransport` over outbound HTTP."""

    def __init__(self, url: str, token: str | SignCall, timeout_seconds: float) -> None:
        self._url, self._seconds = url.rstrip("/"), max(SILENCE_SECONDS, timeout_seconds)
        self._token = token
        self._http = EgressClient(named_destinations([url]), keep=True)

    def send(self, method: str, path: str, body: bytes, *, if_match: str = "") -> tuple[int, bytes]:
        headers = self._headers(method, path) | ({"if-match": if_match} if if_match else {})
        try:
            answer = self._http.request(
                method,
                f"{self._url}{ROOT}/{path}",
                headers=headers,
                body=body,
                deadline=Deadline(self._seconds),
                most_bytes=MOST_BYTES,
            )
        except (EgressError, ValueError) as error:
            raise unavailable(error) from error
        return answer.status, answer.body

    @contextmanager
    def stream(self, path: str, body: bytes) -> Iterator[tuple[int, Iterator[bytes]]]:
        # A watch has no end; only its silence is bounded.
        deadline = Deadline(ENDLESS_SECONDS, silence_seconds=self._seconds)
        url = f"{self._url}{ROOT}/{path}"
        try:
            with self._http.stream(
                "POST", url, headers=self._headers("POST", path), body=body, deadline=deadline
            ) as answer:
                # Some registries answer a watch with an array without an end, others with an object a line.
                yield answer.status, answer.objects() if answer.status < 400 else answer.lines()
        except (EgressError, ValueError) as error:
            raise unavailable(error) from error

    def close(self) -> None:
        self._http.close()

    def _headers(self, method: str, path: str) -> dict[str, str]:
        said = authorization(self._token, method, path)
        return {"authorization": said, "content-type": "application/json"}


class HttpRegistry(MetaClient):
    """`ports.registry.RegistryClient` over HTTP."""

    def __init__(self, url: str, token: str | SignCall, *, timeout_seconds: float = 10.0) -> None:
        super().__init__(EgressTransport(url, token, timeout_seconds))


def authorization(token: str | SignCall, method: str, path: str) -> str:
    """Write the header for one call of an address below `/meta/v1/`, whose query is not part of what is signed."""
    secret = token if isinstance(token, str) else token(method, f"{ROOT}/{path.partition('?')[0]}")
    return f"Bearer {secret}"
