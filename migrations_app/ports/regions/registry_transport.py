"""How requests of the Meta API reach a registry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol


class RegistryTransport(Protocol):
    """Sends requests to one registry, with its token.

    Shape: `path` is below `/meta/v1/`; bodies are JSON.
    """

    def send(self, method: str, path: str, body: bytes, *, if_match: str = "") -> tuple[int, bytes]:
        """Send a request, on a condition where there is one, and give status and body of the answer.

        Raises: Busy (`registry-unavailable`).
        """
        ...

    def stream(self, path: str, body: bytes) -> AbstractContextManager[tuple[int, Iterator[bytes]]]:
        """Post a request and give status and lines of the answer, as they come.

        Raises: Busy (`registry-unavailable`), also while lines are read.
        """
        ...

    def close(self) -> None:
        """Close the connections; what is being read ends."""
        ...
