"""Sentences with what other languages need to word them: each phrase by its English form, with the values in it.

The English form is the key in the catalogues of the console (ADR 0040); `manage.py reference` lists all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

SEVERAL = "|"
"""Stands between the form for one and the form for several; `{count}` chooses."""
COUNT = "count"
INSTANT = "_at"
"""So ends the name of a place for an instant: its value is ISO 8601 in UTC, and each surface writes it for its readers."""
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d)?)Z")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence, or a piece of one.

    Shape: `{lag}` in `key` is the place of the value `lag`; a key with two forms is counted by the value `count`; an
    instant is in UTC in the text, and in the reader's zone in the console.
    """

    key: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        one, _, several = self.key.partition(SEVERAL)
        form = several if several and self.values[COUNT] != 1 else one
        return form.format_map({name: _readable(name, value) for name, value in self.values.items()})


def _readable(name: str, value: str | int) -> str | int:
    iso = _ISO.fullmatch(value) if name.endswith(INSTANT) and isinstance(value, str) else None
    return f"{iso[1]} {iso[2]} UTC" if iso else value


@dataclass(frozen=True, slots=True)
class WordedMessage:
    """Phrases with a space between them; none where there is nothing to say."""

    phrases: tuple[Phrase, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.phrases))

    def __bool__(self) -> bool:
        return bool(self.phrases)

    def __add__(self, other: WordedMessage) -> WordedMessage:
        return WordedMessage(self.phrases + other.phrases)


NOTHING = WordedMessage()


def message(key: str, /, **values: str | int) -> WordedMessage:
    """Word a sentence by its English form, written out where the function is called; a value without a place is left out."""
    return WordedMessage((Phrase(key, _placed(key, values)),))


def catalogued(text: str, /) -> str:
    """Take a text without values, written out where the function is called, into the catalogues: it is its own key."""
    return text


def counted(count: int, one: str, several: str, /, **values: str | int) -> WordedMessage:
    """Word a sentence about a number of things, `{count}`, by its form for one and its form for several."""
    key = f"{one}{SEVERAL}{several}"
    return WordedMessage((Phrase(key, {COUNT: count, **_placed(key, values)}),))


def _placed(key: str, values: Mapping[str, str | int]) -> dict[str, str | int]:
    return {name: value for name, value in values.items() if f"{{{name}}}" in key}


def verbatim(text: str) -> WordedMessage:
    """Take a text as it is: no catalogue has it."""
    return WordedMessage((Phrase("{text}", {"text": text}),)) if text else NOTHING


def as_message(text: str | WordedMessage, phrases: tuple[Phrase, ...] = ()) -> WordedMessage:
    """Take a text with the phrases that word it; one without stays as it is in every language."""
    if isinstance(text, WordedMessage):
        return text
    return WordedMessage(phrases) if phrases else verbatim(text)


def phrases_of(text: str | WordedMessage) -> tuple[Phrase, ...]:
    """Give the phrases of a text; one that is no message has none."""
    return text.phrases if isinstance(text, WordedMessage) else ()
