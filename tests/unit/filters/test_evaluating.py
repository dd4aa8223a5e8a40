"""Filters have two truth values, and compare values by what they mean."""

from __future__ import annotations

import pytest

from migrations_app.domain.filters import bind, evaluate, parse
from migrations_app.domain.filters.ast import Filter, IsNull
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.ir import load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json

DOC: Json = {
    "a": 1,
    "text": "Zebra",
    "none": None,
    "tags": ["x", "y"],
    "labels": {"team": "core", "a.b": "dotted"},
    "parts": [{"id": "p1", "n": 1}, {"id": "p2", "n": 5}],
    "ratio": "NaN",
    "ok": False,
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1", True),
        ("a = 1.0", True),
        ('a = "1"', False),
        ('a != "1"', True),
        ("a < 2 AND a >= 1", True),
        ("ok = FALSE", True),
        ("ok = 0", False),
        ("gone = 1", False),
        ("gone != 1", False),
        ("NOT (gone = 1)", True),
        ("NOT gone != 1", True),
        ("gone IN (1)", False),
        ("gone NOT IN (1)", True),
        ("none != 1", False),
        ("none IS NULL", True),
        ("gone IS NULL", True),
        ("a IS NOT NULL", True),
        ("ratio IS NaN", True),
        ("ratio IS NOT NaN", False),
        ("gone IS NOT NaN", False),
        ("a IS NOT NaN", True),
        ('text < "a"', True),
        ('text LIKE "Z%a"', True),
        ('text LIKE "Z_bra"', True),
        ('text LIKE "ebr"', False),
        (r'text LIKE "Z\%"', False),
        ('tags CONTAINS "x"', True),
        ('tags CONTAINS ALL ("x", "z")', False),
        ('tags CONTAINS ANY ("x", "z")', True),
        ("tags CONTAINS ALL ()", True),
        ('labels CONTAINS "team"', True),
        ('labels.team = "core"', True),
        (r'labels.a\.b = "dotted"', True),
        ("parts.n > 3", True),
        ('parts.id = "p1" AND parts.n = 5', True),
        ('parts EXISTS (id = "p1" AND n = 5)', False),
        ('parts EXISTS (id = "p2" AND n = 5)', True),
        ('parts[0].id = "p1"', True),
        ("parts[7].id IS NULL", True),
        ("a.b.c = 1", False),
        ('labels = {"team": "core", "a.b": "dotted"}', True),
        ("()", True),
    ],
)
def test_atoms_hold_or_do_not(text: str, expected: bool) -> None:
    assert evaluate(parse(text), DOC) is expected


