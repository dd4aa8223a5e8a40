"""The streams of watchers: one reader per process follows the registry's changes for all of them."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections

from migrations_app import wiring
from migrations_app.control.registry.queries.changes import HistoryChange, HistoryHead, changes_after, head
from migrations_app.domain.watches import Stateful, Stateless, WatchStep
from migrations_app.kernel.errors import Busy
from migrations_app.kernel.failpoints import reach
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message as worded
from migrations_app.meta_api.watch_query import WatchQuery
from migrations_app.web.commit_listener import CommitListener

EVERY_SECONDS = 5.0
"""How late a change is noticed of which the database could not notify."""
UNHEARD_SECONDS = 0.25
"""The same while there is no connection by which the database could notify."""
GATHER_SECONDS = 0.02
"""What changes within this time of a notification is read together."""
AWAY_SECONDS = 0.5
HEARTBEAT_SECONDS = 10.0
# A stream ends after this long: its watcher resumes by token, and has to be let in again.
LIFETIME_SECONDS = 600.0
KEPT_CHANGES = 5_000
MOST_WATCHERS = 2_000

log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
_readers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="registry-watch")


async def read(query: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a query off the event loop, on a connection that is looked after.

    Raises: Busy (`registry-unavailable`) when the control database does not answer.
    """

    def run() -> R:
        close_old_connections()
        try:
            return query(*args, **kwargs)
        except (InterfaceError, OperationalError) as error:
            raise Busy(
                worded("The tables of the registry cannot be read: {error}", error=str(error)),
                code="registry-unavailable",
            ) from error
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, run)


class WatchHub:
    """Follows the registry while anybody watches, and wakes the watchers when it moved."""

    def __init__(self) -> None:
        self.head = HistoryHead("", 0, 0)
        self.watchers = 0
        self.away = False
        self._recent: deque[HistoryChange] = deque(maxlen=KEPT_CHANGES)
        self._moved = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._listener = CommitListener(wiring.registry_notifications, "the registry", AWAY_SECONDS)

    async def join(self) -> HistoryHead:
        """Count one more watcher, start following if it is the first, and tell the head.

        Raises: Busy (`too-many-watchers`).
        """
        if self.watchers >= MOST_WATCHERS:
            raise Busy(worded("Too many watchers."), code="too-many-watchers", retry_after_seconds=5.0)
        # Always read again: who joins after a write of its own must be told of it.
        here = await read(head)
        self.watchers += 1
        if self._task is None or self._task.done():
            self.head = here
            self._recent.clear()
            self._task = asyncio.get_running_loop().create_task(self._run())
        elif here.id != self.head.id:
            await self._move(here, [])
        return here

    def stop_watching(self) -> None:
        """Count one watcher less; the last one stops the following."""
        self.watchers -= 1
        if self.watchers == 0 and self._task is not None:
            self._task.cancel()
            self._task = None

    async def beyond(self, past: str, seq: int, timeout_seconds: float) -> bool:
        """Wait until the registry is beyond a number, or another one; tell whether it is."""
        async with self._moved:
            try:
                moved = self._moved.wait_for(lambda: self.head.seq > seq or self.head.id != past)
                await asyncio.wait_for(moved, timeout_seconds)
            except TimeoutError:
                return False
        return True

    async def changes(self, seq: int) -> list[HistoryChange] | None:
        """Give the changes after a number; None when the history no longer has them."""
        if self._recent and self._recent[0].seq <= seq + 1:
            recent = [each for each in self._recent if each.seq > seq]
            if recent:
                return recent
        reach("watch-behind")
        found = await read(changes_after, seq)
        now = await read(head)
        if now.id != self.head.id or now.pruned > seq:
            return None
        return found

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listener.run())
            group.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            await self._listener.wait(EVERY_SECONDS if self._listener.listens else UNHEARD_SECONDS)
            await asyncio.sleep(GATHER_SECONDS)
            self._listener.clear()
            try:
                now = await read(head)
                recent = await self._since(now)
            except Busy:
                # No client is told anything until the tables answer again; then it goes on where it was.
                self.away = True
                await asyncio.sleep(AWAY_SECONDS)
                continue
            self.away = False
            if now == self.head:
                continue
            if recent and recent[-1].seq < now.seq:
                now = HistoryHead(now.id, recent[-1].seq, now.pruned)
            await self._move(now, recent)

    async def _move(self, now: HistoryHead, recent: list[HistoryChange]) -> None:
        async with self._moved:
            if now.id != self.head.id:
                self._recent.clear()
            self._recent.extend(recent)
            self.head = now
            self._moved.notify_all()

    async def _since(self, now: HistoryHead) -> list[HistoryChange]:
        return await read(changes_after, self.head.seq) if now.id == self.head.id and now != self.head else []


_hubs: dict[asyncio.AbstractEventLoop, WatchHub] = {}


def hub() -> WatchHub:
    """Give the hub of the running loop; a process serves from one."""
    loop = asyncio.get_running_loop()
    for other in [each for each in _hubs if each.is_closed()]:
        del _hubs[other]
    return _hubs.setdefault(loop, WatchHub())


