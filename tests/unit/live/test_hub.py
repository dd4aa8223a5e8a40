"""What a process tells its watchers of: folded, with a pulse, and no more than they take."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from migrations_app.control.live_stream.queries import News
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.events import Event
from migrations_app.kernel.errors import Busy
from migrations_app.live import hub as hubs
from migrations_app.live.hub import HEARTBEAT_SECONDS, LONGEST_QUEUE, LiveHub, Watcher

AT = datetime(2026, 1, 1, tzinfo=UTC)
TOPIC = "upgrade:u1"


class Outbox:
    """Gives a report of each of so many shards whenever it is asked."""

    def __init__(self, shards: int) -> None:
        self.seq, self._shards = 0, shards

    def news(self, since: int) -> News:
        """Tell what became visible since."""
        events = []
        for shard in range(self._shards):
            self.seq += 1
            full = {"shard": shard, "copied": self.seq}
            events.append(Event(self.seq, AT, TOPIC, "shard", f"u1/{shard}", full=full))
        return News(self.seq, tuple(events))


class NoNotifications:
    """A database that does not notify."""

    async def follow(self) -> AsyncGenerator[None]:
        """Refuse to follow."""
        raise Busy("This database does not notify.", code="registry-unavailable")
        yield


class UnsendableOnce(Outbox):
    """Gives a value that is no JSON the first time."""

    def news(self, since: int) -> News:
        """Tell what became visible since."""
        if self.seq:
            return super().news(since)
        self.seq += 1
        broken: Any = object()
        return News(self.seq, (Event(self.seq, AT, TOPIC, "upgrade", "u1", full={"state": broken}),))


@asynccontextmanager
async def _watched(monkeypatch: pytest.MonkeyPatch, outbox: Outbox) -> AsyncIterator[Watcher]:
    monkeypatch.setattr(hubs.live, "newest", lambda: 0)
    monkeypatch.setattr(hubs.live, "news", outbox.news)
    monkeypatch.setattr(hubs.live, "report", lambda *_: None)
    monkeypatch.setattr(hubs.wiring, "outbox_notifications", NoNotifications)
    monkeypatch.setattr(hubs, "_fresh", lambda question: question())
    hub, watcher = LiveHub(), Watcher(SYSTEM)
    await hub.join(watcher)
    watcher.topics.add(TOPIC)
    try:
        yield watcher
    finally:
        hub.stop_watching(watcher)


async def _heard(watcher: Watcher, seconds: float, least: int) -> list[dict[str, Any]]:
    """Hear for so long, and on until there are so many messages."""
    heard: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    stop = loop.time() + seconds
    async with asyncio.timeout(60):
        while (left := stop - loop.time()) > 0 or len(heard) < least:
            heard += [json.loads(text) for text in await watcher.messages(max(left, 0.1))]
    return heard


async def test_the_shards_of_an_upgrade_are_told_at_most_four_times_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outbox = Outbox(4_096)
    async with _watched(monkeypatch, outbox) as watcher:
        heard = await _heard(watcher, 1.6, least=1)

    assert {(each["op"], each["kind"]) for each in heard} == {("event", "shards")}
    assert 1 <= len(heard) <= 6
    assert all(len(each["patch"]["items"]) == 4_096 for each in heard)


async def test_a_heart_beats_with_the_newest_number_though_nothing_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert HEARTBEAT_SECONDS == 10.0
    monkeypatch.setattr(hubs, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(hubs, "EVERY_SECONDS", 0.02)
    outbox = Outbox(0)
    outbox.seq = 17
    async with _watched(monkeypatch, outbox) as watcher:
        heard = await _heard(watcher, 0.8, least=2)

    assert {(each["op"], each["seq"]) for each in heard} == {("heartbeat", 17)}
    assert 2 <= len(heard) <= 8


async def test_who_does_not_keep_up_loses_the_queue_and_reads_the_topics_anew() -> None:
    watcher = Watcher(SYSTEM)
    watcher.topics |= {"fleet", TOPIC}
    for number in range(LONGEST_QUEUE + 3):
        watcher.put(f'{{"op":"event","seq":{number}}}')
    told = [json.loads(text) for text in await watcher.messages(1.0)]

    assert [(each["op"], each.get("topic", each.get("seq"))) for each in told] == [
        ("resync", "fleet"),
        ("resync", TOPIC),
        *(("event", LONGEST_QUEUE + late) for late in range(3)),
    ]


async def test_an_event_that_cannot_be_sent_makes_watchers_read_their_topics_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs, "EVERY_SECONDS", 0.02)
    outbox = UnsendableOnce(1)
    async with _watched(monkeypatch, outbox) as watcher, asyncio.timeout(60):
        heard = [json.loads(text) for text in await watcher.messages(60.0)]
        while not any(message["op"] == "event" for message in heard):
            heard += [json.loads(text) for text in await watcher.messages(60.0)]

    assert heard[0] == {"op": "resync", "topic": TOPIC}
    assert [message["op"] for message in heard].count("resync") == 1
