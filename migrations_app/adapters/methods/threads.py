"""Handlers run in threads of their own, with a limit of time; one that does not end is interrupted and counted."""

from __future__ import annotations

import logging
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from migrations_app.kernel.call_threads import CallThread, CallThreadPool, Outcome
from migrations_app.kernel.errors import Busy, InvariantBroken, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.ports.services.method_handlers import Timed

MOST_HANGING = 16
"""So many handlers may hang in this process, before no more are called."""

T = TypeVar("T")
log = logging.getLogger(__name__)


class HandlerThreads(Timed):
    """Calls of handlers, each in a thread."""

    def __init__(self, release: Callable[[], None] = lambda: None, most_hanging: int = MOST_HANGING) -> None:
        self._release = release
        self._pool = CallThreadPool(release, "method-handler", most_hanging)

    def release(self) -> None:
        """Free what a call left open in this thread."""
        self._release()

    def call(self, what: str, function: Callable[[], T], seconds: float, end: Callable[[], None]) -> T:
        worker = self._worker(what)
        outcome: SimpleQueue[Outcome] = SimpleQueue()
        worker.start(function, outcome)
        try:
            answer, error = outcome.get(timeout=max(seconds, 0.001))
        except Empty:
            answer, error = self._late(worker, outcome, what, seconds, end)
        else:
            self._pool.put_back(worker)
        if error is None:
            return answer  # type: ignore[return-value]
        if isinstance(error, SwitchyardError):
            raise error
        log.error("the handler of %s raised", what, exc_info=error)
        raise InvariantBroken(
            message("The handler of {what} raised {kind}.", what=what, kind=type(error).__name__),
            code="handler-failed",
            remedy=message("The log of the server has the details."),
        ) from error

    def _late(
        self,
        worker: CallThread,
        outcome: SimpleQueue[Outcome],
        what: str,
        seconds: float,
        end: Callable[[], None],
    ) -> Outcome:
        """End a call whose time is over; what it answered while it was ended counts.

        Raises: Busy (`deadline-exceeded`).
        """
        end()
        try:
            found = outcome.get_nowait()
        except Empty:
            self._pool.abandon(worker)
            raise Busy(
                message(
                    "The handler of {what} did not answer within {seconds} s.",
                    what=what,
                    seconds=f"{seconds:g}",
                ),
                code="deadline-exceeded",
                remedy=message(
                    "Read the resource before you call again: what the handler had committed stays."
                ),
            ) from None
        self._pool.put_back(worker)
        return found

    def _worker(self, what: str) -> CallThread:
        worker = self._pool.take()
        if worker is None:
            raise Busy(
                message(
                    "{what} was not called: {most_hanging} handlers hang in this process.",
                    what=what,
                    most_hanging=self._pool.most_hanging,
                ),
                code="handlers-hanging",
                remedy=message("Fix the handler and restart the process."),
                retry_after_seconds=30.0,
            )
        return worker
