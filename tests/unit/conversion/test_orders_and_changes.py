"""Orders and change objects of one version, asked of and told about what another version stores."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.filters.order import bind_order, parse_order
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from tests.integration.resource_api.change_objects import convert_change
from tests.unit.conversion.services import named_service, service

OLD = """
Thing: {fields: {name: string, title: string, size: i32, left: i32, ms: i32, up: i32, day: {type: {enum: [B, A]}}}}
"""
NEW = """
Thing: {fields: {name: string, heading: string, length: i32, right: i32, s: i32, in: In, day: {type: {enum: [B, A]}}}}
In: {fields: {up: i32}}
"""
OPS = """
- rename: {from: title, to: heading}
- unit: {from: size, to: length, factor: 60}
- unit: {from: left, to: right, factor: -2}
- unit: {from: ms, to: s, factor: "1/1000", round: down}
- move: {from: up, to: in.up}
"""


@pytest.fixture(scope="module")
def converter() -> TypeConverter:
    return service(OLD, NEW, OPS).converter("Thing", "v1", "v2")


@pytest.mark.parametrize(
    ("asked", "pushed", "is_whole"),
    [
        ("title", "heading asc", True),
        ("title desc, up", 'heading desc, "in".up asc', True),
        ("size desc, title", "length desc, heading asc", True),
        ("left", "", False),
        ("title, ms, up", "heading asc", False),
        ("ms", "", False),
        ("", "", True),
    ],
)
def test_an_order_is_pushed_as_far_as_it_means_the_same(
    converter: TypeConverter, asked: str, pushed: str, is_whole: bool
) -> None:
    terms = bind_order(parse_order(asked), converter.source, "Thing")

    made = converter.order(terms)

    assert (", ".join(map(str, made.pushed)), made.is_whole) == (pushed, is_whole)


def test_names_that_change_have_another_order() -> None:
    converter = named_service().converter("Thing", "v1", "v2")
    terms = bind_order(parse_order("a, name"), converter.source, "Thing")

    made = converter.order(terms)

    assert (", ".join(map(str, made.pushed)), made.is_whole) == ("b asc", False)


OLD_NAME, NEW_NAME = "projects/p/things/t", "projects/p/regions/north/things/t"


@pytest.mark.parametrize("kind", ["current", "added", "modified"])
def test_a_change_is_told_in_the_words_of_the_old_version(kind: str) -> None:
    converter = named_service().converter("Thing", "v1", "v2")
    stored: Json = {"name": NEW_NAME, "b": "x", "$sy": {"f": 1, "b": {}}}

    assert convert_change(converter, {kind: stored}) == {kind: {"name": OLD_NAME, "a": "x"}}


def test_a_removal_keeps_what_else_it_tells() -> None:
    converter = named_service().converter("Thing", "v1", "v2")

    told = convert_change(converter, {"removed": {"name": NEW_NAME, "uuid": "u", "resourceVersion": "7"}})

    assert told == {"removed": {"uuid": "u", "resourceVersion": "7", "name": OLD_NAME}}


@pytest.mark.parametrize("kind", ["modified", "removed"])
def test_what_the_old_version_cannot_name_is_not_told(kind: str) -> None:
    converter = named_service().converter("Thing", "v1", "v2")

    assert convert_change(converter, {kind: {"name": "projects/p/regions/south/things/t"}}) is None


def test_what_is_no_change_is_refused() -> None:
    converter = named_service().converter("Thing", "v1", "v2")

    with pytest.raises(Invalid) as refused:
        convert_change(converter, {"moved": {"name": NEW_NAME}})
    assert refused.value.code == "change"
