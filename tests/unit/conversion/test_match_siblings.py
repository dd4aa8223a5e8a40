"""Siblings of which one goes and one comes are no rename where only their place and the words of their names say so."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.documents.mentions import says_own_name
from migrations_app.domain.conversion.proposals.names.words import are_of_one_frame, words
from migrations_app.domain.schema.scalars import ScalarKind
from migrations_app.domain.schema.types import Field, ScalarType
from tests.unit.conversion.test_match_contrasts import proposed, renames, thing

TEXT = "{type: string, description: '%s'}"


def test_words_alone_make_no_line_of_the_only_pair_that_is_open() -> None:
    bare = proposed(thing("video_duration: i32"), thing("audio_duration: i32"))

    assert renames(bare) == []


def test_one_of_many_names_of_a_frame_is_no_other_one() -> None:
    rest = "input_document_count: i32, shared: string"
    described = "{type: i32, description: 'The total number of %s in this job of the user.'}"
    found = proposed(
        thing(f"failed_document_count: {described % 'documents, failed,'}, {rest}"),
        thing(f"valid_document_count: {described % 'documents, valid,'}, {rest}"),
    )

    assert renames(found) == []


def test_one_document_makes_the_only_pair_a_line() -> None:
    described = "The rule that the export applies to requests of users."
    found = proposed(thing(f"numerical_rule: {TEXT % described}"), thing(f"export_rule: {TEXT % described}"))

    assert renames(found) == [{"from": "numerical_rule", "to": "export_rule"}]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("event_span", "event"), ("user_span", "user"), False),  # siblings of one text
        (("log_engine", "engine"), ("log_datastore", "data store"), False),
        (("event_span", "old event"), ("user_span", "old event"), True),  # the text does not follow the name
        (("event_state", "event state"), ("event_status", "event status"), True),  # words of one meaning
    ],
)
def test_documents_that_say_their_own_names_only_make_no_line(
    old: tuple[str, str], new: tuple[str, str], expected: bool
) -> None:
    text = TEXT % "Required. How long data of the %s is kept before the job removes it."
    found = proposed(thing(f"{old[0]}: {text % old[1]}"), thing(f"{new[0]}: {text % new[1]}"))

    assert renames(found) == ([{"from": old[0], "to": new[0]}] if expected else [])
    doubts = [each for each in found.doubts if each.op == "rename"]
    reason = "each document has words of its own name that the other document lacks"
    assert [reason in map(str, each.reasons) for each in doubts] == ([] if expected else [True])


@pytest.mark.parametrize(("number", "expected"), [(7, True), (8, False)])
def test_fields_of_one_wire_number_are_no_siblings(number: int, expected: bool) -> None:
    text = "description: 'How long data of the %s is kept before the job removes it.'"
    old = f"event_span: {{type: string, number: 7, {text % 'event'}}}"
    new = f"user_span: {{type: string, number: {number}, {text % 'user'}}}"

    found = proposed(thing(old), thing(new))

    assert renames(found) == ([{"from": "event_span", "to": "user_span"}] if expected else [])


def test_a_change_that_other_fields_make_too_outweighs_documents_that_follow_the_names() -> None:
    def of(word: str) -> str:
        texts = [
            f"{word}_span: {TEXT % f'How long data of the {word} is kept by the job.'}",
            f"{word}_quota: {{type: i32, description: 'How many requests the {word} may send at once.'}}",
        ]
        return thing(", ".join(texts))

    found = proposed(of("event"), of("user"))

    assert renames(found) == [
        {"from": "event_span", "to": "user_span"},
        {"from": "event_quota", "to": "user_quota"},
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("current_app_installed", "app_installed", True),
        ("app_installed", "current_app_installed", True),
        ("app", "current_app", False),
    ],
)
def test_a_name_of_two_words_within_another_one_makes_a_line(old: str, new: str, expected: bool) -> None:
    found = proposed(thing(f"{old}: bool, gone: i64"), thing(f"come: struct, {new}: bool"))

    assert renames(found) == ([{"from": old, "to": new}] if expected else [])


def test_a_document_that_says_what_the_field_was_called_makes_a_line() -> None:
    old = TEXT % "The account that runs it."
    new = TEXT % "Runs as this one. Before 1.8 this parameter was just `user`."
    found = proposed(thing(f"user: {old}"), thing(f"username: {new}, group: string, domain: string"))

    assert renames(found) == [{"from": "user", "to": "username"}]


@pytest.mark.parametrize(
    ("left", "right", "other", "expected"),
    [
        ("failed_count", "valid_count", "input_count", True),
        ("max_iops", "max_read_iops", "max_write_iops", True),
        ("max_read_iops", "max_iops", "max_write_iops", True),
        ("failed_count", "valid_count", "input_total", False),
        ("failed_count", "valid_total", "input_count", False),
        ("failed", "valid", "input", False),
        ("failed_count", "valid_count", "failed_count", False),
    ],
)
def test_names_of_one_frame_differ_in_one_place(left: str, right: str, other: str, expected: bool) -> None:
    assert are_of_one_frame(words(left), words(right), [words(other)]) is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("anon_uid", "The uid of strangers."), ("anon_gid", "The gid of strangers."), True),
        (("anon_uid", "Who strangers are."), ("anon_gid", "Who strangers are."), False),
        (("upper_uid", "The uid of strangers."), ("lower_gid", "The gid of strangers."), False),
        (("redirect_vaildation", "The vaildation."), ("redirect_validation", "The validation."), False),
    ],
)
def test_documents_of_siblings_say_their_own_names(
    old: tuple[str, str], new: tuple[str, str], expected: bool
) -> None:
    left, right = (Field(name, ScalarType(ScalarKind.STRING), description=text) for name, text in (old, new))

    assert says_own_name(left, right) is expected
