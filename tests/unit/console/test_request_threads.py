"""The threads of requests: few at once, first come first served, none for health, and none behind a step that runs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from console.request_threads import RequestThread, RequestThreads, with_request_threads

PATIENCE = 120.0


def _run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), PATIENCE))


async def _until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.001)


class Requests:
    """An application whose requests note their thread and stay in it until they may end."""

    def __init__(self, **bounds: Any) -> None:
        self.may_end = threading.Event()
        self.running = 0
        self.most = 0
        self.begun: list[str] = []
        self.threads: set[threading.Thread] = set()
        self.lock = threading.Lock()
        self.application = with_request_threads(self._answer, RequestThreads(**bounds))

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/healthz":
            self.begun.append("/healthz")
        else:
            await sync_to_async(self._step)(scope["path"])

    def _step(self, path: str) -> None:
        with self.lock:
            self.begun.append(path)
            self.threads.add(threading.current_thread())
            self.running += 1
            self.most = max(self.most, self.running)
        self.may_end.wait(PATIENCE)
        with self.lock:
            self.running -= 1

    def send(self, path: str) -> asyncio.Task[None]:
        return asyncio.ensure_future(self.application({"type": "http", "path": path}, None, None))  # type: ignore[arg-type]


def test_no_more_than_the_bound_run_at_once_and_they_begin_in_the_order_they_came() -> None:
    async def _scenario() -> None:
        requests = Requests(at_once=1, long_seconds=PATIENCE)
        requests.may_end.set()
        await asyncio.gather(*(requests.send(f"/{number}") for number in range(50)))
        assert requests.begun == [f"/{number}" for number in range(50)]
        assert (requests.most, len(requests.threads)) == (1, 1)

    _run(_scenario)


def test_health_is_answered_while_every_thread_is_taken() -> None:
    async def _scenario() -> None:
        requests = Requests(at_once=2, long_seconds=PATIENCE)
        taken = [requests.send(f"/{number}") for number in range(5)]
        await _until(lambda: requests.running == 2)
        await requests.send("/healthz")
        assert sorted(requests.begun) == ["/0", "/1", "/healthz"]
        requests.may_end.set()
        await asyncio.gather(*taken)
        assert requests.most == 2

    _run(_scenario)


def test_a_request_that_takes_long_makes_place_for_others() -> None:
    async def _scenario() -> None:
        requests = Requests(at_once=2, long_seconds=0.01)
        sent = [requests.send(f"/{number}") for number in range(9)]
        await _until(lambda: requests.running == 9)
        requests.may_end.set()
        await asyncio.gather(*sent)
        requests.may_end.clear()
        # What counted no more is not given back twice: the bound is what it was.
        patient = Requests(at_once=2, long_seconds=PATIENCE)
        waiting = [patient.send(f"/{number}") for number in range(4)]
        await _until(lambda: patient.running == 2)
        patient.may_end.set()
        await asyncio.gather(*waiting)
        assert patient.most == 2

    _run(_scenario)


def test_a_thread_whose_step_outlives_its_request_is_not_lent_until_the_step_ends() -> None:
    async def _scenario() -> None:
        threads = RequestThreads(at_once=8, long_seconds=PATIENCE)
        may_end = threading.Event()
        async with threads.lent() as abandoned:
            abandoned.submit(may_end.wait, PATIENCE)
        async with threads.lent() as other:
            assert other is not abandoned
            assert await asyncio.wrap_future(other.submit(int)) == 0
            may_end.set()
            await _until(lambda: abandoned in threads._idle)
            async with threads.lent() as again:
                assert again is abandoned

    _run(_scenario)


@pytest.mark.parametrize("lent_before_it_ends", [False, True])
def test_a_request_that_ends_while_it_waits_loses_no_thread(lent_before_it_ends: bool) -> None:
    async def _scenario() -> None:
        threads = RequestThreads(at_once=1, long_seconds=PATIENCE)
        lease = threads.lent()
        first = await lease.__aenter__()
        waiting = asyncio.ensure_future(_borrowed(threads))
        await asyncio.sleep(0)
        if lent_before_it_ends:
            await lease.__aexit__(None, None, None)
            waiting.cancel()
        else:
            waiting.cancel()
            await asyncio.sleep(0)
            await lease.__aexit__(None, None, None)
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await _borrowed(threads) is first

    _run(_scenario)


async def _borrowed(threads: RequestThreads) -> RequestThread:
    async with threads.lent() as thread:
        return thread


def test_threads_that_many_long_requests_took_are_not_all_kept() -> None:
    async def _scenario() -> None:
        requests = Requests(at_once=1, long_seconds=0.001, kept=3)
        sent = [requests.send(f"/{number}") for number in range(12)]
        await _until(lambda: requests.running == 12)
        assert len(requests.threads) == 12
        requests.may_end.set()
        await asyncio.gather(*sent)
        await _until(lambda: sum(thread.is_alive() for thread in requests.threads) == 3)

    _run(_scenario)
