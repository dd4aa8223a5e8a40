"""A conversion pushed down to PostgreSQL equals the reference engine on every document, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations, product
from pathlib import Path

import psycopg
import pytest
from psycopg.types.json import set_json_dumps, set_json_loads

from console.embedded.postgres import Postgres
from migrations_app.domain.conversion.bag import BAG, is_bagged
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import stranger
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.values import SymbolRefused
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import Json, JsonObject, canonical, decode
from tests.unit.conversion.cases import CASES, build
from tests.unit.conversion.services import named_service, service

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PUSHED = {
    "added with a default",
    "many symbols to one (scalar)",
    "nest",
    "flatten one level",
    "objects inside",
    "rename and remove",
    "same name, other field",
    "symbols that wait in the bag (scalar)",
}

PARTLY_PUSHED = {
    # Left to Python: a flag that is there but not true, beside a value whose witness is no constant.
    "flag to a special value": (("most", "unlimited"), 16 * 16 - 13 * 14),
    "presence to a symbol": (("pull", "kind"), 16 * 16),
}


@pytest.fixture(scope="module")
def connection(postgres: Postgres) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as made:
        set_json_loads(decode, made)
        set_json_dumps(canonical, made)
        yield made


def run(
    connection: psycopg.Connection, converter: TypeConverter, name: str, body: JsonObject
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
    converter: TypeConverter, back: TypeConverter, count: int, kind: str = "Thing"
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


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_has_no_bag_comes_back_without_one(case: str) -> None:
    """The count of what a rollback loses rests on this, wherever both ways are written in SQL."""
    compiled = build(case)
    for source, target in permutations(compiled.versions):
        converter, back = (
            compiled.converter("Thing", *ways) for ways in ((source, target), (target, source))
        )
        if converter.partial_sql is None or back.partial_sql is None:
            continue
        given = [(name, body) for name, body in documents(converter, back, 25) if not is_bagged(body)]
        assert len(given) >= 25
        for name, body in given:
            there = converter.forward(name, body)
            assert back.forward(there.name, there.body) == (name, body)


def test_published_tasks_cross_in_sql_as_in_python(connection: psycopg.Connection) -> None:
    compiled = compile_service(read_folder(EXAMPLES / "cloud-tasks"))
    for source, target in permutations(compiled.versions, 2):
        converter, back = (compiled.converter("Task", *ways) for ways in ((source, target), (target, source)))
        for name, body in documents(converter, back, 20, "Task"):
            wanted = converter.forward(name, body)
            found_name, found = run(connection, converter, name, body)
            assert (found_name, canonical(found)) == (wanted.name, canonical(wanted.body)), canonical(body)


@pytest.mark.parametrize("case", sorted(PARTLY_PUSHED))
def test_sql_is_unsure_or_equals_the_reference_engine(connection: psycopg.Connection, case: str) -> None:
    (keys, many), compiled = PARTLY_PUSHED[case], build(case)
    forth, back = (compiled.converter("Thing", *ways) for ways in (("v1", "v2"), ("v2", "v1")))
    assert (forth.sql, back.sql) == (None, None)
    given = list(_combined(keys))
    there = [forth.forward("things/t", body).body for body in given]
    # Bags that fit, and bags of another document.
    mixed = [{**body, BAG: other[BAG]} for body in given for other in there[::31] if BAG in other]
    assert sum(_sure(connection, forth, "things/t", body) for body in given) == many
    assert sum(_sure(connection, back, "things/t", body) for body in there) == many
    assert all(_sure(connection, back, "things/t", body) for body in given)
    assert not all(_sure(connection, each, "things/t", body) for each in (forth, back) for body in mixed)


@pytest.mark.parametrize(
    ("old", "new", "op", "sure"),
    [
        ("string", "{enum: [X, Y]}", "{from: s, to: t, map: {A: X}, rest: bag}", (9, 7)),
        ("{enum: [A, Y]}", "{enum: [X, Y]}", "{from: s, to: t, map: {A: X}, rest: refuse}", (6, 6)),
    ],
)
def test_symbols_without_a_counterpart_cross_in_sql_as_in_python(
    connection: psycopg.Connection, old: str, new: str, op: str, sure: tuple[int, int]
) -> None:
    compiled = service(
        f"Thing: {{fields: {{name: string, s: {old}}}}}",
        f"Thing: {{fields: {{name: string, t: {new}}}}}",
        f"- enum: {op}",
    )
    forth, back = (compiled.converter("Thing", *ways) for ways in (("v1", "v2"), ("v2", "v1")))
    states: tuple[Json, ...] = ("A", "X", "Y", "other", "", None, 7, {}, ["A"])
    for converter, key, many in ((forth, "s", sure[0]), (back, "t", sure[1])):
        other, bags = back if converter is forth else forth, list[Json]()
        for state in states:
            with suppress(SymbolRefused):
                bags.append(other.forward("things/t", {"t" if key == "s" else "s": state}).body.get(BAG))
        plain: list[JsonObject] = [{key: state} for state in states]
        assert sum(_sure(connection, converter, "things/t", body) for body in plain) == many
        for body in (*plain, {}):
            for bag in bags:
                with suppress(SymbolRefused):
                    _sure(connection, converter, "things/t", body if bag is None else {**body, BAG: bag})


@pytest.mark.parametrize(
    ("source", "target", "least"),
    [
        ("v2beta2", "v2beta3", 150),
        ("v2beta3", "v2beta2", 150),
        ("v2beta2", "v2", 150),
        ("v2", "v2beta2", 150),
    ],
)
def test_published_queues_cross_in_sql_as_in_python(
    connection: psycopg.Connection, source: str, target: str, least: int
) -> None:
    compiled = compile_service(read_folder(EXAMPLES / "cloud-tasks"))
    converter, back = (compiled.converter("Queue", *ways) for ways in ((source, target), (target, source)))
    given = documents(converter, back, 50, "Queue")
    assert sum(_sure(connection, converter, name, body) for name, body in given) >= least


def _combined(keys: tuple[str, ...]) -> Iterator[JsonObject]:
    """Every combination of states of some fields, odd ones too."""
    odd: tuple[Json, ...] = (
        None,
        True,
        False,
        -1,
        -1.0,
        1,
        7,
        0.5,
        "-1",
        "PULL",
        "PUSH",
        {},
        {"x": 1},
        [],
        [1],
    )
    for states in product((ABSENT, *odd), repeat=len(keys)):
        yield {key: state for key, state in zip(keys, states, strict=True) if state is not ABSENT}


def _sure(connection: psycopg.Connection, converter: TypeConverter, name: str, body: JsonObject) -> bool:
    """Tell whether SQL is sure about a document; then it is converted as the reference engine does."""
    plan = converter.partial_sql
    assert plan is not None
    query = (
        f"SELECT {plan.unsure_expression}, {plan.name_expression}, {plan.body_expression}, body "
        "FROM (SELECT %s::text AS name, %s::jsonb AS body) row"
    )
    row = connection.execute(query, (name, canonical(body).decode())).fetchone()
    assert row is not None
    if row[0]:
        return False
    # As it is stored: jsonb writes 1e300 as a whole number.
    wanted = converter.forward(name, row[3])
    assert (row[1], canonical(row[2])) == (wanted.name, canonical(wanted.body)), canonical(body)
    return True


def test_a_region_enters_a_name_in_sql_as_in_python(connection: psycopg.Connection) -> None:
    compiled = named_service()
    converter = compiled.converter("Thing", "v1", "v2")
    for name in ("projects/p/things/t", "projects/größe/things/x-1"):
        bodies: tuple[JsonObject, ...] = ({"name": name, "a": "x"}, {"a": None}, {})
        for body in bodies:
            wanted = converter.forward(name, body)
            assert run(connection, converter, name, body) == (wanted.name, wanted.body)
    assert compiled.converter("Thing", "v2", "v1").sql is None
