"""Long commands that are stopped, by a person or by a time limit of CI, and still say how far they came."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM came: what a time limit sends, before it ends the process for good."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM raise Terminated inside, as Ctrl-C raises KeyboardInterrupt; only the main thread gets signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def _raise(number: int, frame: FrameType | None) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
