"""Watchers wait for the control database to notify them, and ask it themselves only while it cannot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest
from django.db import connection, connections

from migrations_app.adapters.commit_notifications import REGISTRY
from migrations_app.control.registry.commands.save_registered import update_registered
from migrations_app.control.registry.queries import changes
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.meta_api import stream
from migrations_app.meta_api.stream import WatchHub

PATIENCE_SECONDS = 60.0
LISTENERS = (
    f"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN {REGISTRY}'"
)


def _title(title: str) -> None:
    update_registered(
        SYSTEM, RegistryKind.REGION, "regions/north", {"title": title}, mask=(("title",),), allow_missing=True
    )


def _end_listeners() -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(pg_terminate_backend(pid)) FROM ({LISTENERS}) AS listener")
        return int(cursor.fetchone()[0])


async def _in_thread(work: Callable[[], object]) -> object:
    def run() -> object:
        try:
            return work()
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def _watched() -> AsyncIterator[WatchHub]:
    hub = WatchHub()
    await hub.join()
    try:
        await _until(lambda: hub._listens)
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
            await _in_thread(lambda title=title: _title(title))  # type: ignore[misc]
            assert await hub.beyond(before.id, before.seq, PATIENCE_SECONDS)

    # Who joins asks once, and once more when the database notifies from then on; then once for each commit.
    assert len(reads) <= 5


async def test_a_change_while_the_database_cannot_notify_is_heard_and_it_notifies_again_later(
    transactional_db: None, reads: list[int]
) -> None:
    async with _watched() as hub:
        before = hub.head
        assert await _in_thread(_end_listeners) == 1
        await _in_thread(lambda: _title("cut off"))
        assert await hub.beyond(before.id, before.seq, PATIENCE_SECONDS)
        await _until(lambda: hub._listens)
        before = hub.head
        await _in_thread(lambda: _title("together again"))
        assert await hub.beyond(before.id, before.seq, PATIENCE_SECONDS)
