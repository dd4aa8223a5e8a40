"""Custom methods of two versions compared: their addresses, and each message in the one direction it is sent."""

from __future__ import annotations

import pytest

from migrations_app.domain.compatibility.report import CompatibilityRule, Weight
from tests.unit.compatibility.test_analyse import differences

BASE = """
types:
  Doc: {fields: {name: string, size: i32}}
  CopyRequest: {fields: {name: string, target: string}}
  CopyResponse: {fields: {copies: i32, doc: {type: {ref: {name: Doc}}}}}
resources: {Doc: {patterns: ["docs/{doc}"]}}
methods:
  CopyDoc: {request: CopyRequest, response: CopyResponse, verb: copy, resource: Doc, nameField: name, http: POST}
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "target: string}",
            "target: string, depth: {type: i32, required: true}}",
            [(CompatibilityRule.KEY_ADDED_REQUIRED, "CopyRequest.depth", "request", Weight.STAGED)],
        ),
        (
            "target: string}",
            "target: string, depth: i32}",
            [(CompatibilityRule.KEY_ADDED, "CopyRequest.depth", "request", Weight.ORDERED)],
        ),
        (
            "target: string}",
            "target: i32}",
            [(CompatibilityRule.TYPE_REPLACED, "CopyRequest.target", "request", Weight.STAGED)],
        ),
        (
            "copies: i32, ",
            "",
            [(CompatibilityRule.KEY_REMOVED, "CopyResponse.copies", "response", Weight.ORDERED)],
        ),
        (
            "verb: copy",
            "verb: duplicate",
            [(CompatibilityRule.METHOD_CHANGED, "CopyDoc.verb", "", Weight.BREAK)],
        ),
        (
            "nameField: name",
            "nameField: name, streaming: server",
            [(CompatibilityRule.METHOD_CHANGED, "CopyDoc.streaming", "", Weight.BREAK)],
        ),
        (
            "nameField: name",
            "nameField: name, reads: true",
            [(CompatibilityRule.METHOD_CHANGED, "CopyDoc.reads", "", Weight.BREAK)],
        ),
    ],
)
def test_a_change_of_a_method_is_found_once_where_it_is_sent(
    old: str, new: str, expected: list[tuple[CompatibilityRule, str, str, Weight]]
) -> None:
    found = differences(old, new, text=BASE)

    assert [(each.rule, each.path, each.where, each.weight) for each in found] == expected


def test_what_a_resource_shares_with_a_message_is_told_once() -> None:
    found = differences("size: i32", "size: i32, extra: string", text=BASE)

    assert [(each.rule, each.path, each.where) for each in found] == [
        (CompatibilityRule.KEY_ADDED, "Doc.extra", "request"),
        (CompatibilityRule.KEY_ADDED, "Doc.extra", "response"),
    ]


def test_a_removed_method_comes_with_the_line_that_ends_it() -> None:
    (found,) = differences("methods:\n  CopyDoc:", "methods:\n  MoveDoc:", text=BASE)

    assert (found.rule, found.transform) == (
        CompatibilityRule.METHOD_REMOVED,
        "methods: {discontinued: [CopyDoc]}",
    )
