"""The words of the browser console: no refused word in an identifier, a file name or a visible text."""

from __future__ import annotations

import pytest

from tests.structure.front_end_words import refused_in, refused_words, wire_names


def test_no_refused_word_is_in_the_front_end() -> None:
    assert refused_words() == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<p>Nobody answers.</p>", [(1, "nobody")]),
        (
            "// nobody\n/* whoever */\nconst toldOf = 1;\nconst x = `${toldOf} told`;",
            [(3, "told_of"), (4, "told"), (4, "told_of")],
        ),
        ('const url = "https://lane"; // lane', [(1, "lane")]),
        ("<b>The way\nback</b>", [(1, "way_back")]),
        ("Math.floor(found) + floor", [(1, "floor"), (1, "found")]),
        ('<div className="wide-lane" onMouseLeave={leaveNow} />', []),
    ],
)
def test_words_count_in_identifiers_and_texts_with_their_lines(
    text: str, words: list[tuple[int, str]]
) -> None:
    assert refused_in(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('of.parked + ({ parked: 1 }).parked + send(`/upgrades/${id}/parked`) + key("parked")', []),
        ("const parked = 1;", [(1, "parked")]),
        ("<p>Resources are parked.</p>", [(1, "parked")]),
    ],
)
def test_a_name_of_the_api_counts_where_it_is_not_a_field(text: str, words: list[tuple[int, str]]) -> None:
    assert refused_in(text, frozenset({"parked"})) == words


def test_fields_of_the_generated_types_are_names_of_the_api() -> None:
    assert {"deployment", "from_version", "items"} <= wire_names()
