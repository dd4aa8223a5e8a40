"""Processes that prepare the same namespace at one time: each finds it ready, none fails over what another one built."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace

import pytest
from django.conf import settings
from psycopg import sql

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.preparing import _SHARED_LOCK_STATEMENT
from migrations_app.ports.store import Layout
from tests.contract.conftest import World

PROCESSES = 4
LAYOUTS = [Layout("Secret", indexes=("spec.size",)), Layout("Project")]


def _waiting(databases: Databases, alias: str) -> int:
    with databases.connection(alias) as connection:
        asked = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()"
        row = connection.execute(
            sql.SQL(asked + " WHERE l.locktype = 'advisory' AND NOT l.granted")
        ).fetchone()
    assert row is not None
    return int(str(row[0]))


def _all_at_once(world: World, work: Callable[[PostgresStore], object], dropped: str) -> list[Future[object]]:
    """Let processes do the same work, held up together where each has read that nothing stands."""
    assert world.databases is not None
    stores = [Databases(settings.SWITCHYARD.data_url, patience_seconds=60) for _ in range(PROCESSES)]
    try:
        for number, databases in enumerate(stores):
            # Each has prepared something already: what a session knows of the catalogue is not read again by itself.
            PostgresStore(databases).prepare(replace(world.old, schema=f"secrets_before_{number}"), LAYOUTS)
        with world.databases.transaction(world.old.database) as connection:
            connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(dropped)))
        with ThreadPoolExecutor(PROCESSES) as pool:
            with world.databases.transaction(world.old.database) as holder:
                holder.execute(_SHARED_LOCK_STATEMENT)
                running = [pool.submit(work, PostgresStore(databases)) for databases in stores]
                deadline = time.monotonic() + 60
                while _waiting(world.databases, world.old.database) < PROCESSES:
                    assert time.monotonic() < deadline, "not all of them came to the lock"
                    time.sleep(0.02)
            wait(running)
    finally:
        for databases in stores:
            databases.close()
    return running


@pytest.mark.parametrize("dropped", ["secrets_at_once", "switchyard"])
def test_a_namespace_that_several_prepare_at_once_stands_for_all_of_them(
    postgres_world: World, dropped: str
) -> None:
    wanted = replace(postgres_world.old, schema="secrets_at_once")

    running = _all_at_once(postgres_world, lambda store: store.prepare(wanted, LAYOUTS), dropped)

    assert [each.exception() for each in running] == [None] * PROCESSES
    assert set(postgres_world.store.types(wanted)) == {"Secret", "Project"}
    assert postgres_world.store.is_current(wanted)
