"""How much work of copying and comparing there may be, so that who writes meanwhile is hardly slowed."""

from __future__ import annotations

import math
from dataclasses import dataclass

FULL = 4.0
"""Threads that work at once. From here on nothing is held back."""
LEAST = 0.02
"""There is always so much work, however slow writes are: it must come to its end."""
BEGIN = 0.1
"""So much at first: what writes are slowed by before anything is measured counts as well."""
FASTER, MUCH_FASTER = 1.25, 2.0
FAR_BELOW = 0.25
"""Up to this share of the way from calm to the bound the pace is doubled."""
SLOWER_AT_MOST = 0.5
NOISE_SECONDS = 0.001
"""Writes that take so little longer are not slowed: no measurement is finer."""


@dataclass(frozen=True, slots=True)
class WriteBound:
    """What the 95th percentile of writes may come to, as a multiple of what it is in calm; 0 for no bound."""

    multiple: float = 1.25

    def seconds(self, calm_seconds: float) -> float:
        """Give the bound."""
        return max(calm_seconds * self.multiple, calm_seconds + NOISE_SECONDS)


def next_pace(pace: float, p95_seconds: float, calm_seconds: float, bound: WriteBound) -> float:
    """Give the pace after a measurement: less in proportion to the excess, more as long as there is none.

    Units: threads that work at once, between `LEAST` and `FULL`.
    """
    most = bound.seconds(calm_seconds)
    if p95_seconds > most:
        factor = max(SLOWER_AT_MOST, most / p95_seconds)
    else:
        near = calm_seconds + FAR_BELOW * (most - calm_seconds)
        factor = MUCH_FASTER if p95_seconds <= near else FASTER
    return min(FULL, max(LEAST, pace * factor))


def threads_at(pace: float) -> int:
    """Tell how many threads may work at once."""
    return max(1, math.ceil(pace))
