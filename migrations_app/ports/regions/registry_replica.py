"""The replica of the registry that a region serves resources by while the control database may be away."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ReplicaState:
    """How old a replica is, and by which change of the registry it was copied.

    Units: `age_seconds` by the clock of the database that holds it.
    """

    age_seconds: float
    registry_seq: int


class ReplicaReading(Protocol):
    """Reads of the control tables by the replica, while a resource request is carried out."""

    def reading(self) -> AbstractContextManager[None]:
        """Send the reads of the block to the replica, once there is one."""
        ...

    def age_seconds(self) -> float | None:
        """Tell how long ago the replica was what the control database holds; None while there is none."""
        ...