SCHEMA_TEXT = """
service: t.example.com
version: v1
types:
  Doc:
    fields:
      name: string
      created_at: {type: timestamp, jsonName: createdAt}
      wait: duration
      big: {scalar: {kind: i64, jsonEncoding: string}}
      exact: decimal
      raw: bytes
      level: {enum: [{name: LOW, number: 0}, {name: HIGH, number: 5}, {name: MIDDLE, number: 3}]}
      mood: {enum: {values: [GOOD], open: true}}
      tags: {list: string}
      sizes: {map: i32}
      parts: {list: Part}
      part: Part
      free: struct
      ok: bool
      ratio: f64
  Part: {fields: {part_id: {type: string, jsonName: partId}, n: i32}}
resources: {Doc: {patterns: ["docs/{doc}"]}}
"""
BOUND_DOC: Json = {
    "name": "docs/a",
    "createdAt": "2026-01-01T10:00:00.5+01:00",
    "wait": "90s",
    "big": "9007199254740993",
    "exact": "0.10",
    "raw": "-_8",
    "level": "MIDDLE",
    "tags": ["a"],
    "sizes": {"x": 3},
    "parts": [{"partId": "p", "n": 2}],
    "part": {"partId": "q"},
    "free": {"deep": [{"k": 1}]},
    "ok": True,
    "ratio": 0.5,
}


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_ir(read_yaml(SCHEMA_TEXT)).schema


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('created_at = "2026-01-01T09:00:00.500Z"', True),
        ('createdAt > "2026-01-01T09:00:00.499999999Z"', True),
        ('created_at < "2026-01-01T09:30:00Z"', True),
        ('wait >= "90.000s"', True),
        ("big = 9007199254740993", True),
        ("big = 9007199254740992", False),
        ('big > "9"', True),
        ("exact = 0.1", True),
        ('raw = "+/8="', True),
        ("level < 'HIGH'", True),
        ("level >= 'MIDDLE'", True),
        ("level > 'MIDDLE'", False),
        ("level = 3", True),
        ('tags CONTAINS "a"', True),
        ("sizes.x = 3", True),
        ('sizes CONTAINS "x"', True),
        ('parts.part_id = "p"', True),
        ('parts EXISTS (part_id = "p" AND n > 1)', True),
        ("part.n IS NULL", True),
        ("free.deep.k = 1", True),
        ("ok = TRUE", True),
        ('mood = "ANY"', False),
        ("ratio IS NOT NaN", True),
    ],
)
def test_bound_filters_compare_by_type(schema: Schema, text: str, expected: bool) -> None:
    assert evaluate(bind(parse(text), schema, "Doc"), BOUND_DOC) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parts.part_id:p", True),
        ("sizes:x", True),
        ("tags:z", False),
        ("part:part_id", True),
        ("level:MIDDLE", True),
    ],
)
def test_has_means_what_the_type_says(schema: Schema, text: str, expected: bool) -> None:
    assert evaluate(bind(parse(text, "aip160"), schema, "Doc"), BOUND_DOC) is expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("gone = 1", "filter-path"),
        ("part.gone = 1", "filter-path"),
        ("name.x = 1", "filter-path"),
        ("name = TRUE", "filter-type"),
        ("ok = 1", "filter-type"),
        ('big = "x"', "filter-type"),
        ('created_at > "yesterday"', "filter-type"),
        ('wait > "90m"', "filter-type"),
        ('level = "MIDDEL"', "filter-type"),
        ("level IN ('LOW', 'MIDDEL')", "filter-type"),
        ('tags = "a"', "filter-type"),
        ('name CONTAINS "a"', "filter-type"),
        ('big LIKE "1%"', "filter-type"),
        ("name IS NaN", "filter-type"),
        ("part < {}", "filter-type"),
        ("name EXISTS (a = 1)", "filter-type"),
    ],
)
def test_what_a_type_cannot_answer_is_refused(schema: Schema, text: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        bind(parse(text), schema, "Doc")
    assert refused.value.code == code


def test_an_order_below_every_enum_value_holds_for_none(schema: Schema) -> None:
    bound: Filter = bind(parse("level < 'LOW' OR part IS NULL"), schema, "Doc")
    assert isinstance(bound, IsNull)


def test_in_with_null_never_equals() -> None:
    assert not evaluate(parse("none IN (NULL)"), DOC)
    assert evaluate(parse("a IN (NULL, 1)"), DOC)


META_DOC: Json = {
    "name": "docs/a",
    "metadata": {
        "createTime": "2026-01-01T10:00:00Z",
        "labels": {"team": "core"},
        "generation": "12",
        "tags": ["x"],
        "lifecycle": {"state": "DELETING"},
    },
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('metadata.labels.team = "core"', True),
        ('metadata.create_time < "2026-01-01T12:00:00+01:00"', True),
        ("metadata.generation > 9", True),
        ('metadata.tags CONTAINS "x"', True),
        ('metadata.lifecycle.state = "ACTIVE"', False),
        ("metadata.delete_time IS NULL", True),
    ],
)
def test_a_resource_is_filtered_by_its_metadata(schema: Schema, text: str, expected: bool) -> None:
    assert evaluate(bind(parse(text), schema, "Doc"), META_DOC) is expected


def test_only_resources_have_metadata(schema: Schema) -> None:
    with pytest.raises(Invalid):
        bind(parse("metadata.uuid = 'x'"), schema, "Part")
    with pytest.raises(Invalid, match=r"metadata\.colour"):
        bind(parse("metadata.colour = 'x'"), schema, "Doc")
