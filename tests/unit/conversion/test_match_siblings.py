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
        (("redirect_vaildation", "The vaildation."), ("redirect_validation", "The validation."), False),
    ],
)
def test_documents_of_siblings_say_their_own_names(
    old: tuple[str, str], new: tuple[str, str], expected: bool
) -> None:
    left, right = (Field(name, ScalarType(ScalarKind.STRING), description=text) for name, text in (old, new))

    assert says_own_name(left, right) is expected
