"""Calls of conversion hooks: they end with an answer, with an error, or with the time they were given."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from migrations_app.kernel.call_threads import CallThread, CallThreadPool, Outcome
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

HOOK_SECONDS = 1.0
MOST_HANGING = 64
"""So many threads may be stuck in calls that nothing can end, before no more calls are made."""

T = TypeVar("T")


class TimeLimiter:
    """Makes calls with a limit of time, each in a thread of its own, from any number of threads."""

    def __init__(self, seconds: float = HOOK_SECONDS, most_hanging: int = MOST_HANGING) -> None:
        self._seconds = seconds
        self._pool = CallThreadPool(lambda: None, "hook", most_hanging)

    def call(self, what: str, function: Callable[[], T]) -> T:
        """Make a call and give its answer.

        Raises: Invalid (`hook-hung`, `hook-raised`), or the call's own refusal.
        """
        worker = self._worker(what)
        outcomes: SimpleQueue[Outcome] = SimpleQueue()
        worker.start(function, outcomes)
        try:
            answer, error = outcomes.get(timeout=self._seconds)
        except Empty:
            self._pool.abandon(worker)
            raise Invalid(
                message(
                    "The conversion of {what} did not end within {seconds} s.",
                    what=what,
                    seconds=f"{self._seconds:g}",
                ),
                code="hook-hung",
                remedy=message("Fix the hook, then retry the resource."),
            ) from None
        self._pool.put_back(worker)
        if error is not None and not isinstance(error, Exception):
            # What a hook raises to end the process ends only the conversion.
            raise Invalid(
                message("A hook raised {kind} on {what}.", kind=type(error).__name__, what=what),
                code="hook-raised",
            ) from error
        if error is not None:
            raise error
        return answer  # type: ignore[return-value]

    def _worker(self, what: str) -> CallThread:
        worker = self._pool.take()
        if worker is None:
            raise Invalid(
                message(
                    "{what} was not converted: {most_hanging} calls of hooks hang in this process.",
                    what=what,
                    most_hanging=self._pool.most_hanging,
                ),
                code="hook-hung",
                remedy=message("Fix the hook and restart the workers, then retry the resource."),
            )
        return worker


GUARD = TimeLimiter()
"""The limit of this process: what hangs is counted over all hooks."""
