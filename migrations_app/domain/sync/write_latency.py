"""How long writes took, counted in classes that are each a twentieth wider than the one before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LEAST_SECONDS = 0.0001
WIDTH = math.log(1.05)
MOST_CLASS = 300
"""Class 300 begins at 227 s: no write takes longer."""
SLOWEST_PERCENT = 5


def latency_class(seconds: float) -> int:
    """Tell the class of a duration."""
    if seconds <= LEAST_SECONDS:
        return 0
    return min(MOST_CLASS, math.ceil(math.log(seconds / LEAST_SECONDS) / WIDTH - 1e-9))


@dataclass(frozen=True, slots=True)
class LatencyCounts:
    """How many writes took how long, by class."""

    counts: Mapping[int, int]

    @property
    def writes(self) -> int:
        """Count the writes."""
        return sum(self.counts.values())

    @property
    def p95_seconds(self) -> float:
        """Give the end of the class within which 95 of 100 writes were done; 0 where there were none."""
        beyond, writes = 0, self.writes
        for number in sorted(self.counts, reverse=True):
            beyond += self.counts[number]
            if beyond * 100 > writes * SLOWEST_PERCENT:
                return LEAST_SECONDS * math.exp(number * WIDTH)
        return 0.0


def sum_latencies(parts: Iterable[LatencyCounts]) -> LatencyCounts:
    """Add counts up."""
    total: dict[int, int] = {}
    for part in parts:
        for number, writes in part.counts.items():
            total[number] = total.get(number, 0) + writes
    return LatencyCounts(total)
