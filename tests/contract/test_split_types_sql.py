"""Types that split and merge, copied and compared by the database as by Python, on random documents and strange ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from console.embedded.postgres import Postgres
from migrations_app.adapters.conversions import StoredConverter
from migrations_app.adapters.store.comparing import PostgresComparing
from migrations_app.domain.conversion.laws.cases import Case, of_the_part
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import stranger
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files, read_folder
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.kernel.json import Json, JsonObject, canonical, decode
from migrations_app.ports.store import Draft, KeyRange, Layout
from tests.contract.conftest import World
from tests.contract.test_following import WARRANT

DELIVERY = Path(__file__).resolve().parents[2] / "examples" / "delivery"
DOCUMENTS = int(os.environ.get("SWITCHYARD_LAW_DOCUMENTS", "60"))
STRANGE: tuple[Json, ...] = (7, None, "PIGEON", {"a": 1})
SPLITS = [("Target", "v1", "v2"), ("Channel", "v2", "v1")]


@pytest.fixture(scope="module")
def delivery() -> CompiledService:
    return compile_service(read_folder(DELIVERY))


@pytest.fixture(scope="module")
def connection(postgres: Postgres) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as made:
        yield made


def with_other(compiled: CompiledService) -> CompiledService:
    """The same service, in which one part takes what no part claims."""
    files = dict(compiled.folder.files)
    edge = files["edges/v1-v2.yaml"]
    split = b"into: {HttpTarget: [HTTP, HTTPS], QueueTarget: [QUEUE]}}"
    assert split in edge
    files["edges/v1-v2.yaml"] = edge.replace(
        split, b"into: {HttpTarget: [HTTP, HTTPS], QueueTarget: [QUEUE]}, else: QueueTarget}"
    )
    return compile_service(read_files(files))


def converter_of(compiled: CompiledService, type_: str, source: str, target: str) -> StoredConverter:
    references = StoredReferences(compiled, target, "north"), StoredReferences(compiled, source, "north")
    return StoredConverter(compiled.stored.typed(source, target), type_, *references)


def documents(
    compiled: CompiledService, type_: str, source: str, target: str, count: int
) -> Iterator[tuple[str, JsonObject]]:
    """Fresh documents of every part, strange ones, and such as came back from the other version with a bag."""
    typed = compiled.stored.typed(source, target)
    for route in typed.routes(type_):
        resource = compiled.schema(source).resource(type_)
        for seed in range(count):
            name, document = Exemplars(route.source, seed).resource(resource)
            document = of_the_part(route, document, seed)
            yield name, document
            yield name, stranger(Case(route, name, document, seed))
            yield name, {**document, "kind": STRANGE[seed % 4]}
            back = compiled.stored.typed(target, source)
            other = compiled.schema(target).resource(route.target_type or "")
            other_name, other_body = Exemplars(route.target, seed).resource(other)
            try:
                returned = back.forward(route.target_type or "", other_name, other_body)
            except NoImage:
                continue
            yield returned.name, returned.body


def pushed(
    connection: psycopg.Connection, converter: StoredConverter, name: str, body: JsonObject
) -> list[tuple[str, str, bytes]]:
    """Ask the database what a resource becomes: once for each part that it belongs to."""
    found: list[tuple[str, str, bytes]] = []
    for part in converter.parts:
        asked = (
            f"SELECT {part.plan.name_expression}, ({part.plan.body_expression})::text "
            "FROM (SELECT %s::text AS name, %s::jsonb AS body) row "
            f"WHERE {part.condition_expression}"
        )
        for row in connection.execute(asked, (name, canonical(body).decode())).fetchall():
            found.append((part.target_type, row[0], canonical(decode(row[1].encode()))))
    return found


@pytest.mark.parametrize(("type_", "source", "target"), SPLITS)
@pytest.mark.parametrize("other", [False, True])
def test_a_split_in_the_database_equals_the_reference_engine(
    connection: psycopg.Connection,
    delivery: CompiledService,
    type_: str,
    source: str,
    target: str,
    other: bool,
) -> None:
    compiled = with_other(delivery) if other else delivery
    converter = converter_of(compiled, type_, source, target)
    assert len(converter.parts) == 2
    kept = hidden = 0
    for name, body in documents(compiled, type_, source, target, DOCUMENTS):
        found = [each for each in pushed(connection, converter, name, body) if each[1] is not None]
        try:
            made = converter.forward(name, body)
        except NoImage:
            assert found == [], canonical(body)
            hidden += 1
            continue
        assert found == [(made.type, made.name, canonical(made.body))], canonical(body)
        kept += 1
    assert kept > DOCUMENTS
    assert hidden > 0


@pytest.mark.parametrize(("type_", "source", "target"), SPLITS)
def test_a_page_of_a_type_that_splits_is_copied_and_compared_within_the_database(
    postgres_world: World, delivery: CompiledService, type_: str, source: str, target: str
) -> None:
    world, converter = postgres_world, converter_of(delivery, type_, source, target)
    back = {each: converter_of(delivery, each, target, source) for each in converter.target_types}
    world.store.prepare(world.old, [Layout(type_)])
    world.store.prepare(world.new, [Layout(each) for each in converter.target_types])
    wanted: dict[tuple[str, str], JsonObject] = {}
    with world.store.transaction(world.old) as transaction:
        for name, body in documents(delivery, type_, source, target, 30):
            try:
                made = converter.forward(name, body)
            except NoImage:
                continue
            if transaction.get(type_, name) is None:
                transaction.put(Draft(type_, name, uuid4(), body))
                wanted[made.type, made.name] = made.body
    assert len({type_ for type_, _ in wanted}) == 2
    assert world.databases is not None
    comparing = PostgresComparing(world.databases)

    missing = [
        name
        for shard in range(16)
        if (page := comparing.compare_page(world.old, world.new, KeyRange(type_, shard), converter))
        for name in page.suspects
    ]
    assert len(missing) == len(wanted)
    copied = 0
    for shard in range(16):
        done = world.store.copy_parts_within(
            world.old, world.new, KeyRange(type_, shard, upto="\U0010ffff"), converter.parts, WARRANT
        )
        assert done is not None
        copied += done.written
    assert copied == len(wanted)
    held = {
        (each, row.name): row.body
        for each in converter.target_types
        for shard in range(16)
        for row in world.store.page(world.new, KeyRange(each, shard))
    }
    assert held == wanted
    for shard in range(16):
        page = comparing.compare_page(world.old, world.new, KeyRange(type_, shard), converter)
        assert page is not None
        assert (page.pushed, page.suspects) == (True, {})
        for each, returning in back.items():
            there = comparing.absent_page(world.new, world.old, KeyRange(each, shard, bare=True), returning)
            assert there is not None
            assert there.suspects == {}


def test_a_page_with_a_resource_of_no_part_goes_the_way_that_names_it(
    postgres_world: World, delivery: CompiledService
) -> None:
    world, converter = postgres_world, converter_of(delivery, "Target", "v1", "v2")
    world.store.prepare(world.old, [Layout("Target")])
    world.store.prepare(world.new, [Layout(each) for each in converter.target_types])
    with world.store.transaction(world.old) as transaction:
        kept = transaction.put(Draft("Target", "projects/p/targets/http-a", uuid4(), {"kind": "PIGEON"}))
    key_range = KeyRange("Target", kept.shard, upto="\U0010ffff")

    assert world.store.copy_parts_within(world.old, world.new, key_range, converter.parts, WARRANT) is None
    assert not any(world.store.page(world.new, KeyRange(each, kept.shard)) for each in converter.target_types)
    assert world.databases is not None
    page = PostgresComparing(world.databases).compare_page(
        world.old, world.new, KeyRange("Target", kept.shard), converter
    )
    assert page is not None
    assert page.suspects == {kept.name: kept.revision}
