"""When the threads of a worker process are woken: when keys fall due that it settled, and which of them wait for that."""

from __future__ import annotations

import heapq
import logging
import threading
import time
from collections.abc import Callable

from migrations_app.engine.worker import coarse

BATCH_SECONDS = 0.1
"""Keys that fall due within this time after the first are woken together, by one thread that takes them in turn."""
HELP_SECONDS = 0.1
"""So long one thread takes due keys that are not urgent in turn before another is woken to help."""
LATE_SECONDS = BATCH_SECONDS / 2
"""So late a key may be written down whose moment was chosen together with others, and still be woken with them."""
WITHOUT_BROKER_SECONDS = 5.0
"""How soon a wake-up is sent again that the broker did not take; what notifies works itself until then."""
ANSWER_SECONDS = 10.0
"""A wake-up that no thread of this process answered by then is sent again: the broker may have lost it in a restart."""
LONGEST_WAIT_SECONDS = 60.0

log = logging.getLogger(__name__)


class Alarm:
    """Wakes threads when keys that this process settled fall due; the tick looks for other keys."""

    def __init__(self, helping_queue: str, others_due: Callable[[], bool]) -> None:
        self._helping_queue, self._others_due = helping_queue, others_due
        self._due: list[tuple[float, str]] = []
        self._help_at = float("inf")
        self._answer_by: dict[str, float] = {}
        self._changed = threading.Condition()
        self._ended = False

    def expect(self, queue: str, seconds: float) -> None:
        """Wake a thread of the queue after so many seconds."""
        with self._changed:
            first = self._due[0][0] if self._due else float("inf")
            # By the clock of the wall, as the moments are chosen (`at_whole`); waited for by one that never rolls back.
            now = time.time()
            at = time.monotonic() + coarse(now + seconds - LATE_SECONDS, seconds) - now
            heapq.heappush(self._due, (at, queue))
            if at < first:
                self._changed.notify()

    def expect_help(self) -> None:
        """Wake one more thread shortly, unless no key is left by then."""
        with self._changed:
            if self._help_at == float("inf"):
                self._help_at = time.monotonic() + HELP_SECONDS
                self._changed.notify()

    def expect_answer(self, queue: str) -> None:
        """Wake the queue again unless a thread answers in time; a further call does not move that moment."""
        with self._changed:
            # Not notified: the thread that sends is the one that waits next.
            self._answer_by.setdefault(queue, time.monotonic() + ANSWER_SECONDS)

    def answer(self, queue: str) -> None:
        """Take down that a thread works on the queue."""
        with self._changed:
            self._answer_by.pop(queue, None)

    def run(self, wake: Callable[[str], object]) -> None:
        """Call `wake` with each queue that a thread is needed for, until the process ends."""
        while (due := self._wait()) is not None:
            for queue in sorted(due):
                try:
                    wake(queue)
                except Exception:
                    # An error here must not end the thread: nothing else in this process wakes its threads.
                    log.exception("%s is woken again later", queue)
                    self.expect(queue, WITHOUT_BROKER_SECONDS)

    def end(self) -> None:
        """Stop waking."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _wait(self) -> set[str] | None:
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                first = self._due[0][0] + BATCH_SECONDS if self._due else float("inf")
                left = min(first, self._help_at, *self._answer_by.values()) - now
                if left <= 0:
                    queues: set[str] = set()
                    while first <= now and self._due and self._due[0][0] <= now:
                        queues.add(heapq.heappop(self._due)[1])
                    if self._help_at <= now:
                        self._help_at = float("inf")
                        if self._others_due():
                            queues.add(self._helping_queue)
                    for queue in [each for each, by in self._answer_by.items() if by <= now]:
                        del self._answer_by[queue]
                        queues.add(queue)
                    return queues
                self._changed.wait(min(left, LONGEST_WAIT_SECONDS))
        return None


class WaitingThreads:
    """Threads that have no due key and wait for the next: waking one sends no message to the broker."""

    def __init__(self, most: int) -> None:
        self._most, self._waiting, self._woken = most, 0, 0
        self._changed = threading.Condition()
        self._ended = False

    def wait(self, until: float) -> bool:
        """Wait until a moment of the monotonic clock; tell whether this thread was woken. More than the most do not wait."""
        with self._changed:
            if self._ended or self._waiting >= self._most:
                return False
            self._waiting += 1
            while not self._woken and not self._ended and (left := until - time.monotonic()) > 0:
                self._changed.wait(left)
            if self._woken:
                self._woken -= 1
                return True
            self._waiting -= 1
            return False

    def wake(self) -> bool:
        """Wake one thread; tell whether one waited."""
        with self._changed:
            if not self._waiting:
                return False
            self._waiting -= 1
            self._woken += 1
            self._changed.notify()
            return True

    def end(self) -> None:
        """Let all of them go."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
