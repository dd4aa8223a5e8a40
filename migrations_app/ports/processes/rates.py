"""How often something happened in a window of time: sign-ins, requests of an account, calls from an address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RateCount:
    """How often it happened since the window began, and when the next one begins."""

    count: int
    resets_in_seconds: float


class Rates(Protocol):
    """Counts events by key, each in a window of its own."""

    def spend(self, key: str, window_seconds: int) -> RateCount:
        """Count one event more, in the window that the first one began.

        Once: of calls at the same time each counts. Never raises: where counts cannot be shared, a process counts alone.
        """
        ...
