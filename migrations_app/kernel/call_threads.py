"""Threads that call code of others with a limit of time; one whose call does not end is interrupted and counted."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

Outcome = tuple[object, BaseException | None]


class TimeOver(BaseException):
    """Raised inside a call whose time is over; no `except Exception` of the called code keeps it."""


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
