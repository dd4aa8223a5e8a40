"""Which answers are looked into for the fields that they return: chosen at random, by client, within a budget."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

SECONDS = 5.0
PER_CLIENT = 64
"""So many resources of one client, method and type are looked at in an interval, about; all where there are fewer."""
ALTOGETHER = 1000
"""So many of all clients of a process, about."""
LONGEST_PAGE = 200
"""Of a longer page so many resources are looked at."""
_BURST = 4


class ReadSampler:
    """Chooses answers. The chance follows from how many resources were returned in the interval before.

    Calls of several threads at a time may lose a count; that moves the chance a little, and nothing else.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
        seconds: float = SECONDS,
    ) -> None:
        self._clock, self._chance, self._seconds = clock, chance, seconds
        self._ends = clock() + seconds
        self._before: dict[object, int] = {}
        self._returned: dict[object, int] = {}
        self._looked: dict[object, int] = {}
        self._all_before = self._all_returned = self._all_looked = 0

    def takes(self, stratum: object, resources: int) -> bool:
        """Tell whether an answer with so many resources is looked into."""
        if self._clock() >= self._ends:
            self._turn()
        count = min(resources, LONGEST_PAGE) or 1
        self._returned[stratum] = self._returned.get(stratum, 0) + count
        self._all_returned += count
        looked = self._looked.get(stratum, 0)
        if looked >= PER_CLIENT * _BURST or self._all_looked >= ALTOGETHER * _BURST:
            return False
        rate = min(PER_CLIENT / (self._before.get(stratum) or 1), ALTOGETHER / (self._all_before or 1))
        if rate < 1.0 and self._chance() >= rate:
            return False
        self._looked[stratum] = looked + count
        self._all_looked += count
        return True

    def _turn(self) -> None:
        now = self._clock()
        # After a pause nothing is known of how many there will be.
        idle = now >= self._ends + self._seconds
        self._before, self._all_before = ({}, 0) if idle else (self._returned, self._all_returned)
        self._returned, self._looked = {}, {}
        self._all_returned = self._all_looked = 0
        self._ends = now + self._seconds
