"""What deployments have under way with one another, database by database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What waits at one deployment: confirmations, questions and validations that are due, and deletions."""

    owed: bool = False
    deleting: bool = False


class Dealings(Protocol):
    """Knows the dealings of deployments beside their data."""

    def under_way(self, namespaces: Sequence[Namespace]) -> dict[str, UnderWay]:
        """Tell by one question what waits at the deployments of namespaces of one database.

        Those at which nothing waits are left out.
        """
        ...
