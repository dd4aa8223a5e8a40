"""The analyser says of every difference who is hit, who goes first and what to do."""

from __future__ import annotations

from datetime import date

import pytest

from migrations_app.domain.compatibility.analyse import Setting, compare
from migrations_app.domain.compatibility.evidence import (
    Usage,
    always_sent,
    may_move_sunset,
    removable,
    unused,
)
from migrations_app.domain.compatibility.hazards import Update
from migrations_app.domain.compatibility.inclusion import Inclusion
from migrations_app.domain.compatibility.report import CompatibilityRule, VersionDifference, Weight
from migrations_app.domain.compatibility.statuses import Strategy
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.loaders.ir import VersionInfo, load_ir
from migrations_app.domain.schema.located import read_yaml

BASE = """
types:
  Doc:
    fields:
      name: string
      size: {type: i32, number: 2}
      level: {enum: [LOW, HIGH]}
      parts: {list: Part}
      owner: {type: string, default: me}
  Part: {fields: {id: string, self: Part}}
resources: {Doc: {patterns: ["docs/{doc}"], idPattern: {doc: "[a-z]+"}}}
methods: {GetDoc: {}, ListDocs: {}}
"""


def schema(text: str, version: str = "v1") -> Schema:
    loaded = load_ir(read_yaml(text), VersionInfo("t.example.com", version))
    assert loaded.findings == ()
    return loaded.schema


def differences(
    old: str, new: str, setting: Setting | None = None, text: str = BASE
) -> list[VersionDifference]:
    assert old in text
    return list(compare(schema(text), schema(text.replace(old, new)), setting).differences)


def test_nothing_changed_is_nothing_found() -> None:
    assert differences("name", "name") == []


def test_an_added_optional_key_goes_to_the_server_first() -> None:
    request, response = differences("      name: string\n", "      name: string\n      extra: string\n")

    assert (request.rule, request.where, request.order) == (
        CompatibilityRule.KEY_ADDED,
        "request",
        "server first",
    )
    assert request.plan == ("Servers accept the key, present or not.", "Clients may send the key.")
    assert (response.where, response.order) == ("response", "client first")
    assert response.losing == ()


def test_an_added_key_names_the_updates_that_would_lose_it_without_a_lens() -> None:
    setting = Setting(lens=False)
    _, response = differences("      name: string\n", "      name: string\n      extra: string\n", setting)

    assert response.losing == (Update.REPLACE, Update.FULL_MASK)


def test_a_mandatory_key_needs_stages_and_a_backfill() -> None:
    found = differences(
        "      name: string\n", "      name: string\n      extra: {type: string, required: true}\n"
    )

    assert (found[0].rule, found[0].weight, found[0].order) == (
        CompatibilityRule.KEY_ADDED_REQUIRED,
        Weight.STAGED,
        "staged",
    )
    assert "backfill" in found[0].advice


@pytest.mark.parametrize(
    ("old", "new", "rule", "order"),
    [
        ("type: i32", "type: i64", CompatibilityRule.TYPE_WIDENED, "server first"),
        ("[LOW, HIGH]", "[LOW, HIGH, TOP]", CompatibilityRule.TYPE_WIDENED, "server first"),
        ("[LOW, HIGH]", "[LOW]", CompatibilityRule.TYPE_NARROWED, "client first"),
        (
            "type: i32, number: 2",
            "type: i32, number: 2, constraints: {min: 1}",
            CompatibilityRule.TYPE_NARROWED,
            "client first",
        ),
        (
            "type: i32, number: 2",
            "type: i32, number: 2, nullable: true",
            CompatibilityRule.TYPE_WIDENED,
            "server first",
        ),
        ("type: i32", "type: string", CompatibilityRule.TYPE_REPLACED, "staged"),
        ("parts: {list: Part}", "parts: {map: Part}", CompatibilityRule.TYPE_REPLACED, "staged"),
        (
            "type: i32, number: 2",
            "type: i32, number: 2, required: true",
            CompatibilityRule.KEY_STATUS,
            "client first",
        ),
        (
            "type: i32, number: 2",
            "type: i32, number: 2, deprecated: true",
            CompatibilityRule.KEY_STATUS,
            "any",
        ),
        ("default: me", "default: you", CompatibilityRule.DEFAULT_CHANGED, "staged"),
        ("number: 2", "number: 3", CompatibilityRule.NUMBER_CHANGED, "never"),
        ("      size:", "      length:", CompatibilityRule.KEY_REMOVED, "client first"),
        ('["docs/{doc}"]', '["docs/{doc}", "all/{doc}"]', CompatibilityRule.PATTERN_ADDED, "server first"),
        ('["docs/{doc}"]', '["files/{doc}"]', CompatibilityRule.PATTERN_REMOVED, "never in place"),
        ("[a-z]+", "[a-c]+", CompatibilityRule.ID_PATTERN_CHANGED, "client first"),
        (", ListDocs: {}", "", CompatibilityRule.METHOD_REMOVED, "client first"),
        ("{id: string, self", "{id: i32, self", CompatibilityRule.TYPE_REPLACED, "staged"),
    ],
)
def test_each_difference_has_its_rule_and_order(
    old: str, new: str, rule: CompatibilityRule, order: str
) -> None:
    found = differences(old, new)

    assert rule in [each.rule for each in found]
    assert next(each for each in found if each.rule is rule).order == order


