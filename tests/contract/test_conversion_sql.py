"""A conversion pushed down to PostgreSQL equals the reference engine on every document, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import psycopg
import pytest
from psycopg.types.json import set_json_dumps, set_json_loads

from console.embedded.postgres import Postgres
from migrations_app.domain.conversion.converter import Converter
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import Case, stranger
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import JsonObject, canonical, decode
from tests.unit.conversion.cases import CASES, build
from tests.unit.conversion.services import named_service

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PUSHED = {
    "added with a default",
    "many symbols to one (scalar)",
    "nest",
    "flatten one level",
    "objects inside",
    "rename and remove",
    "same name, other field",
}


@pytest.fixture(scope="module")
def connection(postgres: Postgres) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as made:
        set_json_loads(decode, made)
        set_json_dumps(canonical, made)
        yield made


def run(
    connection: psycopg.Connection, converter: Converter, name: str, body: JsonObject
) -> tuple[str, object]:
    plan = converter.sql
    assert plan is not None
    query = (
        f"SELECT {plan.name_expression}, {plan.body_expression} "
        "FROM (SELECT %s::text AS name, %s::jsonb AS body) row"
    )
    row = connection.execute(query, (name, canonical(body).decode())).fetchone()
    assert row is not None
    return row[0], row[1]


def documents(
    converter: Converter, back: Converter, count: int, kind: str = "Thing"
) -> Iterator[tuple[str, JsonObject]]:
    """Fresh documents, strange ones, and such as came back from the other version with a bag."""
    for seed in range(count):
        name, document = Exemplars(converter.source, seed).resource(converter.source.resource(kind))
        yield name, document
        yield name, stranger(Case(converter, name, document, seed))
        other_name, other = Exemplars(back.source, seed).resource(back.source.resource(kind))
        converted = back.forward(other_name, other)
        yield converted.name, converted.body
        stale = {
            **converted.body,
            **{key: value for key, value in document.items() if seed % 2 and key != "name"},
        }
        yield converted.name, stale


def test_what_can_be_pushed_down_is() -> None:
    assert {case for case in CASES if build(case).converter("Thing", "v1", "v2").sql is not None} == PUSHED


@pytest.mark.parametrize("case", sorted(PUSHED))
def test_sql_equals_the_reference_engine(connection: psycopg.Connection, case: str) -> None:
    compiled = build(case)
    for source, target in permutations(compiled.versions):
        converter, back = (
            compiled.converter("Thing", *ways) for ways in ((source, target), (target, source))
        )
        for name, body in documents(converter, back, 25):
            wanted = converter.forward(name, body)
            found_name, found = run(connection, converter, name, body)
            assert (found_name, canonical(found)) == (wanted.name, canonical(wanted.body)), canonical(body)


def test_published_tasks_cross_in_sql_as_in_python(connection: psycopg.Connection) -> None:
    compiled = compile_service(read_folder(EXAMPLES / "cloud-tasks"))
    for source, target in permutations(compiled.versions, 2):
        converter, back = (compiled.converter("Task", *ways) for ways in ((source, target), (target, source)))
        for name, body in documents(converter, back, 20, "Task"):
            wanted = converter.forward(name, body)
            found_name, found = run(connection, converter, name, body)
            assert (found_name, canonical(found)) == (wanted.name, canonical(wanted.body)), canonical(body)


def test_a_region_enters_a_name_in_sql_as_in_python(connection: psycopg.Connection) -> None:
    compiled = named_service()
    converter = compiled.converter("Thing", "v1", "v2")
    for name in ("projects/p/things/t", "projects/größe/things/x-1"):
        bodies: tuple[JsonObject, ...] = ({"name": name, "a": "x"}, {"a": None}, {})
        for body in bodies:
            wanted = converter.forward(name, body)
            assert run(connection, converter, name, body) == (wanted.name, wanted.body)
    assert compiled.converter("Thing", "v2", "v1").sql is None
