"""What a service hook sees: the write or the documents it is called with, and the resources of its deployment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from migrations_app.kernel.json import JsonObject


class ReadableResources(Protocol):
    """The resources of a deployment as one version shows them, to be read."""

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource.

        Raises: Missing (`not-found`).
        """
        ...

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent.

        Raises: InvariantBroken (`hook-limit`) beyond the number that one write or response may read.
        """
        ...


class WritableResources(ReadableResources, Protocol):
    """The resources of a deployment within the transaction of a write, in one version.

    What is written passes the checks of clients' writes and is committed with the write, or not at all. No hooks run
    for it.
    """

    def create(self, resource_type: str, name: str, document: JsonObject) -> None:
        """Create a resource, fields that only the service sets included."""
        ...

    def update(self, resource_type: str, name: str, changes: JsonObject) -> None:
        """Set fields of a resource; a field whose value is None goes."""
        ...

    def delete(self, resource_type: str, name: str) -> None:
        """Delete a resource."""
        ...


class WriteCall(Protocol):
    """One write that a hook is called with, in the version of the hook."""

    @property
    def verb(self) -> str:
        """What is done: create, update or delete."""
        ...

    @property
    def type(self) -> str:
        """The type of the resource."""
        ...

    @property
    def name(self) -> str:
        """The name of the resource."""
        ...

    @property
    def document(self) -> JsonObject | None:
        """The resource as it is to be written, checked; None for a deletion."""
        ...

    @property
    def before(self) -> JsonObject | None:
        """The resource as it is stored; None for a creation."""
        ...

    @property
    def version(self) -> str:
        """The version of the hook."""
        ...

    @property
    def active_version(self) -> str:
        """The version that is active."""
        ...

    @property
    def region(self) -> str:
        """The region that writes."""
        ...

    @property
    def caller(self) -> str:
        """The account that writes; empty when none does."""
        ...

    @property
    def resources(self) -> WritableResources:
        """The resources in the version of the hook."""
        ...

    @property
    def active(self) -> WritableResources:
        """The resources in the version that is active: what one write of an old version becomes several of."""
        ...

    def remaining_seconds(self) -> float:
        """Tell how long the hook still has."""
        ...


class ResponseCall(Protocol):
    """Documents on their way to a caller, in the version of the hook; nothing is written here."""

    @property
    def type(self) -> str:
        """The type of the resources."""
        ...

    @property
    def documents(self) -> tuple[JsonObject, ...]:
        """The resources as the caller would see them."""
        ...

    @property
    def version(self) -> str:
        """The version of the hook."""
        ...

    @property
    def region(self) -> str:
        """The region that answers."""
        ...

    @property
    def caller(self) -> str:
        """The account that asks."""
        ...

    @property
    def active_version(self) -> str:
        """The version that is active."""
        ...

    @property
    def resources(self) -> ReadableResources:
        """The resources in the version of the hook, read outside any transaction."""
        ...

    @property
    def active(self) -> ReadableResources:
        """The resources in the version that is active: of several of them one of an old version may be shown."""
        ...

    def remaining_seconds(self) -> float:
        """Tell how long the hook still has."""
        ...
