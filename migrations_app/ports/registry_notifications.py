"""How a process that streams the registry's changes learns that there are new ones."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol


class RegistryNotifications(Protocol):
    """Tells that the registry's history moved, without being asked over and over."""

    def follow(self) -> AsyncGenerator[None]:
        """Yield once when notifications begin, then after each commit that moved the history; perhaps once for several.

        Raises: Busy (`registry-unavailable`) when there are no notifications any more; follow again later.
        """
        ...
