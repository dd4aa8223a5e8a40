"""What a program asks the registry over and over: policies, imports and deployments of services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.values import Deployment


class RegistryCache(Protocol):
    """The registry as last heard of: kept in memory, and read again where it changed.

    Answers are at most half a second older than the registry; asking costs no input or output otherwise.
    """

    def policy(self, service: str) -> MultiRegionPolicy:
        """Give a service's own policy across regions.

        Raises: Missing (`service-unknown`).
        """
        ...

    def imports(self, service: str) -> tuple[str, ...]:
        """List the ids of the services one imports, in order.

        Raises: Missing (`service-unknown`).
        """
        ...

    def relevant(self, service: str) -> tuple[str, ...]:
        """List the ids of the services one must know of: itself, those below it, those above it.

        Raises: Missing (`service-unknown`).
        """
        ...

    def deployments(self, service: str) -> Sequence[Deployment]:
        """List the deployments of a service in order of region; none for an unknown service."""
        ...
