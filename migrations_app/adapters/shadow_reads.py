"""A sample of answers compared by a thread of their own, as many as it can, and counted in batches."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from threading import Event, Lock, Thread

from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.shadow_reads import Answered, AnsweredCall, ShadowReadComparison

ONE_IN = 20
"""Of so many reads of a process one is compared, and of its page the first resources."""
MOST_OF_A_PAGE, MOST_WAITING, MOST_CALLS = 10, 100, 5
"""So many resources of a page are compared, so many answers wait, and so many of them are of calls, which take longer."""
ROUND_SECONDS = 2.0
log = logging.getLogger(__name__)


class SampledShadowReads:
    """Compares a sample; what comes while `MOST_WAITING` wait is left out. `hang_up` follows every round."""

    def __init__(
        self,
        compare: Callable[[Answered | AnsweredCall, ShadowReadComparison], None],
        write: Callable[[ShadowReadComparison], None],
        *,
        hang_up: Callable[[], None] = lambda: None,
        one_in: int = ONE_IN,
        background: bool = True,
    ) -> None:
        self._compare, self._write, self._hang_up = compare, write, hang_up
        self._one_in, self._background = one_in, background
        self._asked = count()
        self._waiting: deque[Answered | AnsweredCall] = deque()
        self._ended = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def note(self, answered: Answered | AnsweredCall) -> None:
        """Take an answer if it is of the sample."""
        if next(self._asked) % self._one_in or len(self._waiting) >= MOST_WAITING:
            return
        if isinstance(answered, AnsweredCall):
            if sum(isinstance(each, AnsweredCall) for each in list(self._waiting)) >= MOST_CALLS:
                return
        else:
            answered = replace(answered, documents=answered.documents[:MOST_OF_A_PAGE])
        self._waiting.append(answered)
        if self._thread is None and self._background:
            self._start()

    def settle(self) -> None:
        """Compare what waits and write the counts; what cannot be written is lost."""
        if not self._waiting:
            return
        found = ShadowReadComparison()
        try:
            while self._waiting:
                self._compare_one(self._waiting.popleft(), found)
            if found.sums:
                self._write(found)
        except Exception:
            log.warning("Shadow reads cannot be compared just now.", exc_info=True)
        finally:
            self._hang_up()

    def _compare_one(self, answered: Answered | AnsweredCall, found: ShadowReadComparison) -> None:
        try:
            self._compare(answered, found)
        except SwitchyardError as error:
            # Versions come and go while it waits.
            log.info("A read of %s %s was not compared: %s", answered.service, answered.version, error)

    def close(self) -> None:
        """Compare no more."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="shadow-reads", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(ROUND_SECONDS):
            self.settle()
