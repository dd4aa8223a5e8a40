"""What many rows of one page or one decision stand on (policies, windows, definitions) read once for the whole of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_READ: ContextVar[dict[Hashable, Any] | None] = ContextVar("one_reading", default=None)


@contextmanager
def one_reading(*, afresh: bool = False) -> Iterator[None]:
    """Ask only once, within, for each thing that a function marked `read_once` reads; nothing is kept afterwards.

    A decision begins its own `afresh` once it holds its lock: what was read before, for a page or by an earlier
    transaction, does not count for it. It writes nothing of what is read once, and begins another after it wrote what
    others may have been writing too.

    Source: ADR 0030.
    """
    if _READ.get() is not None and not afresh:
        yield
        return
    token = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(token)


def read_once(read: Callable[P, T]) -> Callable[P, T]:
    """Mark what is read by its arguments alone; outside of `one_reading` it reads each time."""

    @wraps(read)
    def _reading(*args: P.args, **kwargs: P.kwargs) -> T:
        known = _READ.get()
        if known is None:
            return read(*args, **kwargs)
        key = (read, args, tuple(sorted(kwargs.items())))
        if key not in known:
            known[key] = read(*args, **kwargs)
        found: T = known[key]
        return found

    return _reading
