"""Messages as JSON: as the API shows their phrases, and as rows keep them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import Phrase, WordedMessage, verbatim


def phrases_as_json(phrases: Iterable[Phrase]) -> list[Json]:
    """Give phrases in their order."""
    return [{"key": phrase.key, "values": dict[str, Json](phrase.values)} for phrase in phrases]


def all_phrases_as_json(messages: Iterable[WordedMessage]) -> list[Json]:
    """Give the phrases of each of some messages."""
    return [phrases_as_json(each.phrases) for each in messages]


def phrases_from_json(kept: Iterable[Mapping[str, Any]]) -> tuple[Phrase, ...]:
    """Read phrases that a row kept."""
    return tuple(Phrase(phrase["key"], phrase["values"]) for phrase in kept)


def kept_message(text: str, kept: Iterable[Mapping[str, Any]]) -> WordedMessage:
    """Read a text that a row keeps with its phrases; the text counts where they say something else.

    A process of an older version writes the text alone, and leaves phrases that were written before.
    """
    words = WordedMessage(phrases_from_json(kept))
    return words if str(words) == text else verbatim(text)


def reason_as_json(words: WordedMessage) -> JsonObject:
    """Give a reason with its phrases, where there is one."""
    phrases = {"reason_phrases": phrases_as_json(words.phrases)} if words else {}
    return {"reason": str(words), **phrases}


def wording_as_json(phrases: Iterable[Phrase], remedy_phrases: Iterable[Phrase]) -> JsonObject:
    """Give the phrases of a sentence and of its remedy; what has none is left out."""
    both = {"phrases": phrases_as_json(phrases), "remedy_phrases": phrases_as_json(remedy_phrases)}
    return {name: found for name, found in both.items() if found}


def action_as_json(action: str, refusal: WordedMessage, who_can: Iterable[Json]) -> JsonObject:
    """Show an action: allowed, or the sentence that refuses it and who could."""
    return {
        "action": action,
        "allowed": not refusal,
        "reason": str(refusal),
        **wording_as_json(refusal.phrases, ()),
        "who_can": [*who_can],
    }


def sentence_as_json(of: WordedMessage) -> JsonObject:
    """Give a sentence with its phrases."""
    return {"sentence": str(of), "phrases": phrases_as_json(of.phrases)}
