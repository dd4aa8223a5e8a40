"""Which deployment serves a service in a region, from what definition, and where its data is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.key_strategies import NO_KEY_STRATEGIES, KeyStrategies
from migrations_app.domain.schema.types import UnknownKeys
from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class Served:
    """A deployment as its resource servers see it.

    `current_version` is what the registry says, a hint: the fence in the data database decides.
    `unknown` overrides what the schema says of unknown keys, and `strategies` what that says of single keys, by
    version and resource type. `unseen` names, likewise, the fields that answers
    left out, or will, in brown-outs: an update that lacks them leaves them as they are. `fillers` names, by version, the follower of the
    upgrade that a namespace was made for: while it is registered, that namespace is kept filled.
    """

    deployment: str
    service: str
    region: str
    current_version: str
    compiled: CompiledService
    namespaces: Mapping[str, Namespace]
    unknown: UnknownKeys | None = None
    fillers: Mapping[str, str] = field(default_factory=dict)
    strategies: Mapping[tuple[str, str], KeyStrategies] = field(default_factory=dict)
    unseen: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)

    def keys_of(self, version: str, resource_type: str) -> KeyStrategies:
        """Give the strategies of single keys of a resource type."""
        return self.strategies.get((version, resource_type), NO_KEY_STRATEGIES)

    def unseen_of(self, version: str, resource_type: str) -> frozenset[str]:
        """Give the paths of the fields of a resource type that answers left out."""
        return self.unseen.get((version, resource_type), frozenset())


class Directory(Protocol):
    """Finds deployments."""

    def served(self, region: str, service: str) -> Served:
        """Find a deployment, with a namespace at least for its current version.

        Raises: Missing (`deployment-missing`, `definition-missing`) · Conflict (`deployment-disabled`,
        `deployment-evicted`).
        """
        ...

    def forget(self, region: str, service: str) -> None:
        """Read again what is asked for next: the fence told something newer."""
        ...
