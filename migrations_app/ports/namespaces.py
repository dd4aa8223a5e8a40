"""What the ports of the data databases speak of together: namespaces, and places in their feeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

Position = NewType("Position", str)
"""An opaque place in one namespace's change feed; compare two only through `Feed.reached`."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """Where a deployment keeps one version's data: a schema of one database, with a ring of shards."""

    deployment: str
    version: str
    database: str
    schema: str
    ring: int = 16
    numbering: str = ""
    """Names its numbering of shards where that has a fence of its own: its number of shards was changed by itself."""

    @property
    def fence_key(self) -> str:
        """The key of the fence that guards it; namespaces of one key are switched by one row."""
        return fence_key(self.deployment, self.numbering)

    @property
    def own(self) -> tuple[str, ...]:
        """The owning regions that mean this deployment; whatever has another is a read copy."""
        return "", self.deployment.rpartition("/")[2]


def fence_key(deployment: str, numbering: str) -> str:
    """Name a fence of a deployment within a data database."""
    return f"{deployment}#{numbering}" if numbering else deployment
