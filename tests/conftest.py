"""Fixtures that bring the real system: empty data databases, a live worker, a live web process."""

from __future__ import annotations

import os
import secrets
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from django.core.management.commands import flush
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware

from console.embedded.postgres import Postgres
from migrations_app.adapters.rates.valkey import PREFIX
from tests import migrated
from tests.processes import Children


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """The tests' own PostgreSQL."""
    return Postgres(Path(os.environ["SWITCHYARD_TEST_POSTGRES"]), fast_and_loose=True)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker,
    postgres: Postgres,
) -> Iterator[None]:  # fmt: skip
    """The control database of the tests: a copy of one that is migrated already."""
    from django.conf import settings
    from django.db import connection

    before = str(connection.settings_dict["NAME"])
    name = str(connection.settings_dict["TEST"]["NAME"] or f"test_{before}")
    migrated.copy(postgres, name)
    for known in (connection.settings_dict, settings.DATABASES["default"]):
        known["NAME"] = name
    yield
    with django_db_blocker.unblock():
        connection.close()
        drop_database(postgres, name)
        for known in (connection.settings_dict, settings.DATABASES["default"]):
            known["NAME"] = before


EMPTY = """
DO $$ DECLARE each text; found bool; BEGIN
    SET LOCAL session_replication_role = replica;
    SET LOCAL lock_timeout = '120s';
    WHILE clock_timestamp() < now() + interval '3 s' AND EXISTS (
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND backend_type = 'client backend' AND state <> 'idle'
    ) LOOP PERFORM pg_sleep(0.02), pg_stat_clear_snapshot(); END LOOP;
    {locks}
    FOREACH each IN ARRAY ARRAY[{tables}] LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', each) INTO found;
        IF found THEN EXECUTE format('DELETE FROM %I', each); END IF;
    END LOOP;
END $$"""
LOCKED = ("switchyard_ledgerentry", "switchyard_ledgerseal")
"""Waited for, as to truncate them would, and so is every statement that still runs: the server may commit for a process that was
killed. Its seal, made while the others are deleted, would continue a chain that is gone."""
KEPT = frozenset({"django_content_type", "auth_permission"})
"""What Django would fill again with what it had."""


@pytest.fixture(scope="session", autouse=True)
def quick_emptying() -> Iterator[None]:
    """After a test that committed, delete the few rows there are: to truncate every table takes thirty times as long."""

    def delete_rows(_: DatabaseOperations, __: Any, tables: list[str], **___: Any) -> list[str]:
        names = ", ".join(sql.Literal(table).as_string() for table in sorted({*tables} - KEPT))
        locks = "".join(f"LOCK TABLE {table} IN EXCLUSIVE MODE;" for table in LOCKED if table in tables)
        return [EMPTY.format(tables=names, locks=locks)] if names else []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", delete_rows)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_, **__: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def files_read_once() -> Iterator[None]:
    """Look for the files that are served once for all clients: each loads the middleware, which reads every folder of them."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}

    def once(look: Callable[..., None]) -> Callable[..., None]:
        @wraps(look)
        def looked(middleware: WhiteNoiseMiddleware, *places: object) -> None:
            key = (look.__name__, middleware.static_prefix, *map(str, places))
            if key not in found:
                others, middleware.files = middleware.files, {}
                look(middleware, *places)
                found[key], middleware.files = middleware.files, others
            middleware.files.update(found[key])

        return looked

    with pytest.MonkeyPatch.context() as patch:
        for name in ("add_files", "add_files_from_finders"):
            patch.setattr(WhiteNoiseMiddleware, name, once(getattr(WhiteNoiseMiddleware, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def authorities_read_once() -> Iterator[None]:
    """Read the certificates of authorities once for all HTTP clients: each would read them again, which takes 20 ms."""
    kept: dict[str, ssl.SSLContext] = {}

    def create_once(purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH, **source: Any) -> ssl.SSLContext:
        file = source.get("cafile")
        if file is None or len(source) > 1 or purpose is not ssl.Purpose.SERVER_AUTH:
            return create(purpose, **source)
        if file not in kept:
            kept[file] = create(purpose, **source)
        return kept[file]

    create = ssl.create_default_context
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", create_once)
        yield


@pytest.fixture(autouse=True)
def anchors_of_this_ledger_only(request: pytest.FixtureRequest) -> None:
    """Forget the file of anchors: workers that an earlier test ran signed the heads of a ledger that was emptied since."""
    if {"db", "transactional_db"} & {*request.fixturenames} or request.node.get_closest_marker("django_db"):
        (Path(os.environ["SWITCHYARD_HOME"]) / "anchors" / "ledger-anchors.jsonl").unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def fresh_rates(request: pytest.FixtureRequest) -> None:
    """Let no test's requests count in the next one's minute: all processes share the counts."""
    if {"db", "transactional_db"} & {*request.fixturenames} or request.node.get_closest_marker("django_db"):
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
            kept = list(client.scan_iter(f"{PREFIX}*", count=1000))
            if kept:
                client.delete(*kept)


@contextmanager
def empty_database(postgres: Postgres) -> Iterator[str]:
    """An empty data database under an alias of its own, dropped afterwards."""
    from django.conf import settings

    name = f"test_data_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{secrets.token_hex(4)}"
    # Files are copied for half of what it takes to write their pages to the log.
    _tell(postgres, sql.SQL("CREATE DATABASE {} STRATEGY FILE_COPY").format(sql.Identifier(name)))
    settings.SWITCHYARD.data_urls[name] = postgres.url(name)
    try:
        yield name
    finally:
        del settings.SWITCHYARD.data_urls[name]
        drop_database(postgres, name)


def drop_database(postgres: Postgres, name: str) -> None:
    """Drop a database, also with connections to it."""
    _tell(postgres, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _tell(postgres: Postgres, command: sql.Composed) -> None:
    """Over a connection of its own each time: some tests restart the server in between."""
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(command)


@pytest.fixture
def data_database(postgres: Postgres) -> Iterator[str]:
    """The alias of an empty data database."""
    with empty_database(postgres) as alias:
        yield alias


@pytest.fixture
def children(transactional_db: None, tmp_path: Path) -> Iterator[Children]:
    """Starts real processes on the test's databases and stops them afterwards."""
    started = Children(tmp_path)
    try:
        yield started
    finally:
        started.stop()


@pytest.fixture
def live_worker(children: Children) -> Children:
    """A real Celery worker with beat on the test's database."""
    from celery_worker.app import app
    from celery_worker.queues import QUEUES

    # Hints that earlier tests left name what is gone with them: a worker would quarantine their keys.
    with app.connection_for_write() as connection:
        for queue in QUEUES:
            connection.default_channel.queue_purge(queue)
    children.start_worker()
    children.start_beat()
    return children


@pytest.fixture
def live_web(children: Children) -> str:
    """The address of a real web process on the test's database."""
    return children.start_web()
