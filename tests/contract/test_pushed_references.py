"""References that the database finds while it copies equal those found in the converted documents."""

from __future__ import annotations

from uuid import uuid4

from migrations_app.adapters.conversions import StoredConverter
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.references.paths import trails_of
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Draft, KeyRange, Layout, Reference, ReferenceKind
from tests.contract.conftest import World
from tests.contract.test_following import WARRANT
from tests.factories.sql_plans import not_converted

SERVICE_FILE = b"""
service: knots.example.com
versions:
  - {version: v1alpha2, stage: alpha, ordinal: 10, nextVersion: v1, sources: [{kind: ir, path: old.yaml}]}
  - {version: v1, stage: stable, ordinal: 20, sources: [{kind: ir, path: knots.yaml}]}
edges: [edge.yaml]
"""
EDGE = b"""
edge: {service: knots.example.com, from: v1alpha2, to: v1}
types: {Knot: {ops: [{rename: {from: before, to: next}}]}}
"""
KNOTS = b"""
schema:
  types:
    Knot:
      fields:
        name: string
        next: {type: {reference: Knot}, constraints: {onDelete: unset}}
        "odd.key": {type: {reference: Knot}, constraints: {onDelete: cascade}}
        ties: {type: {list: Tie}}
        named: {type: {map: {list: {reference: Knot}}}}
    Tie:
      fields:
        to: {reference: Knot}
        also: {list: {reference: Knot}}
  resources:
    Knot: {patterns: ["knots/{knot}"]}
"""


def test_the_database_finds_the_references_that_python_finds(postgres_world: World) -> None:
    world, short = postgres_world, "Knot"
    compiled = knots()
    converter = StoredConverter(
        compiled.stored.typed("v1alpha2", "v1"), short, StoredReferences(compiled, "v1", "north")
    )
    assert converter.sql is not None
    assert len(converter.sql.references) == 5
    # As text it would refer to nothing.
    assert converter.text is None
    schema = compiled.schema("v1alpha2")
    for namespace in (world.old, world.new):
        world.store.prepare(namespace, [Layout(short)])
    written = {}
    with world.store.transaction(world.old) as transaction:
        for seed in range(60):
            name, body = Exemplars(schema, seed).resource(schema.resource(short))
            if name not in written and transaction.get(short, name) is None:
                written[name] = transaction.put(Draft(short, name, uuid4(), body))
    for shard in range(16):
        copied = world.store.copy_within(
            world.old, world.new, KeyRange(short, shard), short, converter.sql, WARRANT, not_converted
        )
        assert copied is not None
    reading = world.store.read(world.new)
    told = 0
    for name, stored in written.items():
        made = converter.forward(name, stored.body)
        assert reading.references(short, made.name) == made.references, made.body
        told += len(made.references)
    assert told > 20


def knots(text: bytes = KNOTS) -> CompiledService:
    """A service whose one type refers to itself in every way."""
    old = text.replace(b" next:", b" before:")
    files = {"service.yaml": SERVICE_FILE, "knots.yaml": text, "old.yaml": old, "edge.yaml": EDGE}
    return compile_service(read_files(files))


def test_copying_again_replaces_what_a_resource_referred_to(postgres_world: World) -> None:
    world = postgres_world
    compiled = knots()
    converter = StoredConverter(
        compiled.stored.typed("v1alpha2", "v1"), "Knot", StoredReferences(compiled, "v1", "")
    )
    assert converter.sql is not None
    for namespace in (world.old, world.new):
        world.store.prepare(namespace, [Layout("Knot")])
    bodies: tuple[JsonObject, ...] = (
        {"before": "knots/b"},
        {"before": "knots/c", "ties": "no list", "named": {"a": [7, ""]}},
    )
    for body in bodies:
        with world.store.transaction(world.old) as transaction:
            draft = Draft("Knot", "knots/a", world.uids.setdefault("a", uuid4()), body)
            shard = transaction.put(draft).shard
        key_range = KeyRange("Knot", shard)
        world.store.copy_within(
            world.old, world.new, key_range, "Knot", converter.sql, WARRANT, not_converted
        )
    assert world.store.read(world.new).references("Knot", "knots/a") == (
        Reference("next", ReferenceKind.UNSET, "knots.example.com", "", "v1", "Knot", "knots/c"),
    )


def test_a_type_whose_targets_depend_on_the_name_has_no_trails() -> None:
    several = KNOTS.replace(b"{reference: Knot}, constraints: {onDelete: unset}", b"{reference: [Knot, Tie]}")
    assert trails_of(StoredReferences(knots(several), "v1", ""), "Knot") is None
