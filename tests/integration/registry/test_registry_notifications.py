"""Watchers wait for the control database to notify them, and ask it themselves only while it cannot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest
from django.db import connections

from migrations_app.adapters.commit_notifications import REGISTRY
from migrations_app.control.registry.commands.save_registered import update_registered
from migrations_app.control.registry.queries import changes
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.meta_api import stream
from migrations_app.meta_api.stream import WatchHub
from tests.integration.notified import PATIENCE_SECONDS, end_listeners, in_thread, until


def _title(title: str) -> None:
    update_registered(
        SYSTEM, RegistryKind.REGION, "regions/north", {"title": title}, mask=(("title",),), allow_missing=True
    )


@asynccontextmanager
async def _watched() -> AsyncIterator[WatchHub]:
    hub = WatchHub()
    await hub.join()
    try:
        await until(lambda: hub._listener.listens)
        yield hub
    finally:
        task = hub._task
        hub.stop_watching()
        assert task is not None
        await asyncio.wait([task])


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The numbers that were read, with notifications as the only cause to read."""
    reader = ThreadPoolExecutor(1)
    monkeypatch.setattr(stream, "_readers", reader)
    found = list[int]()

    def head() -> changes.HistoryHead:
        now = changes.head()
        found.append(now.seq)
        return now

    monkeypatch.setattr(stream, "head", head)
    monkeypatch.setattr(stream, "EVERY_SECONDS", 3600.0)
    yield found
    reader.submit(connections.close_all).result()
    reader.shutdown()


async def test_a_watcher_hears_of_each_change_and_the_database_is_asked_once_for_it(
    transactional_db: None, reads: list[int]
) -> None:
    async with _watched() as hub:
        for title in ("a", "b", "c"):
            before = hub.head
            await in_thread(lambda title=title: _title(title))  # type: ignore[misc]
            assert await hub.beyond(before.id, before.seq, PATIENCE_SECONDS)

    # Who joins asks once, and once more when the database notifies from then on; then once for each commit.
    assert len(reads) <= 5


async def test_a_change_while_the_database_cannot_notify_is_heard_and_it_notifies_again_later(
    transactional_db: None, reads: list[int]
) -> None:
    async with _watched() as hub:
        before = hub.head
        assert await in_thread(lambda: end_listeners(REGISTRY)) == 1
        await in_thread(lambda: _title("cut off"))
        assert await hub.beyond(before.id, before.seq, PATIENCE_SECONDS)
        await until(lambda: hub._listener.listens)
        before = hub.head
        await in_thread(lambda: _title("together again"))
        assert await hub.beyond(before.id, before.seq, PATIENCE_SECONDS)
