"""Traps that lose or resurrect data elsewhere, each with exact values."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.service import compile_service
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from tests.unit.conversion.services import folder, service


def items(field: str, kind: str = "list: Item") -> str:
    return (
        f"Thing: {{fields: {{name: string, items: {{type: {{list: {{{kind}}}}}}}}}}}\n"
        f"Item: {{fields: {{id: string, {field}: string}}}}"
    )


def test_bags_follow_their_elements_when_an_old_client_reorders_them() -> None:
    compiled = service(
        items("old", "item: Item"),
        items("new", "item: Item"),
        "[]",
        more="Item:\n  ops:\n    - removed: old\n    - added: new",
    )
    converter = compiled.converter("Thing", "v1", "v2")
    stored: JsonObject = {"items": [{"id": "a", "new": "A"}, {"id": "b", "new": "B"}]}
    _, view = converter.get("things/t", stored)
    assert view == {"items": [{"id": "a"}, {"id": "b"}]}

    after = converter.put("things/t", {"items": [{"id": "b"}, {"id": "a"}]}, stored).body

    assert after == {"items": [{"id": "b", "new": "B"}, {"id": "a", "new": "A"}]}


def test_declared_keys_tell_elements_apart_even_when_they_are_edited() -> None:
    kind = "item: Item, keys: [id]"
    compiled = service(
        items("text, new", kind).replace("text, new: string", "text: string"),
        items("text: string, new", kind),
        "[]",
        more="Item:\n  ops:\n    - added: new",
    )
    converter = compiled.converter("Thing", "v1", "v2")
    stored: JsonObject = {
        "items": [{"id": "a", "text": "1", "new": "A"}, {"id": "b", "text": "2", "new": "B"}]
    }

    after = converter.put("things/t", {"items": [{"id": "b", "text": "edited"}]}, stored).body

    assert after == {"items": [{"id": "b", "text": "edited", "new": "B"}]}


@pytest.mark.parametrize("value", ["123", 123, 1.0, True, None, "", [], {}, 0, False])
def test_a_bag_keeps_values_apart_that_look_alike(value: Json) -> None:
    converter = service(
        "Thing: {fields: {name: string, x: struct}}", "Thing: {fields: {name: string}}", "- removed: x"
    ).converter("Thing", "v1", "v2")

    made = converter.forward("things/t", {"x": value})
    back = converter.backward("things/t", made.body).body

    assert back == {"x": value}
    assert type(back["x"]) is type(value)
    assert converter.forward("things/t", {}).body == {}


@pytest.mark.parametrize(("old", "one"), [([], None), (["a"], "a"), (["a", "b"], "a")])
def test_a_list_that_became_one_value_keeps_the_others(old: list[Json], one: Json) -> None:
    converter = service(
        "Thing: {fields: {name: string, all: {list: string}}}",
        "Thing: {fields: {name: string, one: string}}",
        "- head: {from: all, to: one}",
    ).converter("Thing", "v1", "v2")

    made = converter.forward("things/t", {"all": old}).body

    assert made.get("one") == one
    assert converter.backward("things/t", made).body == {"all": old}
    assert converter.backward("things/t", {**made, "one": "new"}).body == {"all": ["new"]}


def test_swapped_wire_numbers_are_never_a_match() -> None:
    made = folder(
        "Thing: {fields: {name: string, done: {type: i64, number: 2}, todo: {type: i64, number: 3}}}",
        "Thing: {fields: {name: string, todo: {type: i64, number: 2}, done: {type: i64, number: 3}}}",
        "[]",
    )
    converter = compile_service(made).converter("Thing", "v1", "v2")

    assert converter.forward("things/t", {"done": 1, "todo": 2}).body == {"done": 1, "todo": 2}


def test_a_sensitive_value_never_waits_in_a_bag_unless_it_is_allowed() -> None:
    old = "Thing: {fields: {name: string, key: {type: string, sensitive: true}}}"
    new = "Thing: {fields: {name: string}}"

    kept = service(old, new, "- removed: {path: key, bag: allow}").converter("Thing", "v1", "v2")
    given_up = service(old, new, "- removed: key").converter("Thing", "v1", "v2")

    assert given_up.forward("things/t", {"key": "s3cret"}).body == {}
    made = kept.forward("things/t", {"key": "s3cret"}).body
    assert kept.backward("things/t", made).body == {"key": "s3cret"}


def test_a_bag_that_grows_too_large_is_refused_not_cut() -> None:
    converter = service(
        "Thing: {fields: {name: string, x: string}}", "Thing: {fields: {name: string}}", "- removed: x"
    ).converter("Thing", "v1", "v2")

    with pytest.raises(Invalid, match="65536 are allowed") as caught:
        converter.forward("things/t", {"x": "x" * 70_000})
    assert caught.value.code == "E-BAGSIZE"


def test_a_document_is_never_changed_by_its_conversion() -> None:
    converter = service(
        "Thing: {fields: {name: string, go: string, in: In}}\nIn: {fields: {stay: string}}",
        "Thing: {fields: {name: string, in: In}}\nIn: {fields: {stay: string, go: string}}",
        "- move: {from: go, to: in.go}",
    ).converter("Thing", "v1", "v2")
    given: JsonObject = {"go": "g", "in": {"stay": "s"}}

    assert converter.forward("things/t", given).body == {"in": {"stay": "s", "go": "g"}}
    assert given == {"go": "g", "in": {"stay": "s"}}
