"""The error that a peer's problem document describes, with its phrases where these say the same as its text."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import Phrase, message, verbatim
from migrations_app.ports.regions.peer_requests import error_of
from migrations_app.web.problems import problem_of

LATE = message("The slowest shard is {behind} s behind.", behind=12)


def test_an_error_comes_back_in_its_phrases() -> None:
    error = error_of(409, problem_of(Conflict(LATE, code="lag", remedy=message("Wait."))).body)
    assert isinstance(error, Conflict)
    assert (error.code, error.words) == ("lag", LATE)
    assert (error.remedy, error.remedy_phrases) == ("Wait.", (Phrase("Wait."),))


@pytest.mark.parametrize(
    "phrases",
    [
        "late",
        [7],
        [{"key": "{behind} s", "values": 3}],
        [{"key": "{0}", "values": {}}],
        [{"key": "{behind:>900000000}", "values": {"behind": "late"}}],
        [{"key": "one|several", "values": {}}],
        [{"key": "Something else.", "values": {}}],
    ],
)
def test_phrases_that_say_something_else_are_left_out(phrases: Json) -> None:
    problem: JsonObject = {"code": "lag", "detail": "It is late.", "phrases": phrases}
    error = error_of(409, problem)
    assert (error.message, error.words) == ("It is late.", verbatim("It is late."))


def test_a_peer_of_an_older_version_answers_with_its_text() -> None:
    error = error_of(409, {"code": "lag", "detail": "It is late. Wait.", "remedy": "Wait."})
    assert (error.message, error.remedy, error.remedy_words) == ("It is late.", "Wait.", verbatim("Wait."))


def test_a_peer_that_says_nothing_is_named_by_its_status() -> None:
    assert error_of(409, {"code": "lag"}).words == message("A peer answered {status}.", status=409)