def test_a_number_given_to_another_field_breaks_binary_clients() -> None:
    found = differences("      size:", "      length:")
    assert CompatibilityRule.NUMBER_REUSED in [each.rule for each in found]


def test_numbers_mean_nothing_between_versions() -> None:
    report = compare(schema(BASE), schema(BASE.replace("number: 2", "number: 9"), "v2"))
    assert report.differences == ()


def test_a_removed_resource_type_breaks_unless_the_edge_handles_it() -> None:
    changed = BASE.replace("resources: {Doc:", "resources: {File:").replace("  Doc:", "  File:")
    bare = compare(schema(BASE), schema(changed))
    handled = compare(schema(BASE), schema(changed), Setting(handled=lambda path: path == "Doc"))

    assert [each.rule for each in bare.breaking] == [CompatibilityRule.RESOURCE_REMOVED]
    assert handled.breaking == ()
    assert "handles it" in handled.differences[0].advice


def test_a_strict_client_must_go_first_and_a_passing_server_may_wait() -> None:
    setting = Setting(client=Strategy.STRICT, server=Strategy.PASS)
    request, response = differences(
        "      name: string\n", "      name: string\n      extra: string\n", setting
    )

    assert (request.order, response.order) == ("any", "client first")


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("i32", "i64"),
        ("i32", "f64"),
        ("u32", "i64"),
        ("f32", "f64"),
        ("timestamp", "string"),
        ("{enum: [A]}", "{enum: [A, B]}"),
        ("{enum: [A]}", "{enum: {values: [B], open: true}}"),
        ("{enum: [A]}", "string"),
        ("{reference: t.example.com/X}", "string"),
        ("{list: {item: string, kind: set}}", "{list: string}"),
        ("i32", "{union: [i32, string]}"),
        ("{map: i32}", "{map: i64}"),
        ("string", "struct"),
        ("i64", "{scalar: {kind: i64, jsonEncoding: string}}"),
    ],
)
def test_one_type_includes_another_but_not_the_other_way(narrow: str, wide: str) -> None:
    both = schema(f"types: {{A: {{fields: {{n: {narrow}, w: {wide}}}}}}}")
    n, w = both.object("A").fields

    assert Inclusion(both, both).fields(n, w)
    back = Inclusion(both, both)
    assert not back.fields(w, n)
    assert back.reasons


GOOD = Usage(10_000, 0, 0.5, 40, frozenset({"web"}), frozenset({"web"}))


def test_unused_needs_messages_time_clients_and_clean_storage() -> None:
    assert unused(GOOD).is_open
    assert unused(GOOD).upper_bound == pytest.approx(0.0006)
    bad = Usage(1000, 2, 0.5, 20, frozenset(), frozenset({"quarterly"}), stored_mentions=3)
    assert len(unused(bad).reasons) == 5
    waived = Usage(10_000, 0, 0.5, 40, frozenset(), frozenset({"quarterly"}), frozenset({"quarterly"}))
    assert unused(waived).is_open


def test_always_sent_is_judged_client_by_client() -> None:
    assert always_sent({"web": GOOD}).is_open
    assert always_sent({}).reasons == ("no client was seen",)
    late = Usage(10_000, 1, 0.5, 40)
    assert always_sent({"web": GOOD, "old": late}).reasons == ("old left it out 1 times",)


def test_removal_waits_for_a_sunset_that_only_moves_later() -> None:
    today = date(2026, 6, 1)
    assert removable(GOOD, date(2026, 5, 31), today).is_open
    assert not removable(GOOD, date(2026, 6, 2), today).is_open
    assert removable(GOOD, None, today).reasons == ("it has no sunset date",)
    assert may_move_sunset(today, date(2026, 7, 1)).is_open
    assert not may_move_sunset(today, date(2026, 5, 1)).is_open
