"""What documents say outright of a change: what a field was called, and how its values are written."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from tests.unit.conversion.services import folder

SECONDS = "How long a read of the queue waits for a message, in seconds."


def proposed(old: str, new: str) -> EdgeProposal:
    (found,) = proposals(
        folder(
            f"Thing: {{fields: {{name: string, {old}}}}}", f"Thing: {{fields: {{name: string, {new}}}}}", "[]"
        )
    )
    return found


def renames(found: EdgeProposal) -> list[tuple[str, object]]:
    return [(each.op, each.args) for each in found.lines if each.op not in ("removed", "added")]


@pytest.mark.parametrize(
    ("said", "is_line"),
    [
        ("Since 2.4 the `command` option has been changed to `state`.", True),
        ("Since 2.4 `command` was renamed to `state`.", True),
        # The name of the old field alone may be of how both are used together.
        ("Since 2.4 `command` was read before the `state`.", False),
        ("Since 2.4 the `other` option has been changed to `state`.", False),
    ],
)
def test_a_document_that_says_that_a_name_has_been_changed_makes_a_line(said: str, is_line: bool) -> None:
    old = 'command: {type: string, description: "Which action to take."}'
    new = f'state: {{type: string, description: "What the record is to be. {said}"}}, zone: string'

    found = proposed(old, new)

    assert renames(found) == ([("rename", {"from": "command", "to": "state"})] if is_line else [])


@pytest.mark.parametrize(
    ("said", "is_line"),
    [
        (SECONDS, True),
        # What is written as a duration is no plain number.
        (f"{SECONDS} A duration such as `3.5s`.", False),
        ("How long a read of the queue waits for a message.", False),
        ("How long a read of the queue waits for a message, in milliseconds.", False),
    ],
)
def test_a_text_whose_document_counts_seconds_becomes_their_number(said: str, is_line: bool) -> None:
    found = proposed(
        f'wait_time: {{type: string, description: "{said}"}}',
        f'wait_time_seconds: {{type: i64, description: "{said}"}}',
    )

    codec = {"from": "wait_time", "to": "wait_time_seconds", "codec": "int-string:back"}
    assert renames(found) == ([("convert", codec)] if is_line else [])
    assert found.doubts or is_line


def test_a_word_that_is_not_used_any_more_is_the_one_that_is_used_instead() -> None:
    found = proposed(
        'slave_mode: {type: string, description: "The mode of the instance, as `slave` sets it."}',
        'replica_mode: {type: string, description: "The mode of the instance, as `replica` sets it."}',
    )
    assert renames(found) == [("rename", {"from": "slave_mode", "to": "replica_mode"})]

    found = proposed(
        'slave_mode: {type: string, description: "The mode of the instance, as `slave` sets it."}',
        'master_mode: {type: string, description: "The mode of the instance, as `master` sets it."}',
    )
    assert renames(found) == []


@pytest.mark.parametrize(
    ("said", "is_line"),
    [
        # The word that the new name lacks stands in its document.
        ("How the key is called by those who may use it.", True),
        ("What it is called by those who may use it.", False),
    ],
)
def test_a_name_within_another_one_whose_rest_the_document_has_makes_a_line(said: str, is_line: bool) -> None:
    found = proposed(
        'key_alias: {type: string, description: "Names one of the parts, in short."}, gone: bytes',
        f'come: struct, alias: {{type: string, description: "{said}"}}',
    )

    assert renames(found) == ([("rename", {"from": "key_alias", "to": "alias"})] if is_line else [])


@pytest.mark.parametrize(
    ("said", "is_line"),
    [("The text that callers are shown first.", True), ("The text that callers see.", False)],
)
def test_a_document_of_four_words_that_no_other_field_has_makes_a_line(said: str, is_line: bool) -> None:
    found = proposed(
        f'gist: {{type: string, description: "{said}"}}, gone: bytes',
        f'come: struct, headline: {{type: string, description: "{said}"}}',
    )

    assert renames(found) == ([("rename", {"from": "gist", "to": "headline"})] if is_line else [])
