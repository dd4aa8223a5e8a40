"""The handlers of custom methods that this process can call, and the calling of them within a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from migrations_app.domain.methods.registration import Handler
from migrations_app.domain.schema.ir import Method

T = TypeVar("T")


class Handlers(Protocol):
    """Finds handlers, in this process or behind an address of the service."""

    def find(self, service: str, region: str, version: str, method: Method) -> Handler | None:
        """Find the handler of a method of a version; None when nothing is installed for it."""
        ...


class Timed(Protocol):
    """Calls code of services with a limit of time."""

    def call(self, what: str, function: Callable[[], T], seconds: float, end: Callable[[], None]) -> T:
        """Call and give the answer; `end` is called once when the time is over, before the caller is told.

        Raises: Busy (`deadline-exceeded`, `handlers-hanging`) · InvariantBroken (`handler-failed`) for an error that is not
        the handler's own refusal.
        """
        ...

    def release(self) -> None:
        """Free what a call left open in the thread that made it."""
        ...
