"""What a handler sees of the call it answers: the request, who calls, and the resources of its deployment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from migrations_app.kernel.json import JsonObject


class Resources(Protocol):
    """The resources of a deployment within one transaction, in the version of the handler.

    What is written is committed when the change ends, all of it or nothing, through the same checks as the writes
    of clients; a resource that was read here and changed since makes the change run again.
    """

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource; what this transaction wrote is seen.

        Raises: Missing (`not-found`).
        """
        ...

    def create(self, resource_type: str, name: str, document: JsonObject) -> None:
        """Create a resource, fields that only the service sets included."""
        ...

    def update(self, resource_type: str, name: str, changes: JsonObject) -> None:
        """Set fields of a resource; a field whose value is None goes."""
        ...

    def delete(self, resource_type: str, name: str) -> None:
        """Delete a resource; none is missed."""
        ...


class Reads(Protocol):
    """Reads of a deployment in one of its versions, outside of any transaction."""

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource.

        Raises: Missing (`not-found`).
        """
        ...

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent, page by page."""
        ...


class PeerResources(Reads, Protocol):
    """Resources of another service, in one of its versions, with the permissions of the caller of the method.

    Each write is committed by itself, before the method answers and whatever becomes of it, through the checks of
    the writes of clients; where another region owns the resource, it is made there.
    """

    def create(self, resource_type: str, name: str, document: JsonObject) -> JsonObject:
        """Create a resource; gives it as it is stored.

        Raises: Denied · what the write refuses · Busy (`deadline-exceeded`, `peer-unavailable`) · DryRunRefused.
        """
        ...

    def update(self, resource_type: str, name: str, changes: JsonObject) -> JsonObject:
        """Set fields of a resource, a field whose value is None goes; gives it as it is stored.

        Raises: as `create`.
        """
        ...

    def delete(self, resource_type: str, name: str) -> None:
        """Delete a resource; none is missed.

        Raises: as `create`.
        """
        ...


class Call(Protocol):
    """One call of a custom method, in the version of its handler.

    `name` is the resource that it acts on, or the parent of a collection; `request` its whole message.
    """

    @property
    def name(self) -> str:
        """The name in the address of the call."""
        ...

    @property
    def request(self) -> JsonObject:
        """The message."""
        ...

    @property
    def name_key(self) -> str:
        """The key of the request that holds `name`; empty when none does."""
        ...

    @property
    def collection(self) -> str:
        """The collection of the resources that the method acts on, such as `queues`."""
        ...

    @property
    def version(self) -> str:
        """The version of the handler."""
        ...

    @property
    def region(self) -> str:
        """The region that answers."""
        ...

    @property
    def caller(self) -> str:
        """The account that calls."""
        ...

    @property
    def request_id(self) -> str:
        """The id that the caller gave the request; empty without one."""
        ...

    def remaining_seconds(self) -> float:
        """Tell how long the caller still waits."""
        ...

    def allows(self, permission: str) -> bool:
        """Tell whether the caller holds a permission here."""
        ...

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource outside a transaction.

        Raises: Missing (`not-found`).
        """
        ...

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent, page by page."""
        ...

    def peer(self, service: str, version: str) -> PeerResources:
        """Work with resources of another service that is served beside this one, in a version of it, as the caller may.

        Raises: Denied (`denied`) · Missing (`deployment-missing`, `version`) where it is read.
        """
        ...

    def transaction(self, change: Callable[[Resources], object]) -> tuple[JsonObject, ...]:
        """Run a change and commit what it wrote; gives the resources as they are stored, in the order of the writes.

        `change` may run several times, so that it must do nothing but read and write its resources.

        Raises: what the writes refuse · Busy (`method-contended`, `deadline-exceeded`).
        """
        ...

    def update(self, resource_type: str, name: str, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
        """Change one resource: `change` gets it and gives the fields to set; gives it as it is stored.

        Raises: Missing (`not-found`) · what the write refuses.
        """
        ...
