"""How a process that streams changes of the control database learns that there are new ones."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol


class CommitNotifications(Protocol):
    """Tells of commits that changed one part of the control database, without being asked over and over."""

    def follow(self) -> AsyncGenerator[None]:
        """Yield once when notifications begin, then after each commit that changed the part; perhaps once for several.

        Raises: Busy (`registry-unavailable`) when there are no notifications any more; follow again later.
        """
        ...
