"""Runs of words and first sentences that two documents share, pairs without a rival, names in two forms or units."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.documents.corpus import DocumentCorpus
from migrations_app.domain.conversion.proposals.documents.mentions import first_sentence
from migrations_app.domain.conversion.proposals.names.words import (
    are_but_for_empty_words,
    are_forms,
    are_opposites,
    words,
)
from migrations_app.domain.conversion.proposals.propose import proposals
from migrations_app.domain.schema.folder import read_files
from tests.unit.conversion.services import folder
from tests.unit.conversion.test_match_evidence import ops, proposed, thing

PAGE = "The address of the careers pages that the employer keeps on a site of its own"


def described(name: str, document: str, type_: str = "string") -> str:
    return f'{name}: {{type: {type_}, description: "{document}"}}'


def test_a_run_of_words_that_no_other_document_has_speaks_for_a_pair() -> None:
    old = described("career_page", f"Optional. {PAGE}.")
    new = described("career_site", f"Where applicants look first. {PAGE}, for example, under jobs.")
    found = proposed(thing(old), thing(new))
    assert ops(found) == [("Thing", "rename", {"from": "career_page", "to": "career_site"})]


@pytest.mark.parametrize("other", ["", f", {described('kept', f'Long ago. {PAGE}.')}"])
def test_a_run_of_words_that_others_have_too_says_nothing(other: str) -> None:
    texts = f"Optional. {PAGE}.", f"Where applicants look first. {PAGE}, for example, under jobs."
    old, new = described("landing", texts[0]), described("portal", texts[1])
    corpus = DocumentCorpus(folder(thing(f"{old}{other}"), thing(f"{new}{other}"), "[]").schemas.values())
    phrase = corpus.own_phrase((texts[0], "landing"), (texts[1], "portal"))
    assert phrase.strip() == ("" if other else PAGE.casefold())


@pytest.mark.parametrize(
    ("document", "first"),
    [
        ("Optional. The level of the job. More follows.", "The level of the job."),
        ("Output only. Immutable. The level.", "The level."),
        ("The level of the job. More.", "The level of the job."),
    ],
)
def test_a_mark_in_front_is_no_first_sentence(document: str, first: str) -> None:
    assert first_sentence(document) == first


@pytest.mark.parametrize(
    ("old", "new", "is_line"),
    [
        # The sentences differ by the words of the two names alone, or say opposites of one thing.
        ("Optional. The desired education level for work such as masonry.", "The desired degree for work such as masonry.", True),
        ("The minimum education level for work such as masonry.", "The maximum degree for work such as masonry.", False),
    ],
)  # fmt: skip
def test_first_sentences_that_differ_by_the_names_are_one(old: str, new: str, is_line: bool) -> None:
    found = proposed(thing(described("education_level", old)), thing(described("degree", new)))
    assert (ops(found) == [("Thing", "rename", {"from": "education_level", "to": "degree"})]) is is_line


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("is_managed", "managed", True),
        ("radius_in_miles", "radius_miles", True),
        ("email_list", "emails", True),
        ("list", "in", False),
        ("not_managed", "managed", False),
    ],
)
def test_words_that_say_nothing_make_no_other_name(old: str, new: str, expected: bool) -> None:
    assert are_but_for_empty_words(words(old), words(new)) is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("document_validation", "document_validated", True),
        ("configure", "configuration", True),
        ("expire_time", "expiration_time", True),
        ("port", "portion", False),
        ("validation", "validation", False),
        ("schedule_time", "start_time", False),
    ],
)
def test_forms_of_one_word_are_known_where_enough_of_it_stays(old: str, new: str, expected: bool) -> None:
    assert are_forms(words(old), words(new)) is expected


@pytest.mark.parametrize(
    ("others", "is_line"),
    [("", True), ("sort: {type: string, description: \"Either 'resolve' or 'reopen'.\"}, ", False)],
)
def test_values_that_no_other_document_names_speak_for_a_pair(others: str, is_line: bool) -> None:
    old = described("verb", "What this did to the comment above it. It is 'resolve' or 'reopen'.")
    new = described("action", "What this did. Possible values are 'resolve' and 'reopen'.")
    found = proposed(thing(f"{others}{old}"), thing(f"{others}{new}"))
    reasons = [str(reason) for each in (*found.lines, *found.doubts) for reason in each.reasons]
    assert ("the documents name the same values" in reasons) is is_line


def test_a_preposition_is_no_negation() -> None:
    assert not are_opposites(words("radius_in_miles"), words("radius_miles"))
    assert are_opposites(words("data_in"), words("data_out"))
    assert words("urls") == words("uris") == ("uri",)


def test_names_of_two_units_are_left_to_a_person_with_the_op_that_converts() -> None:
    said = "How far from the address the work may be."
    found = proposed(
        thing(described("radius_meters", said, "f64")), thing(described("radius_miles", said, "f64"))
    )
    assert ops(found) == []
    assert [(each.op, each.args, each.sure) for each in found.doubts] == [
        ("unit", {"from": "radius_meters", "to": "radius_miles", "factor": "…"}, False)
    ]


def test_the_version_in_the_name_of_a_type_makes_no_other_type() -> None:
    listed = ", ".join(
        f"{{version: {version}, ordinal: {version[1]}, sources: [{{kind: ir, path: {version}.yaml}}]}}"
        for version in ("v1", "v2")
    )
    files = {"service.yaml": f"service: things.example.com\nversions: [{listed}]\n".encode()}
    for version in ("v1", "v2"):
        name = f"org.example.{version}.Thing"
        files[f"{version}.yaml"] = (
            f"schema:\n  types: {{{name}: {{fields: {{name: string, a: i32}}}}}}\n"
            f"  resources: {{{name}: {{patterns: ['things/{{thing}}']}}}}\n"
        ).encode()
    (found,) = proposals(read_files(files))
    assert [(each.section, each.owner, each.target) for each in found.lines] == [
        ("renamed", "org.example.v1.Thing", "org.example.v2.Thing")
    ]
