"""The graphs of references that clients look at, read again when something was written, told as differences."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol, TypeVar

from django.db import close_old_connections

from migrations_app.control.references.queries import stream
from migrations_app.domain.events import Event
from migrations_app.domain.reach import Reach
from migrations_app.kernel.errors import Refused
from migrations_app.kernel.json import JsonObject
from migrations_app.live.messages import StreamDeniedSchema, event_message, written

EVERY_SECONDS = 1.0
AT_LEAST_SECONDS = 15.0
"""What other regions wrote is in no feed here, so a graph is read again after so long in any case."""
REST = 4
"""After a look the thread rests so many times as long as the look took."""
MOST_EACH = 4
"""So many graphs one stream follows at a time."""

R = TypeVar("R")
log = logging.getLogger(__name__)


class Listener(Protocol):
    """Whom messages are queued for."""

    topics: set[str]
    reaches: Mapping[str, Reach]

    def put(self, text: str) -> None:
        """Queue a message."""
        ...


@dataclass(slots=True)
class _Followed:
    topic: str
    reach: Reach
    listeners: set[Listener] = field(default_factory=set)
    last_sent: JsonObject | None = None
    rev: int = 0
    read_at: float = 0.0


class Graphs:
    """Follows each graph once for all who may read equally far, however many look at it.

    Its events are numbered 0: they are not of the outbox, and a client that missed one cannot have it replayed.
    """

    def __init__(self) -> None:
        self._followed: dict[tuple[str, Reach], _Followed] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="graphs")
        self._writes = stream.Writes()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def follow(self, listener: Listener, topic: str) -> None:
        """Send the whole graph now or as soon as it is read, and then every difference."""
        reach = listener.reaches["references"]
        graph = self._followed.setdefault((topic, reach), _Followed(topic, reach))
        graph.listeners.add(listener)
        if graph.last_sent is not None:
            listener.put(self._text(graph, full=graph.last_sent))
        else:
            self._wake.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="live-graphs")

    def stop_watching(self, listener: Listener, topics: Iterable[str]) -> None:
        """Stop; a graph without a client is not read any more."""
        given = frozenset(topics)
        for key, graph in list(self._followed.items()):
            if graph.topic in given:
                graph.listeners.discard(listener)
                if not graph.listeners:
                    del self._followed[key]
        if not self._followed and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _run(self) -> None:
        while self._followed:
            began = time.monotonic()
            self._wake.clear()
            try:
                await self._look()
            except Exception as error:
                log.warning("graphs of references cannot be read: %s", error)
            rest = max(EVERY_SECONDS, REST * (time.monotonic() - began))
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    await self._wake.wait()

    async def _look(self) -> None:
        moved = await self._ask(self._writes.moved)
        for graph in list(self._followed.values()):
            old = time.monotonic() - graph.read_at >= AT_LEAST_SECONDS
            if moved or old or graph.last_sent is None:
                await self._read(graph)

    async def _read(self, graph: _Followed) -> None:
        graph.read_at = time.monotonic()
        try:
            now = await self._ask(lambda: stream.graph_of(graph.topic, graph.reach))
        except Refused as error:
            denied = written(StreamDeniedSchema(topic=graph.topic, reason=error.message))
            for listener in list(graph.listeners):
                listener.topics.discard(graph.topic)
                listener.put(denied)
                self.stop_watching(listener, [graph.topic])
            return
        before, graph.last_sent = graph.last_sent, now
        patch = None if before is None else stream.difference(before, now)
        if before is None or patch is not None:
            graph.rev += 1
            text = self._text(graph, patch=patch, full=now if before is None else None)
            for listener in graph.listeners:
                listener.put(text)

    def _text(self, graph: _Followed, full: JsonObject | None = None, patch: JsonObject | None = None) -> str:
        now = datetime.now(UTC)
        return written(
            event_message(Event(0, now, graph.topic, "graph", graph.topic, graph.rev, full, patch))
        )

    async def _ask(self, question: Callable[[], R]) -> R:
        def _fresh() -> R:
            close_old_connections()
            return question()

        return await asyncio.get_running_loop().run_in_executor(self._thread, _fresh)
