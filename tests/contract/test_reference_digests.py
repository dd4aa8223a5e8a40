"""Reference rows held against documents by digests: what differs is found by shard, rows of no resource by name."""

from __future__ import annotations

from uuid import uuid4

from psycopg import sql

from migrations_app.adapters.store.reference_digests import PostgresReferenceIndexes
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.engine.serving.references.paths import places_of
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.ports.store import Draft, Layout
from migrations_app.ports.stored import ReplicationToken
from tests.contract.conftest import OLD, World
from tests.contract.test_pushed_references import knots


def _fill(world: World, count: int = 60) -> StoredReferences:
    """Write knots with the rows that Python finds in their documents."""
    references = StoredReferences(knots(), OLD, "north")
    schema = references.compiled.schema(OLD)
    for namespace in (world.old, world.new):
        world.store.prepare(namespace, [Layout("Knot")])
    with world.store.transaction(world.old) as transaction:
        for seed in range(count):
            name, body = Exemplars(schema, seed).resource(schema.resource("Knot"))
            found = references.of("Knot", body)
            transaction.put(Draft("Knot", f"{name}-{seed}", uuid4(), body, references=found), 0)
    return references


def _tamper(world: World, statement: str, *values: object) -> None:
    assert world.databases is not None
    with world.databases.transaction(world.old.database) as connection:
        place = sql.Identifier(world.old.schema, "reference")
        assert connection.execute(sql.SQL(statement).format(place), values).rowcount


def test_rows_that_are_what_the_documents_say_are_equal_in_every_shard(postgres_world: World) -> None:
    world = postgres_world
    references = _fill(world)
    assert world.databases is not None
    indexes = PostgresReferenceIndexes(world.databases)
    paths = places_of(references, "Knot")
    assert paths is not None
    assert len(paths) == 5

    found = indexes.digests(world.old, "Knot", paths)

    assert found.orphans == ()
    assert sum(each.kept.count for each in found.shards.values()) > 60
    assert all(each.is_equal for each in found.shards.values())
    assert indexes.digests(world.new, "Knot", paths).shards == {}


def test_a_lost_row_a_wrong_row_and_a_row_of_no_resource_are_found(postgres_world: World) -> None:
    world = postgres_world
    paths = places_of(_fill(world), "Knot")
    assert world.databases is not None
    indexes = PostgresReferenceIndexes(world.databases)
    whole = indexes.digests(world.old, "Knot", paths)
    _tamper(world, "DELETE FROM {0} WHERE ctid = (SELECT min(ctid) FROM {0})")
    lost = indexes.digests(world.old, "Knot", paths)
    differing = [shard for shard, each in lost.shards.items() if not each.is_equal]
    assert len(differing) == 1
    assert {shard: each.said for shard, each in lost.shards.items()} == {
        shard: each.said for shard, each in whole.shards.items()
    }
    _tamper(world, "UPDATE {0} SET target_name = 'knots/other' WHERE ctid = (SELECT max(ctid) FROM {0})")
    wrong = indexes.digests(world.old, "Knot", paths).shards
    assert 1 <= sum(not each.is_equal for each in wrong.values()) <= 2

    _tamper(world, "UPDATE {0} SET name = 'knots/nowhere' WHERE ctid = (SELECT min(ctid) FROM {0})")
    found = indexes.digests(world.old, "Knot", None)
    assert (found.shards, found.orphans) == ({}, ("knots/nowhere",))
    assert indexes.clear(world.old, "Knot", ["knots/nowhere", "knots/there-is-none"], None) >= 1
    assert indexes.digests(world.old, "Knot", None).orphans == ()


def test_only_rows_of_no_resource_are_deleted_also_on_the_side_that_is_not_served(
    postgres_world: World,
) -> None:
    world = postgres_world
    paths = places_of(_fill(world), "Knot")
    assert world.databases is not None
    indexes = PostgresReferenceIndexes(world.databases)
    with world.databases.connection(world.old.database) as connection:
        rows = connection.execute(
            sql.SQL("SELECT DISTINCT name FROM {}").format(sql.Identifier(world.old.schema, "reference"))
        ).fetchall()
    assert indexes.clear(world.old, "Knot", [str(row[0]) for row in rows], None) == 0
    assert all(each.is_equal for each in indexes.digests(world.old, "Knot", paths).shards.values())
    assert indexes.clear(world.new, "Knot", ["knots/x"], ReplicationToken(OLD, 1)) == 0
