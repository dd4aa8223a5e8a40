"""Masks show and change exactly what they name; orders put absent values last."""

from __future__ import annotations

import pytest

from migrations_app.domain.filters.ast import Path
from migrations_app.domain.filters.masks import Mask, bind_mask, merge, parse_mask, project
from migrations_app.domain.filters.order import bind_order, parse_order, sort_key
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.ir import load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject

SCHEMA_TEXT = """
service: t.example.com
version: v1
types:
  Doc:
    fields:
      name: string
      big_size: {type: {scalar: {kind: i64, jsonEncoding: string}}, jsonName: bigSize}
      state: {type: string, behavior: [output_only]}
      labels: {map: string}
      parts: {list: Part}
      part: Part
      left: string
      right: string
      free: struct
    oneofs: [{name: side, members: [left, right]}]
  Part: {fields: {id: string, n: i32}}
resources: {Doc: {patterns: ["docs/{doc}"]}}
"""


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_ir(read_yaml(SCHEMA_TEXT)).schema


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("", "*"),
        (None, "*"),
        ("*", "*"),
        ("a,*", "*"),
        ("b, a.c,a.b", "a.b,a.c,b"),
        ("a.b,a", "a"),
        (["labels.`x.y`", 'labels."p,q"'], 'labels."p,q",labels."x.y"'),
        ('labels."p,q",a', 'a,labels."p,q"'),
    ],
)
def test_a_mask_is_read_to_its_least_form(given: str | list[str] | None, written: str) -> None:
    assert str(parse_mask(given)) == written
    assert parse_mask(str(parse_mask(given))) == parse_mask(given)


@pytest.mark.parametrize("text", ["a[0]", "a..b", ".a", "a.", "a b", "a{x}", r"a\.b"])
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_mask([text])
    assert refused.value.code == "mask"


def test_covering_and_touching() -> None:
    mask = parse_mask("a.b")

    assert mask.covers(Path(("a", "b", "c")))
    assert not mask.covers(Path(("a",)))
    assert mask.touches(Path(("a",)))
    assert not mask.touches(Path(("x",)))
    assert Mask().covers(Path(("x",)))


DOC: JsonObject = {
    "name": "n",
    "labels": {"x.y": "1", "z": "2"},
    "parts": [{"id": "a", "n": 1}, {"id": "b"}],
    "part": {"id": "c", "n": 3},
    "empty": {},
}


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("*", DOC),
        ("name", {"name": "n"}),
        ("labels.`x.y`", {"labels": {"x.y": "1"}}),
        ("parts.id", {"parts": [{"id": "a"}, {"id": "b"}]}),
        ("part.n,part.gone", {"part": {"n": 3}}),
        ("empty", {"empty": {}}),
        ("gone", {}),
        ("name.deeper", {}),
    ],
)
def test_a_read_shows_what_the_mask_names(mask: str, expected: JsonObject) -> None:
    assert project(DOC, parse_mask(mask)) == expected


@pytest.mark.parametrize(
    ("mask", "sent", "expected"),
    [
        ("*", {"name": "m"}, {"name": "m"}),
        ("name", {"name": "m", "part": {}}, {**DOC, "name": "m"}),
        ("name", {}, {key: value for key, value in DOC.items() if key != "name"}),
        ("part.n", {"part": {"n": 4, "id": "x"}}, {**DOC, "part": {"id": "c", "n": 4}}),
        ("part.n", {}, {**DOC, "part": {"id": "c"}}),
        ("labels.`x.y`", {"labels": {"x.y": "9"}}, {**DOC, "labels": {"x.y": "9", "z": "2"}}),
        ("fresh.deep", {"fresh": {"deep": 1}}, {**DOC, "fresh": {"deep": 1}}),
        ("fresh.deep", {}, DOC),
        ("name", {"name": None}, {**DOC, "name": None}),
    ],
)
def test_a_write_changes_what_the_mask_names_and_nothing_else(
    mask: str, sent: JsonObject, expected: JsonObject
) -> None:
    before = dict(DOC)
    assert merge(DOC, sent, parse_mask(mask)) == expected
    assert before == DOC


def test_names_become_keys(schema: Schema) -> None:
    assert str(bind_mask(parse_mask("big_size,labels.a,free.x"), schema, "Doc")) == "bigSize,free.x,labels.a"


def test_a_write_adds_siblings_and_leaves_out_what_only_the_server_writes(schema: Schema) -> None:
    def bound(text: str) -> str:
        return str(bind_mask(parse_mask(text), schema, "Doc", for_write=True))

    assert bound("left,state") == "left,right"
    with pytest.raises(Invalid, match="cannot be written"):
        bound("state")
    with pytest.raises(Invalid, match="written whole"):
        bound("parts.id")
    with pytest.raises(Invalid, match=r"no field part\.gone"):
        bound("part.gone")


def test_an_order_is_read_bound_and_written(schema: Schema) -> None:
    terms = parse_order("big_size desc, part.n ASC, name")

    assert ", ".join(map(str, terms)) == "big_size desc, part.n asc, name asc"
    assert ", ".join(map(str, bind_order(terms, schema, "Doc"))) == "bigSize desc, part.n asc, name asc"
    assert parse_order(" ") == ()


@pytest.mark.parametrize(
    "text", ["a b", "a,", "1", "a asc desc", "a, a desc", ",".join(f"a{i}" for i in range(20))]
)
def test_what_is_no_order_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_order(text)


def test_lists_and_objects_have_no_order(schema: Schema) -> None:
    with pytest.raises(Invalid, match="no order"):
        bind_order(parse_order("parts"), schema, "Doc")


def test_absent_values_are_greatest_and_numbers_in_text_are_numbers(schema: Schema) -> None:
    documents: list[JsonObject] = [{"bigSize": "10"}, {}, {"bigSize": "9"}, {"bigSize": None}]
    ascending = bind_order(parse_order("big_size"), schema, "Doc")
    descending = bind_order(parse_order("big_size desc"), schema, "Doc")

    assert sorted(documents, key=sort_key(ascending)) == [
        {"bigSize": "9"},
        {"bigSize": "10"},
        {},
        {"bigSize": None},
    ]
    assert sorted(documents, key=sort_key(descending))[2:] == [{"bigSize": "10"}, {"bigSize": "9"}]


def test_metadata_can_be_ordered_by_and_shown_and_is_not_written(schema: Schema) -> None:
    assert str(*bind_order(parse_order("metadata.create_time"), schema, "Doc")) == "metadata.createTime asc"
    assert (
        str(bind_mask(parse_mask("metadata.create_time,name"), schema, "Doc")) == "metadata.createTime,name"
    )
    assert str(bind_mask(parse_mask("metadata.labels,name"), schema, "Doc", for_write=True)) == "name"
