"""Messages: their phrases give the sentence, and come back from JSON as they were."""

from __future__ import annotations

import msgspec
import pytest

from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message, verbatim
from migrations_app.kernel.wordings import phrases_as_json, phrases_from_json, wording_as_json


def test_a_sentence_has_its_values_at_their_places() -> None:
    assert str(message("{ready} of {total} shards are caught up.", ready=3, total=16)) == (
        "3 of 16 shards are caught up."
    )
    assert str(message("Not checked yet:") + message("No resource is quarantined.")) == (
        "Not checked yet: No resource is quarantined."
    )
    assert (str(NOTHING), bool(NOTHING), bool(message("A."))) == ("", False, True)


@pytest.mark.parametrize(("count", "text"), [(0, "0 keys stop."), (1, "1 key stops."), (2, "2 keys stop.")])
def test_a_count_chooses_the_form(count: int, text: str) -> None:
    assert str(counted(count, "{count} key stops.", "{count} keys stop.")) == text


@pytest.mark.parametrize("text", ["List {lists}/a: 50 % | broken", "{", "{0}"])
def test_values_and_foreign_texts_are_never_read_as_places(text: str) -> None:
    assert str(verbatim(text)) == text
    assert str(message("Shard failed: {reason}", reason=text)) == f"Shard failed: {text}"
    assert not verbatim("")


def test_phrases_are_kept_in_a_row_and_read_back() -> None:
    words = counted(2, "{count} key: {reason}", "{count} keys: {reason}", reason="A | B") + verbatim("C.")
    kept = msgspec.json.decode(msgspec.json.encode(phrases_as_json(words.phrases)))
    assert WordedMessage(phrases_from_json(kept)) == words
    assert wording_as_json(words.phrases, ()) == {"phrases": kept}
