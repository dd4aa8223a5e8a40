"""A registry at an address, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from migrations_app.engine.registry.meta_client import MetaClient, unavailable

# Longer than the heartbeat of a watch, so that a silent connection is known to be dead.
SILENCE_SECONDS = 25.0
CONNECT_SECONDS = 5.0


def connect(url: str, token: str) -> MetaClient:
    """Give the registry of a Switchyard, such as `https://switchyard.example.com`, with a token of an account."""
    return MetaClient(HttpTransport(url, token))


class HttpTransport:
    """Requests of the Meta API over HTTP."""

    def __init__(self, url: str, token: str) -> None:
        # Whole addresses: `services:watch` alone would be read as one of the scheme `services`.
        self._root = f"{url.rstrip('/')}/meta/v1"
        self._http = httpx.Client(
            headers={"authorization": f"Bearer {token}", "content-type": "application/json"},
            timeout=httpx.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,
        )

    def send(self, method: str, path: str, body: bytes, *, if_match: str = "") -> tuple[int, bytes]:
        """Send a request, on a condition where there is one, and give status and body of the answer.

        Raises: Busy (`registry-unavailable`).
        """
        try:
            headers = {"if-match": if_match} if if_match else {}
            answer = self._http.request(method, f"{self._root}/{path}", content=body, headers=headers)
        except httpx.HTTPError as error:
            raise unavailable(error) from error
        return answer.status_code, answer.content

    @contextmanager
    def stream(self, path: str, body: bytes) -> Iterator[tuple[int, Iterator[bytes]]]:
        """Post a request and give status and lines of the answer, as they come.

        Raises: Busy (`registry-unavailable`), also while lines are read.
        """
        try:
            with self._http.stream("POST", f"{self._root}/{path}", content=body) as answer:
                yield answer.status_code, (line.encode() for line in answer.iter_lines())
        except httpx.HTTPError as error:
            raise unavailable(error) from error

    def close(self) -> None:
        """Close the connections."""
        self._http.close()
