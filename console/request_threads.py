"""The threads that requests run on: few at once, used again, and started without stopping the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import ThreadSensitiveContext

Application = Callable[[Any, Any, Any], Awaitable[None]]

# Answered on the event loop alone, so that it tells of nothing but this process.
HEALTH = "/healthz"


class RequestThread(ThreadPoolExecutor):
    """One thread that runs the steps of one request, one after the other."""

    def __init__(self) -> None:
        super().__init__(max_workers=1, thread_name_prefix="request")
        self.last: Future[Any] | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Run a step after those before it."""
        self.last = super().submit(fn, *args, **options)
        return self.last


def _started() -> RequestThread:
    thread = RequestThread()
    thread.submit(int).result()
    return thread


class RequestThreads:
    """Lends threads to requests, first come, first served, to `at_once` requests at a time.

    Hundreds of requests that run at the same time take the interpreter from each other and from the event loop;
    all of them end later than one after the other, and health is not answered. A request that runs for longer
    than `long_seconds` waits for something else (a long poll, a slow reader, a lock) and counts no more.

    To start a thread is to wait until it runs, and Django starts one for each request on the event loop. Here
    another thread starts them, and they are kept.
    """

    def __init__(self, *, at_once: int = 16, long_seconds: float = 1.0, kept: int = 32) -> None:
        self._at_once = at_once
        self._long_seconds = long_seconds
        self._kept = kept
        self._counted: set[RequestThread] = set()
        self._idle: list[RequestThread] = []
        self._waiting: deque[asyncio.Future[RequestThread]] = deque()
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="request-thread-starter")
        self._start: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[RequestThread]:
        """Lend a thread for the time of one request."""
        thread = await self._borrow()
        timer = asyncio.get_running_loop().call_later(self._long_seconds, self._stop_counting, thread)
        try:
            yield thread
        finally:
            timer.cancel()
            self._take_back(thread)

    async def _borrow(self) -> RequestThread:
        place: asyncio.Future[RequestThread] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._lend()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._take_back(place.result())
            raise

    def _lend(self) -> None:
        """Lend what is idle to those who wait, as far as the bound allows; start a thread where none is idle."""
        while self._waiting and len(self._counted) < self._at_once:
            if self._waiting[0].done():
                self._waiting.popleft()
            elif self._idle:
                thread = self._idle.pop()
                self._counted.add(thread)
                self._waiting.popleft().set_result(thread)
            else:
                if self._start is None:
                    self._start = asyncio.create_task(self._start_one())
                return

    async def _start_one(self) -> None:
        try:
            thread = await asyncio.get_running_loop().run_in_executor(self._starter, _started)
        finally:
            self._start = None
        self._keep(thread)

    def _stop_counting(self, thread: RequestThread) -> None:
        self._counted.discard(thread)
        self._lend()

    def _take_back(self, thread: RequestThread) -> None:
        self._counted.discard(thread)
        if thread.last is None or thread.last.done():
            self._keep(thread)
            return
        # The request was cancelled and its step still runs; no other request must wait behind it.
        loop = asyncio.get_running_loop()
        thread.last.add_done_callback(lambda _: loop.call_soon_threadsafe(self._keep, thread))
        self._lend()

    def _keep(self, thread: RequestThread) -> None:
        self._idle.append(thread)
        self._lend()
        if len(self._idle) > self._kept:
            self._idle.pop().shutdown(wait=False)


def with_request_threads(application: Application, threads: RequestThreads) -> Application:
    """Run the synchronous parts of each request of an application on a lent thread."""

    async def _with_thread(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == HEALTH:
            await application(scope, receive, send)
            return
        async with threads.lent() as thread, ThreadSensitiveContext(executor=thread):
            await application(scope, receive, send)

    return _with_thread
