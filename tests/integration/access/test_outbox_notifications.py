"""A stream waits for the control database to notify it of events, and asks it itself only while it cannot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from django.db import connections

from migrations_app.adapters.commit_notifications import OUTBOX
from migrations_app.control.events import outbox
from migrations_app.control.live_stream import queries
from migrations_app.domain.access import SYSTEM
from migrations_app.live import hub as hubs
from migrations_app.live.hub import LiveHub, Watcher
from tests.integration.notified import PATIENCE_SECONDS, end_listeners, in_thread, until


def _publish(id: str) -> None:
    outbox.publish("fleet", "cell", id, full={"ready": 1}, rev=1)


async def _next_event(watcher: Watcher) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            for text in await watcher.messages(PATIENCE_SECONDS):
                message = json.loads(text)
                if message["op"] == "event":
                    return str(message["id"])


@asynccontextmanager
async def _watched() -> AsyncIterator[tuple[LiveHub, Watcher]]:
    hub, watcher = LiveHub(), Watcher(SYSTEM)
    await hub.join(watcher)
    watcher.topics.add("fleet")
    task = hub._task
    assert task is not None
    try:
        await until(lambda: hub._listener.listens)
        yield hub, watcher
    finally:
        hub.stop_watching(watcher)
        await asyncio.wait([task])
        for thread in (hub._thread, hub._news):
            await asyncio.get_running_loop().run_in_executor(thread, connections.close_all)
            thread.shutdown()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers after which events were read, with notifications as the only cause to read."""
    asked = list[int]()

    read_news = queries.news

    def news(since: int) -> queries.News:
        asked.append(since)
        return read_news(since)

    monkeypatch.setattr(hubs.live, "news", news)
    monkeypatch.setattr(hubs, "HEARTBEAT_SECONDS", 3600.0)
    return asked


async def test_an_event_is_heard_and_the_outbox_is_read_once_for_it(
    transactional_db: None, reads: list[int]
) -> None:
    async with _watched() as (_, watcher):
        for id in ("a", "b", "c"):
            await in_thread(lambda id=id: _publish(id))  # type: ignore[misc]
            assert await _next_event(watcher) == id

    # Once when the database notifies from then on, then once for each commit.
    assert len(reads) <= 4


async def test_an_event_while_the_database_cannot_notify_is_heard_and_it_notifies_again_later(
    transactional_db: None,
) -> None:
    async with _watched() as (hub, watcher):
        assert await in_thread(lambda: end_listeners(OUTBOX)) == 1
        await in_thread(lambda: _publish("cut off"))
        assert await _next_event(watcher) == "cut off"
        await until(lambda: hub._listener.listens)
        await in_thread(lambda: _publish("together again"))
        assert await _next_event(watcher) == "together again"
