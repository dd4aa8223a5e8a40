"""Waiting for a fact itself, and so long that a slow machine cannot be taken for a defect."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

PATIENCE_SECONDS = 300.0


def wait_until(
    holds: Callable[[], object], log: Callable[[], object] = str, pause_seconds: float = 0.1
) -> None:
    """Wait until something holds; `log` gives what is shown when it never does."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < until, log()
        time.sleep(pause_seconds)


def attempts(least: int = 100, pause_seconds: float = 0.0) -> Iterator[int]:
    """Number attempts: at least so many, and for as long as patience lasts.

    What is worked on step by step in a test waits by the clock: a number of steps is too few on a fast machine, and
    what has a deadline of its own, as a freeze has, is begun again more often on a slow one.
    """
    until, number = time.monotonic() + PATIENCE_SECONDS, 0
    while number < least or time.monotonic() < until:
        yield number
        number += 1
        time.sleep(pause_seconds)
