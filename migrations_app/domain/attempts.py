"""How many failed attempts at a secret are admitted, and how the waits after them grow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import message

ABANDONED_AFTER = timedelta(minutes=1)
"""An attempt that has not ended by then was cut off with its process."""


@dataclass(frozen=True, slots=True)
class AttemptLimit:
    """How many failures one subject has free; each one from then on doubles the wait."""

    name: str
    free: int
    first_wait: timedelta = timedelta(minutes=1)
    longest_wait: timedelta = timedelta(minutes=15)
    forgotten_after: timedelta = timedelta(days=1)

    def wait_after(self, failures: int) -> timedelta:
        """Tell how long the next attempt has to wait."""
        if failures < self.free:
            return timedelta()
        doublings = min(failures - self.free, 16)
        return min(self.longest_wait, self.first_wait * (1 << doublings))


@dataclass(frozen=True, slots=True)
class AttemptCount:
    """The failures of one subject, and its attempts under way: these count before they end, so that many at once
    are not more than many in a row.
    """

    failures: int = 0
    running: int = 0
    begun_at: datetime | None = None
    failed_at: datetime | None = None
    blocked_until: datetime | None = None

    def begin(self, limit: AttemptLimit, now: datetime) -> AttemptCount:
        """Admit one more attempt.

        Raises: Busy (`too-many-requests`).
        """
        count = self.as_of(limit, now)
        if count.blocked_until is not None and count.blocked_until > now:
            raise too_many_attempts((count.blocked_until - now).total_seconds())
        if count.running >= max(1, limit.free - count.failures):
            raise too_many_attempts(1.0)
        return replace(count, running=count.running + 1, begun_at=now)

    def end(self, limit: AttemptLimit, now: datetime, *, failed: bool) -> AttemptCount:
        """End an attempt that was admitted."""
        count = replace(self, running=max(0, self.running - 1))
        if not failed:
            return count
        failures = count.failures + 1
        wait = limit.wait_after(failures)
        return replace(
            count, failures=failures, failed_at=now, blocked_until=now + wait if wait else count.blocked_until
        )

    def as_of(self, limit: AttemptLimit, now: datetime) -> AttemptCount:
        """Give what still counts: old failures and attempts that were cut off do not."""
        count = self
        if count.failed_at is not None and now - count.failed_at >= limit.forgotten_after:
            count = AttemptCount(running=count.running, begun_at=count.begun_at)
        if count.begun_at is not None and now - count.begun_at >= ABANDONED_AFTER:
            count = replace(count, running=0)
        return count


def too_many_attempts(seconds: float) -> Busy:
    """Say how long to wait."""
    wait = max(1, ceil(seconds))
    return Busy(
        message("Too many attempts; try again in {wait} seconds.", wait=wait),
        code="too-many-requests",
        retry_after_seconds=float(wait),
    )
