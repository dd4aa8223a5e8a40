"""Paths are read and written one way, and lead through a schema or name the step that does not."""

from __future__ import annotations

import pytest

from migrations_app.domain.schema.ir import RefType, Schema
from migrations_app.domain.schema.loaders.ir import load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.domain.schema.paths import (
    Element,
    ListElements,
    MapEntry,
    Name,
    Values,
    find_place,
    parse_path,
)
from migrations_app.domain.schema.types import ScalarKind, ScalarType, StructType
from migrations_app.kernel.errors import Invalid


@pytest.mark.parametrize(
    "text",
    ["a.b", "a[]", "a[].b", "a[k=v].c", 'a[k="x y"]', "a{}", 'a{"x.y"}.z', 'a."x.y"', '"q\\"u".b', "a{}[]"],
)
def test_a_path_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_path(text)) == text


def test_the_steps_of_a_path() -> None:
    assert parse_path('a[].b{}[k=v]{"x.y"}').steps == (
        Name("a"),
        ListElements(),
        Name("b"),
        Values(),
        Element("k", "v"),
        MapEntry("x.y"),
    )
    assert parse_path("a.b.c").startswith(parse_path("a.b"))
    assert not parse_path("a.bc").startswith(parse_path("a.b"))
    assert str(parse_path("a[].b").parent()) == "a[]"
    assert parse_path("a[].b{}").names == ("a", "b")


@pytest.mark.parametrize(
    "text", ["", ".a", "a..b", "a.", "a\\.b", "a[0]", "a[", "a{x}", "a.[]", 'ab"c"', "a b"]
)
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_path(text)
    assert refused.value.code == "E-PATH"


def schema() -> Schema:
    text = """
    types:
      A: {fields: {bs: {list: A}, by: {map: A}, n: i32, free: struct}}
    """
    return load_ir(read_yaml(text)).schema


def test_a_path_leads_through_lists_maps_and_structs() -> None:
    place = find_place(schema(), RefType("A"), parse_path('bs[].by{"x"}.n'))

    assert place.type == ScalarType(ScalarKind.I32)
    assert place.field is not None
    assert place.field.name == "n"
    assert find_place(schema(), RefType("A"), parse_path("free.x.y")).type == StructType()


def test_a_step_that_leads_nowhere_is_named() -> None:
    with pytest.raises(Invalid, match=r"There is nothing at the path bs\[\]\.gone\. It has bs, by, n, free"):
        find_place(schema(), RefType("A"), parse_path("bs[].gone.x"))
