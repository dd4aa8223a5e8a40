"""A rate that forgets: how many resources a second, over about the last ten seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass

MEMORY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Meter:
    """An exponentially weighted rate and how much it varies.

    Units: `rate` per second; `spread` the mean distance of single observations from the rate.
    """

    rate: float = 0.0
    spread: float = 0.0
    weight: float = 0.0

    def observe(self, count: int, seconds: float) -> Meter:
        """Add `count` things done in `seconds`; observations without duration change nothing."""
        if seconds <= 0:
            return self
        seen = count / seconds
        kept = self.weight * math.exp(-seconds / MEMORY_SECONDS)
        added = 1.0 - math.exp(-seconds / MEMORY_SECONDS)
        weight = kept + added
        # A fresh meter takes the first rate whole; it has nothing older to trust.
        share = added / weight
        distance = abs(seen - self.rate) if self.weight else 0.0
        return Meter(
            rate=self.rate + (seen - self.rate) * share,
            spread=self.spread + (distance - self.spread) * share,
            weight=weight,
        )
