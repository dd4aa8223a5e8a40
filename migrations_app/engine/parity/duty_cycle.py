"""Proving with breaks: full passes keep to a share of the time, for the sake of who writes meanwhile."""

from __future__ import annotations

from migrations_app.kernel.clock import Clock


class DutyCycle:
    """Keeps one kind of work of this process to a share of its time; what it remembers is a hint.

    On a machine that has no processor to spare, a pass makes every write wait while a page is compared. Fewer pages in
    a second leave the slowest writes as they are, and make them few.
    """

    __slots__ = ("_clock", "_share", "_until")

    def __init__(self, share: float, clock: Clock) -> None:
        self._share = share
        self._clock = clock
        self._until = float("-inf")

    @property
    def rests(self) -> bool:
        """Tell whether it is not time yet to go on."""
        return self._clock.monotonic() < self._until

    def worked(self, since: float) -> None:
        """Rest now, for what was done since a moment; on top of what others rest for already."""
        now = self._clock.monotonic()
        self._until = max(self._until, now) + (now - since) * (1 / self._share - 1)
