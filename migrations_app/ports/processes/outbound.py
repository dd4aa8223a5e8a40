"""Outbound HTTP: requests to receivers, peers, registries and handlers, bounded in time and size."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

MOST_BYTES = 16 * 1024 * 1024
"""So large an answer is read where a caller names no other size."""


class EgressError(Exception):
    """An outbound call gave no answer; `reached` tells whether the other side may have got it."""

    reached = False


class AddressRefused(EgressError):
    """The address is in a network that may not be connected to, or it is no address."""

    def __init__(self) -> None:
        super().__init__("The address is not in a network that Switchyard may call.")


class NotAnAddress(AddressRefused):
    """It is no address of HTTP: control characters, a name with a password, another scheme."""


class AnswerMissing(EgressError):
    """No whole answer came within the deadline, for whatever reason."""

    def __init__(self, *, reached: bool) -> None:
        super().__init__("The receiver did not answer.")
        self.reached = reached


class AnswerTooLarge(EgressError):
    """The answer is larger than was asked for, or compressed, so that its size is not known."""

    reached = True

    def __init__(self) -> None:
        super().__init__("The answer is too large.")


class Deadline(float):
    """Seconds for a whole call, counted from when it was made; `silence_seconds` bounds each single wait.

    It is a float because HTTP libraries hand it on as the timeout of each step.
    """

    def __new__(cls, seconds: float, silence_seconds: float | None = None) -> Deadline:
        """Begin to count."""
        made = super().__new__(cls, seconds)
        made._end = time.monotonic() + seconds
        made._silence = silence_seconds
        return made

    _end: float
    _silence: float | None

    def wait_seconds(self) -> float:
        """Tell how long the next step may wait.

        Raises: TimeoutError when the time is over.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the deadline is over")
        return left if self._silence is None else min(left, self._silence)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A whole answer; the names of headers are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class HttpStream(Protocol):
    """An answer whose body is read as it comes."""

    status: int
    headers: Mapping[str, str]

    def read(self, most_bytes: int) -> bytes:
        """Read the whole body.

        Raises: AnswerTooLarge, AnswerMissing.
        """
        ...

    def lines(self) -> Iterator[bytes]:
        """Read line by line.

        Raises: AnswerTooLarge for an endless line, AnswerMissing.
        """
        ...

    def objects(self) -> Iterator[bytes]:
        """Read JSON objects as they come, one a line or the elements of an array; nothing for a part in which none ends.

        Raises: AnswerTooLarge for an endless object, AnswerMissing also where the stream ends within one.
        """
        ...


class OutboundHttp(Protocol):
    """Sends requests to the addresses that it admits; it follows no redirect and knows no proxy."""

    def request(
        self,
        method: str,
        url: str,
        *,
        deadline: Deadline,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        most_bytes: int = MOST_BYTES,
    ) -> HttpResponse:
        """Send a request and read the whole answer.

        Raises: AddressRefused, AnswerMissing, AnswerTooLarge.
        """
        ...

    def stream(
        self,
        method: str,
        url: str,
        *,
        deadline: Deadline,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> AbstractContextManager[HttpStream]:
        """Send a request and give the answer once its headers are there; it is closed after the block.

        Raises: AddressRefused, AnswerMissing.
        """
        ...

    def close(self) -> None:
        """Close all connections; what is being read ends."""
        ...
