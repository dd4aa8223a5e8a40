"""Documents are checked against their type: every violation has a path, unknown keys follow the policy."""

from __future__ import annotations

import pytest

from migrations_app.domain.schema.documents import DocumentChecker, check_document
from migrations_app.domain.schema.ir import Schema, UnknownKeys
from migrations_app.domain.schema.loaders.ir import load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject

TEXT = """
schema:
  service: t.example.com
  version: v1
  types:
    Doc:
      fields:
        name: {type: string, required: true, constraints: {pattern: "^[a-z]+$", maxLength: 5}}
        small: i32
        big: {scalar: {kind: i64, jsonEncoding: string}}
        ratio: f64
        at: timestamp
        wait: duration
        day: date
        raw: bytes
        cpu: quantity
        level: {enum: [{name: LOW, number: 0}, {name: HIGH, number: 1}]}
        mood: {enum: {values: [GOOD], open: true}}
        tags: {type: {list: {item: string, kind: set}}, constraints: {maxItems: 3}}
        parts: {list: {item: Part, keys: [id]}}
        counts: {map: {value: i32, key: i32}}
        either: {union: [i32, string]}
        free: struct
        note: {type: string, nullable: true}
        self: Doc
        left: string
        right: string
      oneofs: [{name: side, members: [left, right]}]
    Part: {object: {unknown: strict, fields: {id: string, size: {type: u32, constraints: {min: 1}}}}}
"""


def schema() -> Schema:
    loaded = load_ir(read_yaml(TEXT, "t.yaml"))
    assert loaded.findings == ()
    return loaded.schema


def problems(document: Json, **options: bool) -> dict[str, str]:
    checked = DocumentChecker(schema(), "Doc", **options).check(document)
    return {each.path: each.message for each in checked.violations}


def test_a_full_document_passes_unchanged() -> None:
    document: Json = {
        "name": "abc",
        "small": -5,
        "big": "9223372036854775807",
        "ratio": 0.5,
        "at": "2026-02-28T10:00:00.123456789Z",
        "wait": "1.5s",
        "day": "2028-02-29",
        "raw": "aGk=",
        "cpu": "500m",
        "level": "HIGH",
        "mood": "ODD",
        "tags": ["a", "b"],
        "parts": [{"id": "a", "size": 1}],
        "counts": {"-1": 2},
        "either": "x",
        "free": {"any": [1, None]},
        "note": None,
        "self": {"name": "abc"},
        "left": "x",
    }
    checked = check_document(schema(), "Doc", document)

    assert checked.violations == ()
    assert checked.or_refuse() == document


@pytest.mark.parametrize(
    ("key", "value", "path"),
    [
        ("name", "ABC", "name"),
        ("name", "abcdef", "name"),
        ("name", "abc\n", "name"),
        ("name", 5, "name"),
        ("small", 2**31, "small"),
        ("small", "5", "small"),
        ("small", True, "small"),
        ("small", 1.5, "small"),
        ("big", "09", "big"),
        ("big", str(2**63), "big"),
        ("ratio", "1.0", "ratio"),
        ("at", "2026-02-30T10:00:00Z", "at"),
        ("at", "2026-02-28 10:00:00", "at"),
        ("wait", "90m", "wait"),
        ("day", "2026-02-29", "day"),
        ("raw", "a b", "raw"),
        ("cpu", "5 apples", "cpu"),
        ("level", "MIDDLE", "level"),
        ("level", 7, "level"),
        ("tags", ["a", "a"], "tags"),
        ("tags", ["a", "b", "c", "d"], "tags"),
        ("tags", "a", "tags"),
        ("parts", [{"id": "a"}, {"id": "a"}], "parts"),
        ("parts", [{"id": "a"}, {"id": "b", "size": 0}], "parts[1].size"),
        ("parts", [{"id": "a", "colour": 1}], "parts[0].colour"),
        ("counts", {"a": 1}, "counts"),
        ("counts", {"1": "x"}, 'counts{"1"}'),
        ("either", [], "either"),
        ("small", None, "small"),
        ("self", {"name": "abc", "self": {}}, "self.self.name"),
        ("$sy", {}, "$sy"),
    ],
)
def test_each_violation_is_named_by_its_path(key: str, value: Json, path: str) -> None:
    document: Json = {"name": "abc", key: value}

    assert list(problems(document)) == [path]


def test_only_one_member_of_a_oneof_may_be_set() -> None:
    assert "may set only one of left, right" in problems({"name": "a", "left": "x", "right": "y"})[""]