async def stateless(
    asked: WatchQuery,
    documents: Callable[[], Sequence[JsonObject]],
    since: Callable[[HistoryHead], int | None],
    token: Callable[[HistoryHead, int], str],
) -> AsyncIterator[JsonObject]:
    """Tell a watcher everything, or what it missed, and from then on what changes.

    `since` says after which change it goes on: None for a snapshot, -1 for one after a hard reset.
    """
    shared = hub()
    here = await shared.join()
    try:
        end = _end()
        start = await read(since, here)
        watch = Stateless(asked)
        telling = WatcherState(watch, asked, documents, token, shared, here)
        telling.begin(start)
        while _now() < end:
            try:
                async for message in telling.more():
                    yield message
            except Busy:
                if watch.open:
                    yield watch.soft_reset()
                telling.rewind()
                await asyncio.sleep(AWAY_SECONDS)
    finally:
        shared.stop_watching()


class WatcherState:
    """Where one stateless watcher is: what it was told up to, and what it is told next."""

    def __init__(
        self,
        watch: Stateless,
        asked: WatchQuery,
        documents: Callable[[], Sequence[JsonObject]],
        token: Callable[[HistoryHead, int], str],
        shared: WatchHub,
        here: HistoryHead,
    ) -> None:
        self._watch, self._asked, self._documents, self._token = watch, asked, documents, token
        self._shared, self._here = shared, here
        self._whole, self._hard, self._greeted = False, False, False
        # Told up to `_seq` as a whole; `_at` is ahead of it in the middle of a long stretch.
        self._seq = self._at = here.seq

    def begin(self, start: int | None) -> None:
        """Begin with a snapshot (None), one after a hard reset (-1), or after a number."""
        self._whole, self._hard = start is None or start < 0, start is not None and start < 0
        if start is not None and start >= 0:
            self._seq = self._at = start
            self._watch.known = None

    def rewind(self) -> None:
        """Roll back to where the watcher was told it is current."""
        self._at = self._seq

    async def more(self) -> AsyncIterator[JsonObject]:
        """Tell the next that there is: a snapshot, changes, or that all is as it was.

        Raises: Busy when the tables are away.
        """
        if self._whole:
            async for message in self._snapshot():
                yield message
            return
        # A resumed watcher is told at once that it is current, when nothing happened meanwhile.
        patience = HEARTBEAT_SECONDS if self._greeted else 0.001
        past = self._here.id
        moved = self._at < self._here.seq or await self._shared.beyond(past, self._at, patience)
        # A registry restored from an older copy is another past: what was told no longer counts.
        now = self._shared.head
        restored = now.id != past or (self._greeted and not moved and now.seq < self._at)
        if not moved and not restored:
            self._greeted = True
            current = not self._shared.away
            token = self._token(now, self._at) if current else ""
            yield self._asked.message([], token, is_current=current)
            return
        changes = None if restored else await self._shared.changes(self._at)
        if changes is None:
            self._whole = self._hard = True
        elif changes:
            for message in self._follow(changes):
                yield message

    async def _snapshot(self) -> AsyncIterator[JsonObject]:
        # The number first: what changes while the rows are read is told once more, which does no harm.
        self._here = await read(head)
        self._seq = self._at = self._here.seq
        found = await read(self._documents)
        for message in self._watch.snapshot(found, self._token(self._here, self._seq), hard=self._hard):
            yield message
        self._whole, self._greeted = False, True

    def _follow(self, changes: list[HistoryChange]) -> Iterator[JsonObject]:
        self._at = changes[-1].seq
        level = self._at >= max(self._shared.head.seq, self._here.seq)
        steps = [WatchStep(each.name, each.document) for each in changes if self._asked.concerns(each)]
        for message in self._watch.follow(steps, self._token(self._shared.head, self._at), level=level):
            self._greeted = True
            yield message
        if level:
            self._seq = self._at


async def stateful(
    asked: WatchQuery,
    page: Callable[[], tuple[list[JsonObject], JsonObject]],
    token: Callable[[HistoryHead, int], str],
) -> AsyncIterator[JsonObject]:
    """Tell a watcher one page of a list, and from then on how it moves."""
    shared = hub()
    here = await shared.join()
    try:
        watch = Stateful(asked)
        end, past, seq, first, stale = _end(), here.id, here.seq, True, True
        while _now() < end:
            try:
                message = None
                if stale:
                    shown, tokens = await read(page)
                    message = watch.show(shown, tokens, token(shared.head, seq), first=first)
                    first = stale = False
                if message is not None:
                    yield message
                while not await shared.beyond(past, seq, HEARTBEAT_SECONDS):
                    yield asked.message([], token(shared.head, seq), is_current=not shared.away)
                changes = await shared.changes(seq)
                stale = changes is None or any(map(asked.concerns, changes))
                past, seq = shared.head.id, changes[-1].seq if changes else shared.head.seq
            except Busy:
                stale = True
                await asyncio.sleep(AWAY_SECONDS)
    finally:
        shared.stop_watching()


def _now() -> float:
    return asyncio.get_running_loop().time()


def _end() -> float:
    return _now() + LIFETIME_SECONDS
