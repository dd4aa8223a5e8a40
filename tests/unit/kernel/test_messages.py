"""Messages: their phrases give the sentence, and come back from JSON as they were."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest

from migrations_app.kernel.clock import to_minute, to_second
from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message, verbatim
from migrations_app.kernel.wordings import kept_message, phrases_as_json, phrases_from_json, wording_as_json


def test_a_sentence_has_its_values_at_their_places() -> None:
    assert str(message("{ready} of {total} shards are caught up.", ready=3, total=16)) == (
        "3 of 16 shards are caught up."
    )
    assert str(message("Not checked yet:") + message("No resource is quarantined.")) == (
        "Not checked yet: No resource is quarantined."
    )
    assert (str(NOTHING), bool(NOTHING), bool(message("A."))) == ("", False, True)


def test_an_instant_is_a_value_in_utc_and_its_text_says_so() -> None:
    at = datetime(2026, 3, 1, 12, 30, 5, tzinfo=ZoneInfo("Asia/Tokyo"))
    words = message(
        "Checked at {checked_at}, open until {closes_at}.", checked_at=to_second(at), closes_at=to_minute(at)
    )
    assert words.phrases[0].values == {"checked_at": "2026-03-01T03:30:05Z", "closes_at": "2026-03-01T03:30Z"}
    assert str(words) == "Checked at 2026-03-01 03:30:05 UTC, open until 2026-03-01 03:30 UTC."
    assert (
        str(message("{value} at {made_at}", value=to_minute(at), made_at="start"))
        == "2026-03-01T03:30Z at start"
    )


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


def test_a_kept_text_counts_where_its_phrases_say_something_else() -> None:
    words = message("{count} keys stop.", count=2)
    assert kept_message("2 keys stop.", [{"key": "{count} keys stop.", "values": {"count": 2}}]) == words
    assert kept_message("3 keys stop.", [{"key": "{count} keys stop.", "values": {"count": 2}}]) == verbatim(
        "3 keys stop."
    )
    assert kept_message("3 keys stop.", []) == verbatim("3 keys stop.")
    assert kept_message("", []) == NOTHING


def test_what_is_said_before_an_error_is_in_its_phrases_too() -> None:
    worded, plain = Conflict(message("{name} is held.", name="door")), Conflict("door is held.")
    for error in (worded, plain):
        error.begin_with(message("{at}:", at="writes[1]"))
        assert (error.message, str(error.words)) == ("writes[1]: door is held.", "writes[1]: door is held.")
    assert [phrase.key for phrase in worded.phrases] == ["{at}:", "{name} is held."]


def test_a_place_that_is_wrong_keeps_the_phrases_of_what_is_wrong() -> None:
    found = Violation("spec.door", message("refers to {name}", name="door"))
    assert (found.path, found.message, found.phrases[0].key) == (
        "spec.door",
        "refers to door",
        "refers to {name}",
    )
