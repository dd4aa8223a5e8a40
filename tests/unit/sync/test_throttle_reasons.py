"""Why a copy rests: what workers keep as a text has its phrases again, and an operator's own text stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from migrations_app.domain.sync.throttle_reasons import (
    commit_slow,
    commits_waiting,
    held,
    load_unknown,
    read_rest,
    replica_behind,
    rest_message,
    sessions_active,
    text_of,
)
from migrations_app.engine.sync.pace import resting
from migrations_app.kernel.messages import WordedMessage, message

NOW = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "words",
    [
        sessions_active(52, 48),
        commits_waiting(13, 12),
        replica_behind("2.5"),
        commit_slow(340, 200),
        load_unknown("eu", "no answer: it is closed."),
        held(5),
    ],
)
def test_a_reason_that_was_kept_as_a_text_has_its_phrases_again(words: WordedMessage) -> None:
    assert read_rest(resting("", text_of(words), NOW)).words == words


@pytest.mark.parametrize(
    "text",
    [
        "The nightly backup runs",
        "backup; since noon",
        "many sessions are active",
        "held to  resources a second",
        "a commit takes 340 ms, more than 200. Ask olga",
        "1 sessions are active, more than " * 100_000,
    ],
    ids=lambda text: text[:40],
)
def test_a_text_of_an_operator_stays_as_it_is(text: str) -> None:
    assert read_rest(text).words == message("{reason}.", reason=text)
    assert str(read_rest(resting("", text, NOW)).words) == f"{text}."


def test_the_time_is_that_of_the_first_rest_and_its_latest_instant() -> None:
    first = resting("", "a", NOW)
    assert resting(first, "b", NOW.replace(hour=13)) == "b; since 12:00:00 UTC"
    assert str(rest_message(first, NOW)) == "a. Since 2026-11-23 12:00:00 UTC."
    assert str(rest_message(first, NOW.replace(hour=11))) == "a. Since 2026-11-22 12:00:00 UTC."


def test_what_does_not_rest_has_no_words() -> None:
    assert not rest_message("", NOW)
