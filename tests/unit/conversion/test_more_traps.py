"""More traps that lose or resurrect data elsewhere, each with exact values."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.converter import view
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.filters.masks import Mask
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import Json, JsonObject
from tests.unit.conversion.services import folder, service


def test_a_name_that_was_edited_in_the_new_version_is_not_undone_by_the_bag() -> None:
    converter = service(
        "Thing: {fields: {name: string, first: string, last: string}}",
        "Thing: {fields: {name: string, legal_name: string}}",
        '- merge: {from: [first, last], to: legal_name, template: "{first} {last}"}',
    ).converter("Thing", "v1", "v2")
    odd: JsonObject = {"first": "Ada Augusta", "last": "King"}  # "Ada Augusta King" would be parted elsewhere
    stored = converter.forward("things/t", odd).body
    assert converter.backward("things/t", stored).body == odd

    edited = {**stored, "legal_name": "Grace Hopper"}

    assert converter.backward("things/t", edited).body == {"first": "Grace", "last": "Hopper"}


def test_a_property_that_left_and_came_back_with_another_shape_keeps_both_values_apart() -> None:
    first = folder(
        "Thing: {fields: {name: string, age: i32}}", "Thing: {fields: {name: string}}", "- removed: age"
    )
    files = {path: data.decode() for path, data in first.files.items()}
    files["third.yaml"] = files["old.yaml"].replace("age: i32", "age: string")
    files["next.yaml"] = (
        files["edge.yaml"].replace("from: v1, to: v2", "from: v2, to: v3").replace("removed", "added")
    )
    files["service.yaml"] = (
        files["service.yaml"]
        .replace("edges: [edge.yaml]", "edges: [edge.yaml, next.yaml]")
        .replace("edges:", "  - {version: v3, ordinal: 30, sources: [{kind: ir, path: third.yaml}]}\nedges:")
    )
    compiled = compile_service(read_files({path: text.encode() for path, text in files.items()}))
    up, down = compiled.converter("Thing", "v1", "v3"), compiled.converter("Thing", "v3", "v1")

    stored = up.forward("things/t", {"age": 36}).body
    assert "age" not in stored
    back = up.backward("things/t", {**stored, "age": "thirty-six"}).body
    assert back["age"] == 36
    assert up.forward("things/t", back).body["age"] == "thirty-six"
    assert down.forward("things/t", {"age": "ten"}).body.get("age") is None


@pytest.mark.parametrize("symbol", ["UNKNOWN_42", "", "Х"])
def test_a_symbol_that_no_schema_knows_comes_back_as_it_was(symbol: str) -> None:
    converter = service(
        "Thing: {fields: {name: string, s: {type: {enum: [A, B]}}}}",
        "Thing: {fields: {name: string, s: {type: {enum: [X]}}}}",
        "- enum: {path: s, map: {A: X, B: X}}",
    ).converter("Thing", "v1", "v2")

    stored = converter.forward("things/t", {"s": symbol}).body

    assert stored["s"] == symbol
    assert converter.backward("things/t", stored).body == {"s": symbol}


def test_many_symbols_of_one_image_come_back_exactly_until_it_is_edited() -> None:
    converter = service(
        "Thing: {fields: {name: string, s: {type: {enum: [A, B]}}}}",
        "Thing: {fields: {name: string, s: {type: {enum: [X, Y]}}}}",
        "- enum: {path: s, map: {A: X, B: X}, canonical: {X: A}, back: {Y: A}}",
    ).converter("Thing", "v1", "v2")
    stored = converter.forward("things/t", {"s": "B"}).body

    assert stored["s"] == "X"
    assert converter.backward("things/t", stored).body == {"s": "B"}
    assert converter.backward("things/t", {**stored, "s": "Y"}).body["s"] == "A"


@pytest.mark.parametrize(
    ("old", "document", "new"),
    [
        ("i32", {"n": 0}, {}),
        ("i32", {"n": 5}, {"n": 5}),
        ("i32", {}, {}),
        ("string", {"n": ""}, {}),
        ("bool", {"n": False}, {}),
    ],
)
def test_an_explicit_default_survives_a_version_without_presence(
    old: str, document: JsonObject, new: JsonObject
) -> None:
    converter = service(
        f"Thing: {{fields: {{name: string, n: {{type: {old}, presence: explicit}}}}}}",
        f"Thing: {{fields: {{name: string, n: {{type: {old}, presence: implicit}}}}}}",
        "[]",
    ).converter("Thing", "v1", "v2")

    made = converter.forward("things/t", document).body

    assert {key: value for key, value in made.items() if key != "$sy"} == new
    assert converter.backward("things/t", made).body == document


def test_a_oneof_with_two_members_set_keeps_the_second_in_the_bag() -> None:
    converter = service(
        "Thing: {fields: {name: string, left: string, right: string}}",
        "Thing: {fields: {name: string, left: string, right: string}, oneofs: [{name: side, members: [left, right]}]}",
        "- oneof: {members: [left, right]}",
    ).converter("Thing", "v1", "v2")
    both: JsonObject = {"left": "l", "right": "r"}

    stored = converter.forward("things/t", both).body

    assert {key: value for key, value in stored.items() if key != "$sy"} == {"left": "l"}
    assert converter.backward("things/t", stored).body == both
    assert converter.backward("things/t", {**stored, "left": "L"}).body == {"left": "L"}


def test_what_is_inside_the_members_of_a_oneof_is_converted_too() -> None:
    converter = service(
        "Thing: {fields: {name: string, left: Side, right: Side}}\nSide: {fields: {old: string, gone: i32}}",
        "Thing: {fields: {name: string, l: Side, r: Side}}\nSide: {fields: {new: string}}",
        "- oneof: {members: [left, right], to: [l, r]}",
        more="Side:\n  ops:\n    - rename: {from: old, to: new}\n    - removed: gone",
    ).converter("Thing", "v1", "v2")
    both: JsonObject = {"left": {"old": "a", "gone": 1}, "right": {"old": "b"}}

    stored = converter.forward("things/t", both)

    assert view(stored.body) == {"l": {"new": "a"}}
    assert converter.backward(*stored).body == both
    assert converter.backward("things/t", {**stored.body, "l": {"new": "c"}}).body == {"left": {"old": "c"}}


def test_a_oneof_of_one_member_is_a_rename() -> None:
    converter = service(
        "Thing: {fields: {name: string, x: i32}}",
        "Thing: {fields: {name: string, y: i32}}",
        "- oneof: {members: [x], to: [y], dissolve: true}",
    ).converter("Thing", "v1", "v2")

    assert converter.forward("things/t", {"x": 1}).body == {"y": 1}
    assert converter.mask(Mask.of(["x"])) == Mask.of(["y"])


def test_a_oneof_whose_sides_are_not_as_many_is_refused() -> None:
    with pytest.raises(EdgeInvalid, match="2 members become 1"):
        service(
            "Thing: {fields: {name: string, a: i32, b: i32}}",
            "Thing: {fields: {name: string, c: i32}}",
            "- oneof: {members: [a, b], to: [c]}",
        )


@pytest.mark.parametrize(
    ("fields", "clash"),
    [
        ("userId: string, userID: string", "userId, userID"),
        ("uses_proxy: bool, usesProxy: bool", "usesProxy"),
    ],
)
def test_fields_that_differ_in_case_alone_are_never_guessed(fields: str, clash: str) -> None:
    made = folder(
        f"Thing: {{fields: {{name: string, {fields}}}}}",
        "Thing: {fields: {name: string, USERID: string}}",
        "[]",
    )

    with pytest.raises(EdgeInvalid) as refused:
        compile_service(made)

    assert {each.code for each in refused.value.findings} <= {"E-AMBIGUOUS", "E-UNASSESSED"}
    assert any(clash.split(", ", maxsplit=1)[0] in each.message for each in refused.value.findings)


def test_the_turkish_i_is_no_other_letters_case() -> None:
    made = folder(
        'Thing: {fields: {name: string, "İd": string}}', "Thing: {fields: {name: string, id: string}}", "[]"
    )

    with pytest.raises(EdgeInvalid) as refused:
        compile_service(made)

    assert {each.code for each in refused.value.findings} == {"E-UNASSESSED"}


@pytest.mark.parametrize(
    ("codec", "value", "image"),
    [
        ("int-string", 2**63 - 1, "9223372036854775807"),
        ("int-string", "9223372036854775807", "9223372036854775807"),
        ("duration-seconds", "30s", 30),
        ("base64-base64url", "+/8=", "-_8="),
        ("base64-hex", "AQID", "010203"),
        ("duration-seconds", "0.000000001s", "0.000000001s"),
        ("timestamp-epoch", "1970-01-01T00:00:00Z", 0),
        ("timestamp-epoch", "2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00.123456789Z"),
    ],
)
def test_texts_of_numbers_bytes_and_times_come_back_exactly(codec: str, value: Json, image: Json) -> None:
    converter = service(
        "Thing: {fields: {name: string, x: struct}}",
        "Thing: {fields: {name: string, x: struct}}",
        f"- convert: {{path: x, codec: {codec}}}",
    ).converter("Thing", "v1", "v2")

    made = converter.forward("things/t", {"x": value})

    assert made.body["x"] == image
    assert converter.backward("things/t", made.body).body == {"x": value}


def test_a_leaf_that_leaves_and_one_that_comes_in_change_no_document_in_place() -> None:
    converter = service(
        "Thing: {fields: {name: string, z: string, in: In}}\nIn: {fields: {stay: string, x: string}}",
        "Thing: {fields: {name: string, y: string, in: In}}\nIn: {fields: {stay: string, x: string}}",
        "- move: {from: in.x, to: y}\n- move: {from: z, to: in.x}",
    ).converter("Thing", "v1", "v2")
    given: JsonObject = {"z": "Z", "in": {"stay": "s", "x": "X"}}

    made = converter.forward("things/t", given)

    assert made.body == {"y": "X", "in": {"stay": "s", "x": "Z"}}
    assert given == {"z": "Z", "in": {"stay": "s", "x": "X"}}
    assert converter.backward("things/t", made.body).body == given
