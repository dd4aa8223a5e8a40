"""Who makes the request that this thread or task carries out, for what is written down beside its effects.

It changes nothing of what is done; only logs read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestOrigin:
    """The id of a request and the account that makes it; both empty when no request is carried out."""

    request_id: str = ""
    caller: str = ""


NO_REQUEST = RequestOrigin()
_current: ContextVar[RequestOrigin] = ContextVar("request_origin", default=NO_REQUEST)


def current_origin() -> RequestOrigin:
    """Give the origin of the request that is carried out here."""
    return _current.get()


@contextmanager
def carrying_out(origin: RequestOrigin) -> Iterator[None]:
    """Set the origin for the time of the block."""
    token = _current.set(origin)
    try:
        yield
    finally:
        _current.reset(token)
