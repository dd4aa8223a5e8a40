"""What speaks for two fields being one: sentences, plurals, patterns of names; and what speaks against it."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.documents.corpus import DocumentCorpus, sentences
from migrations_app.domain.conversion.proposals.names.synonyms import are_synonyms
from migrations_app.domain.conversion.proposals.names.words import are_plural
from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from tests.unit.conversion.services import folder

BOUND = "Bounds how much work runs concurrently across every worker before submissions wait."


def proposed(old: str, new: str) -> EdgeProposal:
    (found,) = proposals(folder(old, new, "[]"))
    return found


def ops(found: EdgeProposal) -> list[tuple[str, str, object]]:
    return [(each.owner, each.op, each.args) for each in found.lines if each.op]


def thing(field: str) -> str:
    return f"Thing: {{fields: {{name: string, {field}}}}}"


def test_a_document_that_gained_sentences_is_the_same_document() -> None:
    found = proposed(
        thing(f'limit: {{type: i32, description: "{BOUND}"}}'),
        thing(
            f'ceiling: {{type: i32, description: "{BOUND} Since June it may be left out by every caller."}}'
        ),
    )

    assert ops(found) == [("Thing", "rename", {"from": "limit", "to": "ceiling"})]


def test_a_sentence_that_many_fields_have_says_nothing_of_one() -> None:
    boiler = "This value is ignored unless the caller is allowed to change it."
    names = ("shade", "weight", "route", "badge", "crate", "plank", "spoke")
    old = ", ".join(f'{name}: {{type: string, description: "{boiler}"}}' for name in names)
    found = proposed(
        thing(f'{old}, gone: {{type: string, description: "{boiler}"}}'),
        thing(f'{old}, come: {{type: string, description: "{boiler} Ships within a day."}}'),
    )

    assert [each.op for each in found.lines] == ["removed", "added"] or not found.lines
    schemas = folder(thing(old), thing(old), "[]").schemas.values()
    assert DocumentCorpus(schemas).shared((boiler, "gone"), (boiler, "come")) is None


def test_sentences_leave_out_short_ones_and_the_name_of_the_field() -> None:
    assert sentences("Optional. The size of the pool in bytes. Deprecated.", "size") == {
        "the _ of the pool in bytes"
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"), [("max_gb", "max_gbs", True), ("id", "ids", True), ("id", "idea", False)]
)
def test_a_plural_is_known_where_the_word_is_none(old: str, new: str, expected: bool) -> None:
    assert are_plural(old, new) is expected


def test_an_object_that_moves_is_preferred_to_its_fields() -> None:
    found = proposed(
        "Thing: {fields: {name: string, actions: Call, other: Call}}\n"
        "Call: {fields: {title: string, view: string, deploy: string}}",
        "Thing: {fields: {name: string, effective_actions: Call, other: Call}}\n"
        "Call: {fields: {title: string, details: Details}}\n"
        "Details: {fields: {view: string, deploy: string}}",
    )

    assert ("Thing", "rename", {"from": "actions", "to": "effective_actions"}) in ops(found)
    assert ("Call", "nest", {"fields": ["view", "deploy"], "under": "details"}) in ops(found)


def test_one_field_alone_does_not_move_into_an_object_that_was_there_before() -> None:
    cost = '{type: i64, description: "The cost of training this model, in milli node hours."}'
    found = proposed(
        f"Thing: {{fields: {{name: string, a: A, b: B}}}}\nA: {{fields: {{node_cost: {cost}, x: string}}}}\n"
        "B: {fields: {y: string}}",
        "Thing: {fields: {name: string, a: A, b: B}}\nA: {fields: {x: string}}\n"
        f"B: {{fields: {{node_cost: {cost}, y: string}}}}",
    )

    assert [each.op for each in found.lines if each.op not in ("removed", "added")] == []


def test_lines_name_file_and_line_of_both_sides_for_every_kind_of_source() -> None:
    found = proposed(thing("url: string"), thing("uri: string"))

    (line,) = (each for each in found.lines if each.op == "rename")
    assert line.places == ("old.yaml:3", "new.yaml:3")


SHARED = (
    "name: string, a: {type: string, number: 2}, b: {type: string, number: 3}, c: {type: string, number: 4}"
)


@pytest.mark.parametrize(
    ("old", "new", "is_line"),
    [
        # Every other field keeps its number, so that an equal one says much.
        ("disk_quota: {type: i32, number: 9}", "volume_quota: {type: i32, number: 9}", True),
        ("disk_quota: {type: i32, number: 9}", "volume_quota: {type: i32, number: 8}", False),
    ],
)
def test_wire_numbers_say_much_where_all_other_fields_keep_theirs(old: str, new: str, is_line: bool) -> None:
    between = "d: {type: string, number: 5}"
    (found,) = proposals(
        folder(
            f"Thing: {{fields: {{{SHARED}, {old}, {between}}}}}",
            f"Thing: {{fields: {{{SHARED}, {between}, {new}}}}}",
            "[]",
        )
    )
    assert any(each.op == "rename" for each in found.lines) is is_line


@pytest.mark.parametrize(("moved", "is_line"), [(1, True), (2, False)])
def test_wire_numbers_say_much_where_one_in_ten_fields_has_another(moved: int, is_line: bool) -> None:
    def of(name: str, type_: str, first: int) -> str:
        numbers = [(each + 40 if each < first else each) for each in range(10)]
        kept = ", ".join(f"f{at}: {{type: bytes, number: {each + 2}}}" for at, each in enumerate(numbers))
        return f"Thing: {{fields: {{name: string, {kept}, {name}_version: {{type: i32, number: 30}}, {name}: {{type: {type_}, number: {first + 60}}}}}}}"

    (found,) = proposals(folder(of("tensor", "bool", 0), of("runtime", "struct", moved), "[]"))

    assert any(each.op == "rename" for each in found.lines) is is_line


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("task", "state"), ("task", "status"), True),
        (("expire", "time"), ("expiry", "time"), True),
        (("login",), ("username",), True),
        (("task", "state"), ("job", "status"), False),
        (("state",), ("state",), False),
        (("start", "time"), ("end", "time"), False),
    ],
)
def test_synonyms_stand_for_one_word_each(old: tuple[str, ...], new: tuple[str, ...], expected: bool) -> None:
    assert are_synonyms(old, new) is expected


def test_times_that_share_nothing_but_that_word_are_no_rename() -> None:
    (found,) = proposals(
        folder(
            "Thing: {fields: {name: string, sync_time: timestamp}}",
            "Thing: {fields: {name: string, purge_time: timestamp}}",
            "[]",
        )
    )
    assert [each for each in found.lines if each.op == "rename"] == []
