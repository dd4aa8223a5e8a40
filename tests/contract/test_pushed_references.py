"""References that the database finds while it copies equal those found in the converted documents."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from migrations_app.adapters.conversions import StoredConverter
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files, read_folder
from migrations_app.engine.serving.stored_references import StoredReferences
from migrations_app.engine.serving.trails import trails_of
from migrations_app.ports.store import Draft, Layout, Reference, ReferenceKind, Stretch
from tests.contract.conftest import World
from tests.contract.test_following import WARRANT

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SERVICE_FILE = b"""
service: knots.example.com
versions:
  - {version: v1alpha2, stage: alpha, ordinal: 10, nextVersion: v1, sources: [{kind: ir, path: knots.yaml}]}
  - {version: v1, stage: stable, ordinal: 20, sources: [{kind: ir, path: knots.yaml}]}
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


@pytest.mark.parametrize("example", ["secrets", "privateca", "knots"])
def test_the_database_finds_the_references_that_python_finds(postgres_world: World, example: str) -> None:
    world = postgres_world
    compiled = _compiled(example)
    source, target = compiled.versions[0], compiled.versions[-1]
    references = StoredReferences(compiled, target, "north")
    checked = 0
    for each in compiled.resource_types(source):
        short = each.type.rpartition("/")[2]
        converter = StoredConverter(compiled.converter(short, source, target), references)
        if converter.sql is None or not converter.sql.references:
            continue
        checked += _check(world, compiled, short, converter)
    assert checked > 0


def _check(world: World, compiled: CompiledService, short: str, converter: StoredConverter) -> int:
    schema = compiled.schema(compiled.versions[0])
    for namespace in (world.old, world.new):
        world.store.prepare(namespace, [Layout(short), Layout(converter.target_type or "")])
    written = {}
    with world.store.transaction(world.old) as transaction:
        for seed in range(60):
            name, body = Exemplars(schema, seed).resource(schema.resource(short))
            if name not in written and transaction.get(short, name) is None:
                written[name] = transaction.put(Draft(short, name, uuid4(), body))
    for shard in range(16):
        copied = world.store.copy_within(
            world.old, world.new, Stretch(short, shard), converter.target_type or "", converter.sql, WARRANT
        )
        assert copied is not None
    reading = world.store.read(world.new)
    told = 0
    for name, stored in written.items():
        made = converter.forward(name, stored.body)
        assert reading.references(converter.target_type or "", made.name) == made.references, made.body
        told += len(made.references)
    return told


def _compiled(example: str) -> CompiledService:
    if example == "knots":
        return compile_service(read_files({"service.yaml": SERVICE_FILE, "knots.yaml": KNOTS}))
    return compile_service(read_folder(EXAMPLES / example))


def test_copying_again_replaces_what_a_resource_referred_to(postgres_world: World) -> None:
    world = postgres_world
    compiled = _compiled("knots")
    converter = StoredConverter(
        compiled.converter("Knot", "v1alpha2", "v1"), StoredReferences(compiled, "v1", "")
    )
    for namespace in (world.old, world.new):
        world.store.prepare(namespace, [Layout("Knot")])
    for body in ({"next": "knots/b"}, {"next": "knots/c", "ties": "no list", "named": {"a": [7, ""]}}):
        with world.store.transaction(world.old) as transaction:
            draft = Draft("Knot", "knots/a", world.uids.setdefault("a", uuid4()), body)
            shard = transaction.put(draft).shard
        world.store.copy_within(world.old, world.new, Stretch("Knot", shard), "Knot", converter.sql, WARRANT)
    assert world.store.read(world.new).references("Knot", "knots/a") == (
        Reference("next", ReferenceKind.UNSET, "knots.example.com", "", "v1", "Knot", "knots/c"),
    )


def test_a_type_whose_targets_depend_on_the_name_has_no_trails() -> None:
    several = KNOTS.replace(b"{reference: Knot}, constraints: {onDelete: unset}", b"{reference: [Knot, Tie]}")
    compiled = compile_service(read_files({"service.yaml": SERVICE_FILE, "knots.yaml": several}))
    assert trails_of(StoredReferences(compiled, "v1", ""), "Knot") is None