def test_one_member_is_enough_of_a_oneof_whose_members_are_required() -> None:
    text = TEXT.replace("        left: string\n        right: string\n", "".join(
        f"        {side}: {{type: string, required: true}}\n" for side in ("left", "right")
    ))  # fmt: skip
    both = load_ir(read_yaml(text, "t.yaml")).schema

    def wrong(document: JsonObject) -> list[tuple[str, str]]:
        return [(each.path, each.message) for each in check_document(both, "Doc", document).violations]

    assert wrong({"name": "a", "left": "x"}) == wrong({"name": "a", "right": "x"}) == []
    assert wrong({"name": "a"}) == [("left", "is required, or another of left, right")]


def test_unknown_keys_are_refused_dropped_or_kept() -> None:
    document: Json = {"name": "abc", "extra": 1, "self": {"name": "x", "more": 2}}

    def outcome(unknown: UnknownKeys) -> Json:
        checked = check_document(schema(), "Doc", document, unknown=unknown)
        return [each.path for each in checked.violations] or checked.document

    assert outcome(UnknownKeys.STRICT) == ["extra", "self.more"]
    assert outcome(UnknownKeys.FILTER) == {"name": "abc", "self": {"name": "x"}}
    assert outcome(UnknownKeys.PASS) == document


def test_storage_documents_may_miss_fields_and_carry_a_bag() -> None:
    assert problems({"small": 1}) == {"name": "is required"}
    assert problems({"small": 1, "$sy": {"b": {}}}, partial=True, bag=True) == {}


def test_a_document_that_is_too_deep_ends_in_a_violation() -> None:
    document: Json = {"name": "a"}
    for _ in range(500):
        document = {"name": "a", "self": document}

    assert "nested deeper" in next(iter(problems(document).values()))


def test_violations_are_bounded_and_refused_together() -> None:
    checked = check_document(schema(), "Doc", {"name": "a", "tags": [str(i) for i in range(3)] + [1] * 500})
    assert len(checked.violations) == 100
    with pytest.raises(Invalid) as refused:
        checked.or_refuse()
    assert refused.value.code == "document"


def test_int_valued_floats_are_whole_numbers_and_lone_surrogates_are_not_text() -> None:
    assert problems({"name": "abc", "small": 1.0}) == {}
    assert problems({"name": "abc", "left": "\ud800"}) == {"left": "must be valid Unicode"}


PROTO = """
schema:
  service: t.example.com
  version: v1
  jsonNames: camel
  types:
    Doc:
      fields:
        big_size: {type: {scalar: {kind: i64, jsonEncoding: string}}, number: 1}
        plain_size: {type: i64, number: 2}
        level: {type: {enum: [{name: LOW, number: 0}, {name: HIGH, number: 1}, {name: ALIAS, number: 1}]}, number: 3}
        note: {type: string, number: 4}
"""


def test_a_document_comes_back_in_its_one_spelling() -> None:
    checker = DocumentChecker(load_ir(read_yaml(PROTO)).schema, "Doc")

    checked = checker.check({"big_size": 5, "plainSize": "7", "level": 1, "note": None})

    assert checked.or_refuse() == {"bigSize": "5", "plainSize": 7, "level": "HIGH"}
    assert checker.check(checked.document) == checked


def test_one_field_in_two_spellings_is_refused() -> None:
    checker = DocumentChecker(load_ir(read_yaml(PROTO)).schema, "Doc")

    both: tuple[JsonObject, ...] = ({"big_size": 5, "bigSize": "6"}, {"bigSize": "6", "big_size": 5})
    for document in both:
        assert [each.path for each in checker.check(document).violations] == ["big_size"]


def test_a_stored_value_that_is_invalid_by_now_does_not_stop_an_update_of_another_field() -> None:
    text = """
service: t.example.com
version: v1
types:
  Doc:
    fields:
      code: {type: string, constraints: {pattern: "^[a-z]+$"}}
      size: i32
      must: {type: string, required: true}
"""
    checker = DocumentChecker(load_ir(read_yaml(text)).schema, "Doc")
    before: JsonObject = {"code": "OLD-1", "size": 1}

    other: JsonObject = {**before, "size": 2}
    same: JsonObject = {**before}
    worse: JsonObject = {**before, "code": "OLD-2"}

    assert checker.check(other).ratcheted(other, before).valid
    assert checker.check(same).ratcheted(same, before).valid
    assert [each.path for each in checker.check(worse).ratcheted(worse, before).violations] == ["code"]
    assert [each.path for each in checker.check(other).violations] == ["code", "must"]
