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

    @property
    def own(self) -> tuple[str, ...]:
        """The owning regions that mean this deployment; whatever has another is a read copy."""
        return "", self.deployment.rpartition("/")[2]
