"""Work on references between deployments that waits, database by database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class ReferenceWork:
    """What waits at one deployment: confirmations, questions and validations that are due, and deletions."""

    owed: bool = False
    deleting: bool = False


class ReferenceWorkReader(Protocol):
    """Reads what waits beside the data of deployments."""

    def pending(self, namespaces: Sequence[Namespace]) -> dict[str, ReferenceWork]:
        """Tell by one question what waits at the deployments of namespaces of one database.

        Those at which nothing waits are left out.
        """
        ...
