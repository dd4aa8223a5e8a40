"""Handlers run in threads of their own, with a limit of time; one that does not end is interrupted and counted."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from migrations_app.kernel.errors import Busy, InvariantBroken, SwitchyardError

MOST_HANGING = 16
"""So many handlers may hang in this process, before no more are called."""

T = TypeVar("T")
Outcome = tuple[object, BaseException | None]
log = logging.getLogger(__name__)


class TimeOver(BaseException):
    """Raised inside a handler whose time is over; no `except Exception` of its code keeps it."""


class CallThread:
    """A thread that makes one call of a service's code after the other.

    `release` frees what a call leaves open in its thread.
    """

    def __init__(self, release: Callable[[], None], name: str) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], object], SimpleQueue[Any]] | None] = SimpleQueue()
        self._release = release
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def start(self, function: Callable[[], object], outcomes: SimpleQueue[Any]) -> None:
        """Start a call; its outcome comes into the queue. It carries out the request that its starter does."""
        self._calls.put((partial(copy_context().run, function), outcomes))

    def interrupt(self) -> None:
        """Interrupt code that runs; code that waits in the operating system is left alone."""
        self._calls.put(None)
        ident = ctypes.c_ulong(self.thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(TimeOver))

    def _run(self) -> None:
        try:
            while (call := self._calls.get()) is not None:
                function, outcome = call
                outcome.put(self._outcome(function))
        except TimeOver:
            return

    def _outcome(self, function: Callable[[], object]) -> Outcome:
        try:
            return function(), None
        except BaseException as error:
            return None, error
        finally:
            self._release()


class CallThreadPool:
    """Threads that are kept for the next call; one whose call does not end is interrupted, left behind and counted."""

    def __init__(self, release: Callable[[], None], name: str, most_hanging: int) -> None:
        self._release, self._name, self.most_hanging = release, name, most_hanging
        self._free: SimpleQueue[CallThread] = SimpleQueue()
        self._hanging: list[threading.Thread] = []
        self._lock = threading.Lock()

    def take(self) -> CallThread | None:
        """Give a thread that is free, or a new one; None while as many hang as may."""
        try:
            return self._free.get_nowait()
        except Empty:
            pass
        with self._lock:
            self._hanging = [thread for thread in self._hanging if thread.is_alive()]
            if len(self._hanging) >= self.most_hanging:
                return None
        return CallThread(self._release, self._name)

    def put_back(self, worker: CallThread) -> None:
        """Keep a thread whose call has ended."""
        self._free.put(worker)

    def abandon(self, worker: CallThread) -> None:
        """Interrupt a thread whose call does not end, and count it as long as it lives."""
        worker.interrupt()
        with self._lock:
            self._hanging.append(worker.thread)


class HandlerThreads:
    """`ports.method_handlers.Timed` over threads."""

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
            f"The handler of {what} raised {type(error).__name__}.",
            code="handler-failed",
            remedy="The log of the server has the details.",
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
                f"The handler of {what} did not answer within {seconds:g} s.",
                code="deadline-exceeded",
                remedy="Read the resource before you call again: what the handler had committed stays.",
            ) from None
        self._pool.put_back(worker)
        return found

    def _worker(self, what: str) -> CallThread:
        worker = self._pool.take()
        if worker is None:
            raise Busy(
                f"{what} was not called: {self._pool.most_hanging} handlers hang in this process.",
                code="handlers-hanging",
                remedy="Mend the handler and restart the process.",
                retry_after_seconds=30.0,
            )
        return worker
