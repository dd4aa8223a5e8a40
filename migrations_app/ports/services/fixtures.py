"""Which fixtures a deployment has been given: once for each time that a version of it becomes active."""

from __future__ import annotations

from typing import Protocol


class FixtureMarks(Protocol):
    """Remembers, for a deployment, the last fixtures it was given."""

    def mark_of(self, deployment: str) -> str:
        """Tell the mark that was set last; empty when none was."""
        ...

    def give(self, deployment: str, mark: str) -> None:
        """Set the mark."""
        ...
