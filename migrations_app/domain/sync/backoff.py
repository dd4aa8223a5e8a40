"""When a resource that failed is tried again."""

from __future__ import annotations

FIRST_SECONDS = 1.0
LONGEST_SECONDS = 300.0


def next_attempt_seconds(attempts: int) -> float:
    """Say how long to wait after the given number of failed attempts: 1, 2, 4 … 300 seconds."""
    if attempts < 1:
        return 0.0
    return min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(attempts - 1, 16))
