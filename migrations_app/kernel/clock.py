"""Time as the inner layers see it: an instant in UTC from a clock that a test can hold."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Tell the present instant, in UTC."""
        ...

    def monotonic(self) -> float:
        """Tell seconds since some fixed moment; it never decreases."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Tell the present instant, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Tell seconds since the machine started."""
        return time.monotonic()


class HeldClock:
    """A clock that moves only when told to, for tests and simulation."""

    def __init__(self, at: datetime | None = None) -> None:
        self._now = at or datetime(2026, 1, 1, tzinfo=UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        """Tell the instant that was set."""
        return self._now

    def monotonic(self) -> float:
        """Tell the seconds that were advanced so far."""
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self._elapsed += seconds
        self._now += timedelta(seconds=seconds)


def iso(at: datetime | None) -> str | None:
    """Write an instant as the API does."""
    return at.isoformat().replace("+00:00", "Z") if at else None


def to_minute(at: datetime) -> str:
    """Write an instant to the minute, for a place of a message whose name ends in `_at`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")


def to_second(at: datetime) -> str:
    """Write an instant to the second, for a place of a message whose name ends in `_at`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
