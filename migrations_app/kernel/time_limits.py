"""Calls of code that users bring: they end with an answer, with an error, or with the time they were given."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from migrations_app.kernel.errors import Invalid

HOOK_SECONDS = 1.0
MOST_HANGING = 64
"""So many threads may be stuck in calls that nothing can end, before no more calls are made."""

T = TypeVar("T")


class Hung(BaseException):
    """Raised inside a call whose time is over; no `except Exception` of the called code keeps it."""


class _Hand(Generic[T]):
    """A thread that makes one call after the other."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[Callable[[], T] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        self.thread = threading.Thread(target=self._run, name="hook", daemon=True)
        self.thread.start()

    def call(self, function: Callable[[], T], seconds: float) -> tuple[T | None, BaseException | None]:
        """Make a call.

        Raises: Empty when there is no answer in time.
        """
        self._asked.put(function)
        return self._answers.get(timeout=seconds)

    def dismiss(self) -> None:
        """Let go of a call that does not end: code that runs is interrupted, code that waits is left alone."""
        self._asked.put(None)
        ident = ctypes.c_ulong(self.thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Hung))

    def _run(self) -> None:
        try:
            while (function := self._asked.get()) is not None:
                try:
                    self._answers.put((function(), None))
                except Hung:
                    return
                except BaseException as error:
                    self._answers.put((None, error))
        except Hung:
            return


class TimeLimiter:
    """Makes calls with a limit of time, each in a thread of its own, from any number of threads."""

    def __init__(self, seconds: float = HOOK_SECONDS, most_hanging: int = MOST_HANGING) -> None:
        self._seconds, self._most = seconds, most_hanging
        self._free: SimpleQueue[_Hand[object]] = SimpleQueue()
        self._hanging: list[threading.Thread] = []
        self._lock = threading.Lock()

    def call(self, what: str, function: Callable[[], T]) -> T:
        """Make a call and give its answer.

        Raises: Invalid (`hook-hung`, `hook-raised`), or the call's own refusal.
        """
        hand = self._hand(what)
        try:
            answer, error = hand.call(function, self._seconds)
        except Empty:
            hand.dismiss()
            with self._lock:
                self._hanging.append(hand.thread)
            raise Invalid(
                f"The conversion of {what} did not end within {self._seconds:g} s.",
                code="hook-hung",
                remedy="Mend the hook, then retry the resource.",
            ) from None
        self._free.put(hand)
        if error is not None and not isinstance(error, Exception):
            # What a hook raises to end the process ends only the conversion.
            raise Invalid(f"A hook raised {type(error).__name__} on {what}.", code="hook-raised") from error
        if error is not None:
            raise error
        return answer  # type: ignore[return-value]

    def _hand(self, what: str) -> _Hand[object]:
        try:
            return self._free.get_nowait()
        except Empty:
            pass
        with self._lock:
            self._hanging = [thread for thread in self._hanging if thread.is_alive()]
            if len(self._hanging) >= self._most:
                raise Invalid(
                    f"{what} was not converted: {len(self._hanging)} calls of hooks hang in this process.",
                    code="hook-hung",
                    remedy="Mend the hook and restart the workers, then retry the resource.",
                )
        return _Hand()


GUARD = TimeLimiter()
"""The guard of this process: what hangs is counted over all hooks."""
