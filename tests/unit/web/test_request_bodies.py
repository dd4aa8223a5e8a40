"""A request is read by its declaration: what is right is taken, what is wrong is told all at once with its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time
from typing import Annotated, Any

import pytest
from msgspec import UNSET, Meta, UnsetType

from console.generated_pages.server_texts import CATALOGUE
from migrations_app.kernel.errors import Invalid
from migrations_app.web.contract import (
    VERBATIM,
    Email,
    Instant,
    RequestBody,
    TimeOfDay,
    one_of,
    read,
)


class Part(RequestBody, frozen=True, kw_only=True):
    """What is inside another."""

    days: Annotated[list[Annotated[int, Meta(ge=1, le=7)]], Meta(max_length=3)] = []
    zone: Annotated[str, Meta(min_length=1, max_length=8)] | UnsetType = UNSET


class Whole(RequestBody, frozen=True, kw_only=True):
    """One field of each kind."""

    name: Annotated[str, Meta(min_length=1, max_length=10)]
    kind: Annotated[str, one_of(["user", "service"])] = "user"
    mail: Email = ""
    secret: Annotated[str, Meta(min_length=3, extra=VERBATIM)] | UnsetType = UNSET
    until: Instant | None = None
    at: TimeOfDay = time(8)
    weight: Annotated[float, Meta(gt=0)] = 1.0
    share: float = 0.5
    active: bool | UnsetType = UNSET
    parts: Annotated[list[Part], Meta(min_length=1)] | UnsetType = UNSET
    labels: dict[str, str] = {}


def told(given: object) -> list[tuple[str, str, str]]:
    with pytest.raises(Invalid) as refused:
        read(Whole, given)
    assert refused.value.code == "invalid"
    texts = json.loads(CATALOGUE.read_text())
    for each in refused.value.violations:
        assert [phrase.key in texts for phrase in each.phrases] == [True], each.message
        assert [phrase.key in texts for phrase in each.remedy_phrases] == [True] * bool(each.remedy)
    return [(each.path, each.code, each.message) for each in refused.value.violations]


def test_a_body_is_read_with_its_defaults_and_without_what_was_left_out() -> None:
    found = read(Whole, {"name": " ann ", "secret": " abc ", "at": "09:30", "parts": [{"zone": "UTC"}]})
    assert found.name == "ann"
    assert (found.kind, found.mail, found.until, found.share) == ("user", "", None, 0.5)
    assert (found.secret, found.at, found.active) == (" abc ", time(9, 30), UNSET)
    assert found.parts == [Part(zone="UTC")]


@pytest.mark.parametrize(
    "given",
    ["2026-01-31T10:30:00+01:00", "2026-01-31T10:30+01:00", "2026-01-31T09:30Z", "2026-01-31T09:30:00.000Z"],
)
def test_an_instant_is_given_in_utc_with_or_without_seconds(given: str) -> None:
    found = read(Whole, {"name": "a", "until": given})
    assert found.until == datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
    assert found.until is not None
    assert found.until.tzinfo is UTC


@pytest.mark.parametrize("given", ["09:30", "9:30", "09:30:00"])
def test_a_time_of_day_is_read_with_or_without_seconds(given: str) -> None:
    assert read(Whole, {"name": "a", "at": given}).at == time(9, 30)


def test_everything_that_is_wrong_is_told_at_once_with_its_place() -> None:
    assert told(
        {
            "nane": "ann",
            "kind": "robot",
            "mail": "nowhere",
            "secret": "ab",
            "until": "2026-01-31T10:30:00",
            "at": "25:00",
            "share": "half",
            "active": "yes",
            "parts": [{"days": [1, 9]}, {"zone": "", "zome": 1}, "UTC"],
            "labels": {"team": 7},
        }
    ) == [
        ("nane", "unknown", "There is no such field."),
        ("name", "required", "This field is required."),
        ("kind", "invalid_choice", "It is none of user, service."),
        ("mail", "invalid", "It is not in the form that is asked for."),
        ("secret", "min_length", "It has less than 3 characters."),
        ("until", "invalid", "It is not a time with its zone, as 2026-01-31T09:30:00Z is."),
        ("at", "invalid", "It is not a time of day, as 09:30 is."),
        ("share", "invalid", "It is not a number."),
        ("active", "invalid", "It is not true or false."),
        ("parts.0.days.1", "max_value", "It is more than 7."),
        ("parts.1.zome", "unknown", "There is no such field."),
        ("parts.1.zone", "blank", "This field may not be empty."),
        ("parts.2", "invalid", "It is not an object."),
        ("labels.team", "invalid", "It is not a text."),
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"name": "   "}, ("name", "blank", "This field may not be empty.")),
        ({"name": None}, ("name", "null", "This field may not be null.")),
        ({"name": "a" * 11}, ("name", "max_length", "It has more than 10 characters.")),
        ({"name": 7}, ("name", "invalid", "It is not a text.")),
        ({"name": "a\0b"}, ("name", "malformed", "A text contains the character NUL, which is not allowed.")),
        ({"name": "a", "kind": " user"}, ("kind", "invalid_choice", "It is none of user, service.")),
        ({"name": "a", "kind": "user\n"}, ("kind", "invalid_choice", "It is none of user, service.")),
        ({"name": "a", "parts": []}, ("parts", "empty", "This field may not be empty.")),
        ({"name": "a", "parts": {}}, ("parts", "invalid", "It is not a list.")),
        (
            {"name": "a", "parts": [{"days": [1, 2, 3, 4]}]},
            ("parts.0.days", "max_length", "It has more than 3 entries."),
        ),
        (
            {"name": "a", "parts": [{"days": [True]}]},
            ("parts.0.days.0", "invalid", "It is not a whole number."),
        ),
        ({"name": "a", "parts": [{"days": [0]}]}, ("parts.0.days.0", "min_value", "It is less than 1.")),
        ({"name": "a", "weight": 0}, ("weight", "min_value", "It is not more than 0.")),
        (
            {"name": "a", "labels": {"x": "\0"}},
            ("labels.x", "malformed", "A text contains the character NUL, which is not allowed."),
        ),
    ],
)
def test_each_wrong_field_is_told_in_words(given: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert told(given) == [expected]


def test_an_unknown_field_is_told_with_the_one_that_was_meant() -> None:
    with pytest.raises(Invalid) as refused:
        read(Part, {"zune": "UTC", "q": 1})
    assert [(each.path, each.remedy) for each in refused.value.violations] == [
        ("zune", "Did you mean zone?"),
        ("q", "There are: days, zone."),
    ]


@pytest.mark.parametrize("given", [[], "text", 7, None])
def test_what_is_no_object_is_refused(given: object) -> None:
    assert told(given) == []


class Question(RequestBody, frozen=True, kw_only=True):
    """What a query asks."""

    limit: Annotated[int, Meta(ge=1, le=500)] = 50
    all: bool = False


def test_numbers_of_a_query_are_read_from_their_texts() -> None:
    assert read(Question, {"limit": "7", "all": "true"}, from_text=True) == Question(limit=7, all=True)
    with pytest.raises(Invalid) as refused:
        read(Question, {"limit": "501", "all": "perhaps"}, from_text=True)
    assert [(each.path, each.message) for each in refused.value.violations] == [
        ("limit", "It is more than 500."),
        ("all", "It is not true or false."),
    ]
