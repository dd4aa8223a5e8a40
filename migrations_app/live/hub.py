"""The hub of one process: reads the outbox when it is notified, and hands folded events to every watcher.

The outbox table is the only channel between processes: whatever a worker commits is read here a moment
later, in an order that no late commit disturbs. No broker is asked, so a broker that is away costs no event.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import close_old_connections

from migrations_app import wiring
from migrations_app.control.live_stream import queries as live
from migrations_app.control.references.queries.stream import FAMILY
from migrations_app.domain.access import Actor
from migrations_app.domain.events import Event, fold, gathered
from migrations_app.domain.reach import Reach
from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.live.graphs import MOST_EACH, Graphs
from migrations_app.live.messages import StreamHeartbeatSchema, StreamResyncSchema, event_message, written
from migrations_app.live.who import actor_behind
from migrations_app.web.commit_listener import CommitListener

EVERY_SECONDS = 0.25
"""Events are read at most so often, so that they can be folded; and so often while the database does not notify."""
LISTEN_AGAIN_SECONDS = 2.0
HEARTBEAT_SECONDS = 10.0
LOOK_AGAIN_SECONDS = HEARTBEAT_SECONDS
"""Every stream looks at its rights again as often as hearts beat, each from when it was opened: what ends by the clock
(a session, a token, a role, the hours of a role) is told by no event."""
LONGEST_QUEUE = 1_000
SHARED_SECONDS, MOST_SHARED = 1.0, 10_000
MOST_TOPICS = 200

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)


class Watcher:
    """One open stream: the topics it follows and the messages that wait to be sent to it."""

    def __init__(self, actor: Actor) -> None:
        self.account = actor.name
        self.topics: set[str] = set()
        self.reaches: Mapping[str, Reach] = live.reaches(actor)
        self.rights_changed = False
        self._waiting: deque[str] = deque()
        self._holding: dict[str, list[str]] = {}
        self._wake = asyncio.Event()

    def put(self, text: str) -> None:
        """Queue a message; a watcher that does not keep up loses its queue and reads its topics again."""
        if len(self._waiting) >= LONGEST_QUEUE:
            self._waiting.clear()
            self._waiting.extend(written(StreamResyncSchema(topic=topic)) for topic in sorted(self.topics))
        self._waiting.append(text)
        self._wake.set()

    def beat(self, text: str) -> None:
        """Queue a heartbeat, whose number says that all before it was heard; not before a replay that is to come."""
        if not self._holding:
            self.put(text)

    def take_event(self, topic: str, text: str) -> None:
        """Queue an event; while its topic is being replayed, keep it until after the replay."""
        held = self._holding.get(topic)
        if held is not None:
            held.append(text)
        else:
            self.put(text)

    def hold(self, topics: Iterable[str]) -> None:
        """Keep the events of these topics back from now on."""
        for topic in topics:
            self._holding.setdefault(topic, [])

    def release(self, topics: Iterable[str]) -> None:
        """Queue what was kept back."""
        for topic in topics:
            for text in self._holding.pop(topic, []):
                self.put(text)

    def wake(self) -> None:
        """Let the waiting reader of messages look again."""
        self._wake.set()

    async def messages(self, timeout_seconds: float) -> list[str]:
        """Wait for messages and take them all; none after the timeout or when only rights changed."""
        if not self._waiting:
            self._wake.clear()
            try:
                async with asyncio.timeout(timeout_seconds):
                    await self._wake.wait()
            except TimeoutError:
                return []
        taken = list(self._waiting)
        self._waiting.clear()
        return taken


class LiveHub:
    """Reads for all watchers of this process, as long as there are any."""

    def __init__(self) -> None:
        self.seq = 0
        self.watchers: set[Watcher] = set()
        # Two threads, hence two database connections, however many watch: the news never wait behind questions.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")
        self._news = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-news")
        self._actors: dict[tuple[str, ...], tuple[float, Actor]] = {}
        self._task: asyncio.Task[None] | None = None
        self._listener = CommitListener(wiring.outbox_notifications, "the outbox", LISTEN_AGAIN_SECONDS)
        self._starting = asyncio.Lock()
        self._graphs = Graphs()
        self._lag = timedelta(0)

    def has_room(self, account: str) -> bool:
        """Tell whether an account may open one more stream in this process."""
        held = sum(watcher.account == account for watcher in self.watchers)
        return held < settings.SWITCHYARD.sockets

    async def join(self, watcher: Watcher) -> int:
        """Begin to watch; gives the number from which on every event will be handed over.

        Raises: Busy (`too-many-requests`) when the account has as many streams open as it may.
        """
        async with self._starting:
            if self._task is None or self._task.done():
                self.seq = await self.ask(live.newest)
                self._task = asyncio.create_task(self._run(), name="live-hub")
            if not self.has_room(watcher.account):
                raise Busy(message("This account has too many live streams open."), code="too-many-requests")
            self.watchers.add(watcher)
        return self.seq

    def stop_watching(self, watcher: Watcher) -> None:
        """Stop watching; the last one stops the reading."""
        self.unsubscribe(watcher, frozenset(watcher.topics))
        self.watchers.discard(watcher)
        if not self.watchers and self._task is not None:
            self._task.cancel()
            self._task = None

    async def subscribe(self, watcher: Watcher, topics: frozenset[str], since: int | None) -> None:
        """Follow topics from now on, after replaying what came since `since`; a graph comes whole first."""
        for topic in _graphs_of(topics):
            watcher.topics.add(topic)
            self._graphs.follow(watcher, topic)
        topics -= _graphs_of(topics)
        if not topics:
            return
        if since is None:
            watcher.topics |= topics
            return
        watcher.hold(topics)
        watcher.topics |= topics
        upto = self.seq
        try:
            missed = await self.ask(live.replay, topics, watcher.reaches, since, upto)
            if missed.resync:
                for topic in sorted(topics):
                    watcher.put(written(StreamResyncSchema(topic=topic)))
            for event in missed.events:
                watcher.put(written(event_message(event)))
        finally:
            watcher.release(topics)

    def look_again(self, watcher: Watcher, actor: Actor) -> None:
        """Tell a watcher from now on what this actor may hear; where that changed it must read its topics again."""
        before, watcher.reaches = watcher.reaches, live.reaches(actor)
        moved = {topic for topic in before if before[topic] != watcher.reaches[topic]}
        for topic in sorted(watcher.topics & moved):
            watcher.put(written(StreamResyncSchema(topic=topic)))
        if "references" in moved:
            graphs = _graphs_of(watcher.topics)
            self._graphs.stop_watching(watcher, graphs)
            for topic in sorted(graphs):
                self._graphs.follow(watcher, topic)

    def unsubscribe(self, watcher: Watcher, topics: frozenset[str]) -> None:
        """Follow topics no longer."""
        self._graphs.stop_watching(watcher, _graphs_of(topics))
        watcher.topics -= topics

    async def actor(self, headers: Mapping[str, str], address: str) -> Actor:
        """Find who is behind a stream; streams with the same credentials share an answer for a second."""
        key = (*(headers.get(name, "") for name in ("authorization", "cookie")), address)
        known = self._actors.get(key)
        if known is None or known[0] < time.monotonic():
            # Noted before it is asked: what is asked now tells nothing of what is changed meanwhile.
            until = time.monotonic() + SHARED_SECONDS
            actors, actor = self._actors, await self.ask(actor_behind, headers, address)
            if len(actors) >= MOST_SHARED:
                actors.clear()
            known = actors[key] = (until, actor)
        return known[1]

    async def ask(self, question: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask the database on the hub's own thread."""
        return await self._asked(self._thread, partial(question, *args, **kwargs))

    async def _asked(self, thread: ThreadPoolExecutor, question: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(thread, partial(_fresh, question))

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listener.run())
            group.create_task(self._read())

    async def _wait(self, beaten: float, well: bool) -> None:
        """Wait until there may be events, or it is time for a heartbeat; at least for one moment of folding."""
        await asyncio.sleep(EVERY_SECONDS)
        left = beaten + HEARTBEAT_SECONDS - time.monotonic()
        if self._listener.listens and well and left > 0:
            await self._listener.wait(left)
        self._listener.clear()

    async def _read(self) -> None:
        beaten = time.monotonic()
        well = True
        await self._report()
        while True:
            await self._wait(beaten, well)
            try:
                news = await self._asked(self._news, partial(live.news, self.seq))
            except Exception as error:
                # Without a heartbeat the watchers see that they are behind, which is the truth.
                if well:
                    log.warning("the outbox cannot be read: %s", error)
                well = False
                continue
            well = True
            self._hand_out_or_resync(news.events)
            self.seq = news.upto
            if time.monotonic() - beaten >= HEARTBEAT_SECONDS:
                beaten = time.monotonic()
                text = written(StreamHeartbeatSchema(seq=self.seq, server_time=now()))
                for watcher in self.watchers:
                    watcher.beat(text)
                await self._report()

    async def _report(self) -> None:
        """Leave on record how the stream of this process does; the stream goes on without that, too."""
        lag, self._lag = self._lag, timedelta(0)
        try:
            report = partial(live.report, _name(), len(self.watchers), int(lag.total_seconds() * 1000))
            await self._asked(self._news, report)
        except Exception as error:
            log.warning("the stream's pulse cannot be written: %s", error)

    def _hand_out_or_resync(self, events: Iterable[Event]) -> None:
        """Hand out events; after an error those that are open read their topics again, for they may have lost some."""
        try:
            self._hand_out(events)
        except Exception:
            UNEXPECTED.note("handing out events")
            for watcher in self.watchers:
                for topic in sorted(watcher.topics):
                    watcher.take_event(topic, written(StreamResyncSchema(topic=topic)))

    def _hand_out(self, events: Iterable[Event]) -> None:
        sent = datetime.now(UTC)
        for event in gathered(fold(events)):
            self._lag = max(self._lag, sent - event.ts)
            if event.topic == live.RIGHTS:
                # A new dictionary: an answer that is under way goes into the old one.
                self._actors = {}
                for watcher in self.watchers:
                    watcher.rights_changed = True
                    watcher.wake()
                continue
            listening = [
                watcher
                for watcher in self.watchers
                if event.topic in watcher.topics and live.concerns(event, watcher.reaches)
            ]
            if not listening:
                continue
            text = written(event_message(event))
            for watcher in listening:
                watcher.take_event(event.topic, text)


def too_many(topics: Iterable[str]) -> WordedMessage:
    """Say why one stream may not follow all of these at once, or nothing."""
    every = frozenset(topics)
    if len(every) > MOST_TOPICS:
        return message("One stream follows at most {most} topics.", most=MOST_TOPICS)
    if len(_graphs_of(every)) > MOST_EACH:
        return message("One stream follows at most {most} graphs.", most=MOST_EACH)
    return NOTHING


def now() -> str:
    """Tell the server's time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _graphs_of(topics: Iterable[str]) -> frozenset[str]:
    return frozenset(topic for topic in topics if topic.startswith(FAMILY))


def _fresh(question: Callable[[], R]) -> R:
    close_old_connections()
    return question()


_hubs: dict[int, LiveHub] = {}


def hub() -> LiveHub:
    """Give the hub of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _hubs.get(id(loop))
    if found is None:
        # A test may run several loops in one process; a hub belongs to the one it was made in.
        _hubs.clear()
        found = _hubs[id(loop)] = LiveHub()
    return found


def _name() -> str:
    """Name this process as the one that has the streams."""
    return f"stream:{socket.gethostname()}:{os.getpid()}"
