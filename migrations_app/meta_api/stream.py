"""The streams of watchers: one reader per process follows the registry's changes for all of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.json import JsonObject
from migrations_app.meta_api.watching import Stateful, Stateless
from migrations_app.queries.registry_changes import Change, Head, changes_after, head

EVERY_SECONDS = 0.1
HEARTBEAT_SECONDS = 10.0
# A stream ends after this long: its watcher resumes by token, and has to be let in again.
LIFETIME_SECONDS = 600.0
KEPT_CHANGES = 5_000
MOST_WATCHERS = 2_000

P = ParamSpec("P")
R = TypeVar("R")
_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="registry-watch")


async def read(query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a query off the event loop, on a connection that is looked after."""

    def run() -> R:
        close_old_connections()
        try:
            return query(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, run)


class Hub:
    """Follows the registry while anybody watches, and wakes the watchers when it moved."""

    def __init__(self) -> None:
        self.head = Head("", 0, 0)
        self.watchers = 0
        self._recent: deque[Change] = deque(maxlen=KEPT_CHANGES)
        self._moved = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    async def join(self) -> Head:
        """Count one more watcher, start following if it is the first, and tell the head.

        Raises: Busy (`too-many-watchers`).
        """
        if self.watchers >= MOST_WATCHERS:
            raise Busy("Too many watchers.", code="too-many-watchers", retry_after_seconds=5.0)
        # Always read afresh: who joins after a write of its own must be told of it.
        here = await read(head)
        self.watchers += 1
        if self._task is None or self._task.done():
            self.head = here
            self._recent.clear()
            self._task = asyncio.get_running_loop().create_task(self._follow())
        return here

    def leave(self) -> None:
        """Count one watcher less; the last one stops the following."""
        self.watchers -= 1
        if self.watchers == 0 and self._task is not None:
            self._task.cancel()
            self._task = None

    async def beyond(self, seq: int, timeout_seconds: float) -> bool:
        """Wait until the registry is beyond a number; tell whether it is."""
        async with self._moved:
            try:
                await asyncio.wait_for(self._moved.wait_for(lambda: self.head.seq > seq), timeout_seconds)
            except TimeoutError:
                return False
        return True

    async def changes(self, seq: int) -> list[Change] | None:
        """Give the changes after a number; None when the history no longer has them."""
        if self._recent and self._recent[0].seq <= seq + 1:
            recent = [each for each in self._recent if each.seq > seq]
            if recent:
                return recent
        found = await read(changes_after, seq)
        now = await read(head)
        if now.id != self.head.id or now.pruned > seq:
            return None
        return found

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            now = await read(head)
            if now == self.head:
                continue
            if now.id == self.head.id:
                self._recent.extend(await read(changes_after, self.head.seq))
                if self._recent and self._recent[-1].seq < now.seq:
                    now = Head(now.id, self._recent[-1].seq, now.pruned)
            else:
                self._recent.clear()
            async with self._moved:
                self.head = now
                self._moved.notify_all()


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """Give the hub of the running loop; a process serves from one."""
    loop = asyncio.get_running_loop()
    for other in [each for each in _hubs if each.is_closed()]:
        del _hubs[other]
    return _hubs.setdefault(loop, Hub())


async def stateless(
    watch: Stateless,
    documents: Callable[[], list[JsonObject]],
    since: Callable[[Head], int | None],
    token: Callable[[Head, int], str],
) -> AsyncIterator[JsonObject]:
    """Tell a watcher everything, or what it missed, and from then on what changes.

    `since` says after which change it goes on: None for a snapshot, -1 for one after a hard reset.
    """
    shared = hub()
    here = await shared.join()
    try:
        clock = asyncio.get_running_loop()
        end = clock.time() + LIFETIME_SECONDS
        start = await read(since, here)
        seq = here.seq if start is None or start < 0 else start
        if start is None or start < 0:
            for message in watch.snapshot(await read(documents), token(here, seq), hard=start is not None):
                yield message
        else:
            watch.known = None
        # A resumed watcher is told at once that it is current, when nothing happened meanwhile.
        told = start is None or start < 0
        while clock.time() < end:
            moved = seq < here.seq or await shared.beyond(seq, HEARTBEAT_SECONDS if told else 0.001)
            # A registry restored from an older copy is another past: what was told no longer counts.
            restored = told and not moved and (shared.head.id != here.id or shared.head.seq < seq)
            if not moved and not restored:
                told = True
                yield watch.asked.message([], token(shared.head, seq), is_current=True)
                continue
            changes = None if restored else await shared.changes(seq)
            if changes is None:
                here = await read(head)
                seq = here.seq
                for message in watch.snapshot(await read(documents), token(here, seq), hard=True):
                    yield message
                continue
            if changes:
                seq = changes[-1].seq
                for message in watch.follow(changes, token(shared.head, seq)):
                    yield message
                    told = True
    finally:
        shared.leave()


async def stateful(
    watch: Stateful,
    page: Callable[[], tuple[list[JsonObject], JsonObject]],
    token: Callable[[Head, int], str],
) -> AsyncIterator[JsonObject]:
    """Tell a watcher one page of a list, and from then on how it moves."""
    shared = hub()
    here = await shared.join()
    try:
        clock = asyncio.get_running_loop()
        end = clock.time() + LIFETIME_SECONDS
        seq, first = here.seq, True
        while clock.time() < end:
            shown, tokens = await read(page)
            message = watch.show(shown, tokens, token(shared.head, seq), first=first)
            first = False
            if message is not None:
                yield message
            while not await shared.beyond(seq, HEARTBEAT_SECONDS):
                yield watch.asked.message([], token(shared.head, seq), is_current=True)
            seq = shared.head.seq
    finally:
        shared.leave()
