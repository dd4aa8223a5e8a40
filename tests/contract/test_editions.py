"""Namespaces that an earlier release built go on working, and are brought up to date where they stand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from uuid import uuid4

import pytest
from django.conf import settings
from psycopg import sql

from migrations_app.adapters.databases import Connection, Databases, Row, Statements
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store import indexing
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.rows import lock_key
from migrations_app.kernel.errors import Busy, Stale
from migrations_app.ports.feed import FeedOperation, Position
from migrations_app.ports.store import ABSENT, Draft, Layout, Namespace
from tests.contract.conftest import DEPLOYMENT, NEW, OLD, World

EDITIONS = sorted((Path(__file__).parent / "editions").glob("*.sql"))


def _build(connection: Connection, edition: Statements, namespace: Namespace) -> None:
    """Do what `prepare` of the first release did."""
    connection.execute(edition("shared"))
    connection.execute(edition("create", schema=namespace.schema))
    for table in ("shadow", "reference"):
        _guard(connection, edition, namespace, table)
    for type_ in ("Secret", "Old"):
        connection.execute(
            edition.template("table").format(
                schema=sql.Identifier(namespace.schema),
                table=sql.Identifier(f"r_{type_}"),
                shard_index=sql.Identifier(f"r_{type_}_shard"),
                type=sql.Literal(type_),
            )
        )
        _guard(connection, edition, namespace, f"r_{type_}")
        connection.execute(edition("note_type", schema=namespace.schema), (type_, False, []))


def _guard(connection: Connection, edition: Statements, namespace: Namespace, table: str) -> None:
    connection.execute(
        edition.template("guard").format(
            schema=sql.Identifier(namespace.schema),
            table=sql.Identifier(table),
            deployment=sql.Literal(namespace.deployment),
            version=sql.Literal(namespace.version),
            key=sql.Literal(str(lock_key(namespace.deployment))),
        )
    )


def _shape(connection: Connection, schema: str) -> list[Row]:
    """Tell the columns, indexes, triggers and functions of a schema."""
    return connection.execute(
        """
        SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
            || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || a.attnotnull
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        WHERE c.relnamespace = to_regnamespace(%(schema)s) AND c.relkind IN ('r', 'p') AND a.attnum > 0
            AND NOT a.attisdropped
        UNION ALL
        SELECT 'index', tablename, indexname, replace(indexdef, schemaname, '') FROM pg_indexes
        WHERE schemaname = %(schema)s
        UNION ALL
        SELECT 'trigger', c.relname, t.tgname, replace(pg_get_triggerdef(t.oid), %(schema)s, '')
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = to_regnamespace(%(schema)s) AND NOT t.tgisinternal
        UNION ALL
        SELECT 'function', '', p.proname, replace(p.prosrc, %(schema)s, '') FROM pg_proc p
        WHERE p.pronamespace = to_regnamespace(%(schema)s)
        ORDER BY 1, 2, 3
        """,
        {"schema": schema},
    ).fetchall()


@pytest.fixture(params=[path.stem for path in EDITIONS])
def earlier(request: pytest.FixtureRequest, data_database: str) -> Iterator[World]:
    """A deployment as an earlier release built it, with one resource at revision 2."""
    databases = Databases(settings.SWITCHYARD.data_url, patience_seconds=60)
    edition = Statements(Path(__file__).parent / "editions" / f"{request.param}.sql")
    old, new = (Namespace(DEPLOYMENT, each, data_database, f"secrets_{each}") for each in (OLD, NEW))
    with databases.transaction(data_database) as connection:
        for namespace in (old, new):
            _build(connection, edition, namespace)
        connection.execute("INSERT INTO switchyard.fence VALUES (%s, %s, 'OPEN', 1)", (DEPLOYMENT, OLD))
    with databases.transaction(data_database) as connection:
        connection.execute(
            'INSERT INTO secrets_v1alpha2."r_Secret" VALUES'
            " ('a/1', 3, 3, %s, 1, '{\"size\": 1}', '{}', 'north', now(), now())",
            (uuid4(),),
        )
        connection.execute('UPDATE secrets_v1alpha2."r_Secret" SET revision = 2')
    yield World(
        PostgresStore(databases), PostgresFeed(databases), PostgresFence(databases), old, new, databases
    )
    databases.close()


def test_what_an_earlier_release_built_ends_as_what_is_built_afresh(earlier: World) -> None:
    world = earlier
    assert world.databases is not None
    fresh = Namespace(DEPLOYMENT, OLD, world.old.database, "fresh")
    assert not world.store.is_current(world.old)
    for namespace in (world.old, world.new, fresh):
        world.store.prepare(namespace, [Layout("Secret")])
    world.store.prepare(fresh, [Layout("Secret"), Layout("Old")])

    assert world.store.is_current(world.old)
    assert world.store.is_current(fresh)
    with world.databases.connection(world.old.database) as connection:
        assert _shape(connection, world.old.schema) == _shape(connection, "fresh")


def test_writes_revisions_feed_and_fence_go_on_over_the_change(earlier: World) -> None:
    world = earlier
    world.store.prepare(world.old, [Layout("Secret")])
    world.store.prepare(world.new, [Layout("Secret")])

    assert world.write("a/1", 2, size=3).revision == 3
    assert world.delete("a/1").revision == 3
    assert world.write("a/1", ABSENT, size=4).revision == 5
    told = world.feed.read(world.old, Position("0.0")).changes
    assert [(each.operation, each.revision) for each in told] == [
        (FeedOperation.PUT, 1),
        (FeedOperation.PUT, 2),
        (FeedOperation.PUT, 3),
        (FeedOperation.DELETE, 4),
        (FeedOperation.PUT, 5),
    ]
    for type_ in ("Secret", "Old"):
        with pytest.raises(Stale) as stale, world.store.transaction(world.new) as transaction:
            transaction.put(Draft(type_, "a/2", uuid4(), {}))
        assert stale.value.code == "version-not-active"
    world.fence.freeze(world.old, world.state)
    with pytest.raises(Busy):
        world.write("a/1", 5)


def test_what_stands_is_prepared_again_beside_a_writer_that_holds_it(postgres_world: World) -> None:
    world = postgres_world
    layouts = [Layout("Secret", indexes=("spec.size",)), Layout("Project")]
    with world.store.transaction(world.old) as transaction:
        transaction.put(world.draft("a/1"), ABSENT)
        world.store.prepare(world.old, layouts)
        # Another type has a table of its own; the others' are left alone.
        world.store.prepare(world.old, [*layouts, Layout("Another", by_uid=True)])
    assert world.store.types(world.old) == ("Another", "Project", "Secret")
    assert _indexes(world, "r_Another") == {"r_Another_pkey", "r_Another_shard", "r_Another_uid"}


def test_an_index_that_an_upgrade_needs_is_built_while_others_go_on_writing(postgres_world: World) -> None:
    world = postgres_world
    needed = [Layout("Secret", by_uid=True), Layout("Project", by_uid=True)]
    preparing = Thread(target=world.store.prepare, args=(world.old, needed))
    with world.store.transaction(world.old) as transaction:
        transaction.put(world.draft("a/1"), ABSENT)
        preparing.start()
        _until_something_waits(world)
        assert world.write("a/2", ABSENT).revision == 1
        assert preparing.is_alive()
    preparing.join(120)
    assert _indexes(world, "r_Secret") > {"r_Secret_uid", "r_Secret_spec.size"}
    assert "r_Project_uid" in _indexes(world, "r_Project")


def test_an_index_whose_build_was_given_up_is_built_afresh(
    postgres_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = postgres_world
    with monkeypatch.context() as patch, world.store.transaction(world.old) as transaction:
        patch.setattr(indexing, "WRITERS_PATIENCE", "20ms")
        transaction.put(world.draft("a/1"), ABSENT)
        with pytest.raises(Busy) as busy:
            world.store.prepare(world.old, [Layout("Secret", by_uid=True)])
        assert busy.value.code == "database-busy"
    assert "r_Secret_uid" not in _indexes(world, "r_Secret")

    world.store.prepare(world.old, [Layout("Secret", by_uid=True)])
    assert "r_Secret_uid" in _indexes(world, "r_Secret")


def _indexes(world: World, table: str) -> set[str]:
    """Name the indexes of a table that can be used."""
    assert world.databases is not None
    with world.databases.connection(world.old.database) as connection:
        rows = connection.execute(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE i.indrelid = to_regclass(%s) AND i.indisvalid",
            (sql.Identifier(world.old.schema, table).as_string(),),
        ).fetchall()
    return {str(row[0]) for row in rows}


def _until_something_waits(world: World) -> None:
    assert world.databases is not None
    with world.databases.connection(world.old.database) as connection:
        for _ in range(20_000):
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            if connection.execute(waiting).fetchone() != (0,):
                return
            time.sleep(0.005)
    raise AssertionError("Nothing waits.")
