"""What documents say of the names of other fields, flags that turn round, texts whose symbols are named in quotes."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.documents.corpus import DocumentCorpus
from migrations_app.domain.conversion.proposals.documents.mentions import mention_remarks
from migrations_app.domain.conversion.proposals.names.words import are_negations, words
from migrations_app.domain.schema.types import Field, ScalarKind, ScalarType
from tests.unit.conversion.test_match_evidence import ops, proposed, thing

SIGNING = "The certificate signing request in PEM."


def text(name: str, document: str) -> Field:
    return Field(name, ScalarType(ScalarKind.STRING), description=document)


@pytest.mark.parametrize(
    ("old", "new", "strong"),
    [
        (text("csr", ""), text("request", SIGNING), True),
        (text("csr", ""), text("issuer", SIGNING), None),
        (text("manifest", "The listing of the cargo."), text("listing", "A manifest of the cargo."), True),
        (text("manifest", "The listing of the cargo."), text("listing", "What is loaded."), False),
        (text("manifest", "What is loaded."), text("listing", "What is aboard."), None),
    ],
)
def test_a_document_that_has_the_other_name_or_what_it_abbreviates_speaks_for_a_pair(
    old: Field, new: Field, strong: bool | None
) -> None:
    found = list(mention_remarks(old, new, DocumentCorpus(())))
    assert [remark[2] for remark in found] == ([] if strong is None else [strong])


@pytest.mark.parametrize(
    ("old", "new", "turned"),
    [
        ("disabled", "enabled", True),
        ("allow_overwrite", "deny_overwrite", True),
        ("active", "inactive", True),
        ("preemptible", "not_preemptible", True),
        ("start", "end", False),
        ("enabled", "disabled_reason", False),
    ],
)
def test_names_of_flags_that_say_the_opposite(old: str, new: str, turned: bool) -> None:
    assert are_negations(words(old), words(new)) is turned


def test_a_flag_that_turns_round_is_inverted_and_a_text_is_not() -> None:
    flags = proposed(thing("disabled: bool"), thing("enabled: bool"))
    assert ops(flags) == [("Thing", "invert", {"from": "disabled", "to": "enabled"})]
    texts = proposed(thing("disabled: string"), thing("enabled: string"))
    assert "invert" not in {each.op for each in (*texts.lines, *texts.doubts)}


def test_symbols_that_a_document_names_in_quotes_are_mapped_from_how_it_writes_them() -> None:
    document = "The state, one of 'running' and 'stopped'."
    found = proposed(
        thing(f'state: {{type: string, description: "{document}"}}'),
        thing("state: {type: {enum: [STATE_UNSPECIFIED, STATE_RUNNING, STATE_STOPPED]}}"),
    )
    table = {
        "STATE_UNSPECIFIED": "STATE_UNSPECIFIED",
        "running": "STATE_RUNNING",
        "stopped": "STATE_STOPPED",
    }
    assert ops(found) == [("Thing", "enum", {"path": "state", "map": table, "rest": "bag"})]


def test_the_place_of_a_field_says_nothing_where_fields_stand_in_the_order_of_the_alphabet() -> None:
    said = "How much of it there is when all is counted."
    between = 'alpha: string, {}: {{type: i32, description: "{}"}}, delta: string, omega: string'
    more = "Everything that was left once the others had gone away."
    found = proposed(thing(between.format("bravo", said)), thing(between.format("charlie", more)))
    assert [(each.op, each.args) for each in found.lines if each.op == "rename"] == []
