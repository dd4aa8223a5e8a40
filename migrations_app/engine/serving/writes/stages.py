"""Where code of a service takes part in a write: before its conversion, after it, and before a deletion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from migrations_app.domain.conversion.typed import Typed
from migrations_app.engine.serving.presentation import ResourcePresenter
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import StoredResource, Transaction


class WriteStages(Protocol):
    """The stages of the writes of one transaction; what any of them raises refuses all of it."""

    def requested(
        self,
        presenter: ResourcePresenter,
        verb: str,
        name: str,
        view: JsonObject,
        before: StoredResource | None,
    ) -> JsonObject:
        """Give what is to be written in the caller's version in place of what was sent."""
        ...

    def converted(
        self, presenter: ResourcePresenter, verb: str, made: Typed, before: StoredResource | None
    ) -> Typed:
        """Give what is to be stored in place of what the conversion made."""
        ...

    def deleting(self, presenter: ResourcePresenter, name: str, before: StoredResource) -> None:
        """Take part in a deletion."""
        ...


class WriteCode(Protocol):
    """The code of services that takes part in writes."""

    def begin(
        self,
        route: ServingRoute,
        transaction: Transaction,
        requests: Sequence[WriteRequest],
        caller: str,
        write: Callable[[ServingRoute, WriteRequest], None],
    ) -> WriteStages | None:
        """Begin the stages of one transaction; None when no code takes part. `write` carries out one write more."""
        ...
